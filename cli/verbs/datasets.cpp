// `plumbline datasets`: the paper's ten data sets.

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sha2.h>

#include "cli/options/value.h"
#include "cli/output/json.h"
#include "cli/output/messages.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/shell/interrupt.h"
#include "cli/verbs/verbs.h"
#include "paper/data_sets.h"
#include "paper/task.h"
#include "plumbline/error.h"
#include "plumbline/io/csv_writer.h"
#include "plumbline/io/source.h"
#include "plumbline/schema.h"

namespace plumbline::cli {
namespace {

using paper::data_folder;
using paper::data_sets;
using paper::DataSet;
using paper::find_data_set;
using paper::how_to_get;

struct DatasetsOptions {
  std::string data;
  std::vector<std::string> names;
  bool json = false;
  std::uint64_t seed = 1;
};

// The named data sets, or all.
std::vector<DataSet> chosen(const std::vector<std::string>& names) {
  if (names.empty()) return data_sets();
  std::vector<DataSet> sets;
  for (const std::string& name : names) sets.push_back(paper::data_set(name));
  return sets;
}

std::string sha256(const std::string& path) {
  SHA2_CTX context;
  SHA256Init(&context);
  const auto source = open_source(path, &interrupted());
  std::vector<char> buffer(std::size_t{1} << 18);
  while (const std::size_t got = source->read(buffer)) {
    SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(buffer.data()), got);
  }
  std::array<char, SHA256_DIGEST_STRING_LENGTH> text{};
  return SHA256End(&context, text.data());
}

void list_sets(const DatasetsOptions& options) {
  const std::string folder = data_folder(options.data);
  if (options.json) {
    Json json = Json::array();
    for (const DataSet& set : chosen(options.names)) {
      json.push_back({{"name", set.name},
                      {"rows", set.rows},
                      {"features", set.features},
                      {"classes", set.classes},
                      {"batch", set.batch},
                      {"stationary", set.stationary},
                      {"what", set.what},
                      {"task", paper::task_text(set)},
                      {"options", paper::run_options(set)},
                      {"csv_sha256", set.csv_sha256},
                      {"url", set.url},
                      {"path", find_data_set(set, folder).value_or("")}});
    }
    return print(to_text(json));
  }
  std::string text = fmt::format("data sets of the paper, looked for in {}\n\n", folder);
  for (const DataSet& set : chosen(options.names)) {
    const auto path = find_data_set(set, folder);
    text += fmt::format(
        "{:<12} {:>7} rows, {:>3} features, {} classes   {}\n"
        "             {}\n"
        "             task: {}; minibatches of {}\n",
        set.name, count_text(set.rows), set.features, set.classes, path ? "found" : "missing",
        set.what, paper::task_text(set), set.batch);
    if (path) {
      const std::string run_options = paper::run_options(set);
      text += fmt::format("             plumbline run {} --batch {}{}{}\n", *path, set.batch,
                          run_options.empty() ? "" : " ", run_options);
    } else {
      text += fmt::format("             {}\n", set.url);
    }
  }
  print(text);
}

void verify_sets(const DatasetsOptions& options) {
  const std::string folder = data_folder(options.data);
  std::size_t wrong = 0;
  for (const DataSet& set : chosen(options.names)) {
    const auto path = find_data_set(set, folder);
    if (!path) {
      ++wrong;
      print(fmt::format("{:<12} missing\n", set.name));
      say("{}", how_to_get(set, folder));
      continue;
    }
    const bool same = sha256(*path) == set.csv_sha256;
    if (interrupted()) throw Interrupted{};
    if (!same) ++wrong;
    print(fmt::format("{:<12} {}\n", set.name,
                      same ? "ok"
                           : "DIFFERS from the copy of the "
                             "published comparisons"));
  }
  if (wrong > 0) {
    throw Error(ErrorKind::data, fmt::format("{} of {} data sets are missing or differ", wrong,
                                             chosen(options.names).size()));
  }
}

void print_path(const DatasetsOptions& options) {
  const std::string folder = data_folder(options.data);
  for (const DataSet& set : chosen(options.names)) {
    const auto found = find_data_set(set, folder);
    if (!found) throw Error(ErrorKind::io, how_to_get(set, folder));
    print(*found + "\n");
  }
}

// Prints the rows of a run of `plumbline paper` with this seed, in their order.
void print_task(const DatasetsOptions& options) {
  const std::string folder = data_folder(options.data);
  const DataSet& set = paper::data_set(options.names.at(0));
  const auto found = find_data_set(set, folder);
  if (!found) throw Error(ErrorKind::io, how_to_get(set, folder));
  const paper::Task task(set, *found, {}, &interrupted());
  const Schema schema = Schema::numeric(task.features());
  print(fmt::format("{},{}\n", fmt::join(schema.features, ","), schema.label));

  constexpr std::size_t kRowsAtOnce = 1000;
  const std::vector<std::size_t> order = task.order(options.seed);
  const Examples examples = task.examples();
  CsvWriter rows;
  for (std::size_t at = 0; at < order.size(); at += kRowsAtOnce) {
    if (interrupted()) throw Interrupted{};
    rows.clear();
    for (const std::size_t i :
         std::span(order).subspan(at, std::min(kRowsAtOnce, order.size() - at))) {
      rows.add(examples.x.row(i)).add(std::uint64_t{examples.y[i]}).end_row();
    }
    print(rows.text());
  }
}

Words offer_data_sets(std::string_view) {
  Words names;
  for (const DataSet& set : data_sets()) names.push_back(set.name);
  return names;
}

Option names_option(DatasetsOptions& options) {
  return {.names = {"names"},
          .help = "Data sets (default: all)",
          .offers = offer_data_sets,
          .value = texts(options.names)};
}

Option name_option(DatasetsOptions& options) {
  return {.names = {"name"},
          .help = "Data set",
          .offers = offer_data_sets,
          .required = true,
          .value = {.set = [&options](const Words& words) { options.names = words; }}};
}

}  // namespace

Verb datasets_verb() {
  const auto options = std::make_shared<DatasetsOptions>();
  const auto make = [&](const char* name, const char* summary,
                        void (*work)(const DatasetsOptions&)) {
    return Verb{
        .name = name,
        .summary = summary,
        .positionals = {names_option(*options)},
        .options = {{.names = {"--data"},
                     .metavar = "DIR",
                     .help = "Folder of the data sets (default: $PLUMBLINE_DATA, ./data, or "
                             "plumbline/ in the user's data folder)",
                     .completion = Completion::folders,
                     .value = text(options->data)}},
        .run = [options, work](const CommandLine&) {
          catch_interrupts();
          work(*options);
        }};
  };
  Verb list_verb = make("list", "List the data sets and whether they are present", list_sets);
  list_verb.options.push_back(
      {.names = {"--json"}, .help = "Print them as JSON", .value = flag(options->json)});
  Verb task_verb =
      make("task", "Print the rows of the paper's task as CSV, in the order of a run", print_task);
  task_verb.positionals = {name_option(*options)};
  task_verb.options.push_back({.names = {"--seed"},
                               .metavar = "N",
                               .help = "Seed of the run, which decides the order",
                               .fallback = std::to_string(options->seed),
                               .value = whole(options->seed)});
  return {
      .name = "datasets",
      .summary = "The paper's ten data sets: list, verify, path, task",
      .verbs = {list_verb,
                make("verify", "Compare the present files with the known checksums", verify_sets),
                make("path", "Print the path of each file", print_path), task_verb}};
}

}  // namespace plumbline::cli

// `plumbline datasets`: the paper's ten data sets.

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sha2.h>

#include "cli/options/checks.h"
#include "cli/output/json.h"
#include "cli/output/messages.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/shell/interrupt.h"
#include "cli/verbs/verbs.h"
#include "paper/data_sets.h"
#include "paper/task.h"
#include "plumbline/base/error.h"
#include "plumbline/data/schema.h"
#include "plumbline/io/csv_writer.h"
#include "plumbline/io/source.h"

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

// Those that are named, or all.
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

void list(const DatasetsOptions& options) {
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

void verify(const DatasetsOptions& options) {
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
                           : "DIFFERS: not the copy that the "
                             "published comparisons used"));
  }
  if (wrong > 0) {
    throw Error(ErrorKind::data, fmt::format("{} of {} data sets are missing or differ", wrong,
                                             chosen(options.names).size()));
  }
}

void path(const DatasetsOptions& options) {
  const std::string folder = data_folder(options.data);
  for (const DataSet& set : chosen(options.names)) {
    const auto found = find_data_set(set, folder);
    if (!found) throw Error(ErrorKind::io, how_to_get(set, folder));
    print(*found + "\n");
  }
}

// The rows that a run of `plumbline paper` with this seed sees, in their order.
void task(const DatasetsOptions& options) {
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

}  // namespace

void add_datasets(CLI::App& program) {
  CLI::App* verb =
      program.add_subcommand("datasets", "The paper's ten data sets: list, verify, path, task");
  verb->require_subcommand(1);
  const auto options = std::make_shared<DatasetsOptions>();
  const auto add = [&](const char* name, const char* help, void (*work)(const DatasetsOptions&)) {
    CLI::App* action = verb->add_subcommand(name, help);
    action->add_option("names", options->names, "Data sets; all unless given")->type_name("NAME");
    action
        ->add_option("--data", options->data,
                     "Folder to look in; else $PLUMBLINE_DATA, ./data, or plumbline/ in the "
                     "user's data folder")
        ->type_name("DIR");
    action->callback([options, work] {
      catch_interrupts();
      work(*options);
    });
    return action;
  };
  add("list", "Tell what they are and whether they are here", list)
      ->add_flag("--json", options->json, "Print them as JSON");
  add("verify", "Compare the files here with the known checksums", verify);
  add("path", "Print the path of each file", path);
  CLI::App* rows =
      add("task", "Print the rows of the paper's task as CSV, in the order of a run", task);
  rows->get_option("names")->required()->expected(1)->description("Data set");
  rows->add_option("--seed", options->seed, "Seed of the run, which decides the order")
      ->check(whole_number(0))
      ->capture_default_str();
}

}  // namespace plumbline::cli

// `plumbline datasets`: the paper's ten data sets.

#include "cli/datasets.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <sha2.h>

#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "plumbline/core/error.h"
#include "plumbline/core/options.h"
#include "plumbline/streams/source.h"

namespace plumbline::cli {

const std::vector<DataSet>& data_sets() {
  static const std::vector<DataSet> table{
      {"landsat", 6435, 36, 6, "941117f79c9aed0a60d4e28cc81690c82b27cc48dfca18014e41d6b0bdbf729d",
       50, "UCI Statlog Landsat satellite, band values", "class 3 against class 0, 626 rows each",
       "--positive 3", "https://archive.ics.uci.edu/dataset/146/statlog+landsat+satellite"},
      {"splice", 3175, 60, 3, "2eddfd740f0e38f6b543e32ad544b586f5b16c76782f5a5980fee4e9bd770619",
       50, "UCI splice junctions, nucleotides as numbers 1 to 4",
       "class 0 against class 2, 762 rows each", "--positive 0",
       "https://archive.ics.uci.edu/dataset/69/molecular+biology+splice+junction+gene+sequences"},
      {"musk2", 6598, 166, 2, "ee6c14e6c1badd618c31123360fba438bba93b45889d4b193376dc80deb08c50",
       50, "UCI Musk version 2, standardised", "class 1 against class 0, 1017 rows each", "",
       "https://archive.ics.uci.edu/dataset/75/musk+version+2"},
      {"krvskp", 3196, 36, 2, "04ad4499683a544a6f4d7546a64e9b8fc3c97f214626af02df615d18352085e9",
       50, "UCI chess, king-rook against king-pawn, values as numbers",
       "class 1 against class 0, 1527 rows each", "",
       "https://archive.ics.uci.edu/dataset/22/chess+king+rook+vs+king+pawn"},
      {"waveform", 5000, 40, 3, "54f49e9650fb911f0cf501dc4831997da82cf5f27907a0065bb020b734e4ab04",
       50, "UCI waveform with 19 features of noise", "class 1 against class 0, 1653 rows each",
       "--positive 1",
       "https://archive.ics.uci.edu/dataset/108/waveform+database+generator+version+2"},
      {"spambase", 4601, 57, 2, "5911e2b8cc1288c4912e6b9e5a087a37af1b90c279dc20df07e0ab2f10cb4d1c",
       50, "UCI Spambase, standardised", "class 1 against class 0, 1813 rows each", "",
       "https://archive.ics.uci.edu/dataset/94/spambase"},
      {"mushroom", 8124, 21, 2, "14f9ba6158f647588355c3edadc26103c2a7c74594f56ea0d0c640dbc92c1b54",
       50, "UCI Mushroom without stalk-root, values as numbers, standardised",
       "class 1 against class 0, 3916 rows each", "",
       "https://archive.ics.uci.edu/dataset/73/mushroom"},
      {"weather", 18159, 8, 2, "ce5fc97387a2f33dbd123907a1fda99633d6d5d7f6cafe96fae2d6027edd8763",
       100, "NOAA weather at Offutt air base, will it rain, in the order of time",
       "all rows in their order", "", "https://www.openml.org/search?type=data&q=weather+nebraska"},
      {"electricity", 45312, 8, 2,
       "7ef051dd44af76145913e3e4582ce181c1e605da09eedd2300e881665dd72db8", 100,
       "Elec2, normalised, will the price fall, in the order of time", "all rows in their order",
       "", "https://www.openml.org/d/151"},
      {"forest", 581012, 54, 7, "3e051768d10cea8e7799c8d6fc4b87760b7786c1696c2e223dfb91d91794683b",
       100, "UCI Covertype, in its original order",
       "class 2 against the rest, all rows in their order", "--positive 2",
       "https://archive.ics.uci.edu/dataset/31/covertype"},
  };
  return table;
}

std::string data_folder(const std::string& given) {
  if (!given.empty()) return given;
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (!variable("PLUMBLINE_DATA").empty()) return variable("PLUMBLINE_DATA");
  std::error_code ignored;
  if (std::filesystem::is_directory("data", ignored)) return "data";
  const std::string xdg = variable("XDG_DATA_HOME");
  return (xdg.empty() ? variable("HOME") + "/.local/share" : xdg) + "/plumbline";
}

std::optional<std::string> find_data_set(const DataSet& set, const std::string& folder) {
  for (const char* ending : {".csv", ".csv.gz", ".csv.zst"}) {
    const std::string path = (std::filesystem::path(folder) / (set.name + ending)).string();
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) return path;
  }
  return std::nullopt;
}

namespace {

struct DatasetsOptions {
  std::string data;
  std::vector<std::string> names;
  bool json = false;
};

// Those that are named, or all.
std::vector<DataSet> chosen(const std::vector<std::string>& names) {
  if (names.empty()) return data_sets();
  std::vector<std::string> known;
  for (const DataSet& set : data_sets()) known.push_back(set.name);
  std::vector<DataSet> sets;
  for (const std::string& name : names) {
    const auto found = std::find_if(data_sets().begin(), data_sets().end(),
                                    [&](const DataSet& set) { return set.name == name; });
    if (found == data_sets().end()) refuse_name("data set", name, known);
    sets.push_back(*found);
  }
  return sets;
}

std::string how_to_get(const DataSet& set, const std::string& folder) {
  return fmt::format(
      "'{}' is not in '{}'. A public copy of the data is at {} . "
      "Save it as {}/{}.csv with a header, the {} features as numbers and the label as the last "
      "column, or say where it is: --data DIR or PLUMBLINE_DATA=DIR.",
      set.name, folder, set.url, folder, set.name, set.features);
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
                      {"what", set.what},
                      {"task", set.task},
                      {"options", set.options},
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
        set.what, set.task, set.batch);
    text += path ? fmt::format("             plumbline run {} --batch {}{}\n", *path, set.batch,
                               set.options.empty() ? "" : " " + set.options)
                 : fmt::format("             {}\n", set.url);
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
      fmt::print(stderr, "plumbline: {}\n", how_to_get(set, folder));
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

}  // namespace

void add_datasets(CLI::App& program) {
  CLI::App* verb =
      program.add_subcommand("datasets", "The paper's ten data sets: list, verify, path");
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
}

}  // namespace plumbline::cli

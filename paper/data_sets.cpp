#include "paper/data_sets.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "plumbline/options.h"

namespace plumbline::paper {

const std::vector<DataSet>& data_sets() {
  static const std::vector<DataSet> table{
      {"landsat", 6435, 36, 6, "941117f79c9aed0a60d4e28cc81690c82b27cc48dfca18014e41d6b0bdbf729d",
       50, true, "3", "0", "UCI Statlog Landsat satellite, band values",
       "https://archive.ics.uci.edu/dataset/146/statlog+landsat+satellite"},
      {"splice", 3175, 60, 3, "2eddfd740f0e38f6b543e32ad544b586f5b16c76782f5a5980fee4e9bd770619",
       50, true, "0", "2", "UCI splice junctions, nucleotides as numbers 1 to 4",
       "https://archive.ics.uci.edu/dataset/69/molecular+biology+splice+junction+gene+sequences"},
      {"musk2", 6598, 166, 2, "ee6c14e6c1badd618c31123360fba438bba93b45889d4b193376dc80deb08c50",
       50, true, "1", "0", "UCI Musk version 2, standardised",
       "https://archive.ics.uci.edu/dataset/75/musk+version+2"},
      {"krvskp", 3196, 36, 2, "04ad4499683a544a6f4d7546a64e9b8fc3c97f214626af02df615d18352085e9",
       50, true, "1", "0", "UCI chess, king-rook against king-pawn, values as numbers",
       "https://archive.ics.uci.edu/dataset/22/chess+king+rook+vs+king+pawn"},
      {"waveform", 5000, 40, 3, "54f49e9650fb911f0cf501dc4831997da82cf5f27907a0065bb020b734e4ab04",
       50, true, "1", "", "UCI waveform with 19 features of noise",
       "https://archive.ics.uci.edu/dataset/108/waveform+database+generator+version+2"},
      {"spambase", 4601, 57, 2, "5911e2b8cc1288c4912e6b9e5a087a37af1b90c279dc20df07e0ab2f10cb4d1c",
       50, true, "1", "0", "UCI Spambase, standardised",
       "https://archive.ics.uci.edu/dataset/94/spambase"},
      {"mushroom", 8124, 21, 2, "14f9ba6158f647588355c3edadc26103c2a7c74594f56ea0d0c640dbc92c1b54",
       50, true, "1", "0", "UCI Mushroom without stalk-root, values as numbers, standardised",
       "https://archive.ics.uci.edu/dataset/73/mushroom"},
      {"weather", 18159, 8, 2, "ce5fc97387a2f33dbd123907a1fda99633d6d5d7f6cafe96fae2d6027edd8763",
       100, false, "1", "0", "NOAA weather at Offutt air base, will it rain, in the order of time",
       "https://www.openml.org/search?type=data&q=weather+nebraska"},
      {"electricity", 45312, 8, 2,
       "7ef051dd44af76145913e3e4582ce181c1e605da09eedd2300e881665dd72db8", 100, false, "1", "0",
       "Elec2, normalised, will the price fall, in the order of time",
       "https://www.openml.org/d/151"},
      {"forest", 581012, 54, 7, "3e051768d10cea8e7799c8d6fc4b87760b7786c1696c2e223dfb91d91794683b",
       100, false, "2", "", "UCI Covertype, in its original order",
       "https://archive.ics.uci.edu/dataset/31/covertype"},
  };
  return table;
}

const DataSet& data_set(const std::string& name) {
  std::vector<std::string> names;
  for (const DataSet& set : data_sets()) {
    if (set.name == name) return set;
    names.push_back(set.name);
  }
  refuse_name("data set", name, names);
}

std::string task_text(const DataSet& set) {
  const std::string classes =
      set.negative.empty() ? fmt::format("class {} against the rest, ", set.positive)
      : set.classes > 2    ? fmt::format("class {} against class {}, ", set.positive, set.negative)
                           : "";
  return classes + (set.stationary ? "balanced, shuffled for each run" : "all rows in their order");
}

std::string run_options(const DataSet& set) {
  return set.classes > 2 ? "--positive " + set.positive : "";
}

std::string data_folder(const std::string& requested) {
  if (!requested.empty()) return requested;
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

std::string how_to_get(const DataSet& set, const std::string& folder) {
  return fmt::format(
      "'{}' is not in '{}'. A public copy of the data is at {} . "
      "Save it as {}/{}.csv with a header, the {} features as numbers and the label as the last "
      "column, or say where it is: --data DIR or PLUMBLINE_DATA=DIR.",
      set.name, folder, set.url, folder, set.name, set.features);
}

}  // namespace plumbline::paper

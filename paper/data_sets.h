// The paper's ten data sets: what they are, which task the paper made of them, where they are looked
// for, and how a copy is checked.
//
// The paper names the data sets and their sizes (appendix B), not the tasks. The sizes show that
// classes were paired and balanced; which classes, and which rows were kept, is the reading that
// fits the published numbers best (docs/paper.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace plumbline::paper {

struct DataSet {
  std::string name;
  std::size_t rows, features, classes;
  std::string csv_sha256;  // of the unpacked file
  std::size_t batch;       // rows of a minibatch in the paper
  bool stationary;         // balanced, and shuffled for each run; else all rows in their order
  std::string positive;    // the class with label 1
  std::string negative;    // the class with label 0; empty for all others
  std::string what;
  std::string url;  // of a public copy of the data
};

const std::vector<DataSet>& data_sets();
// Throws a configuration error for a name that none has.
const DataSet& data_set(const std::string& name);

// The task in words: "class 3 against class 0, balanced, shuffled for each run".
std::string task_text(const DataSet& set);
// What `plumbline run` needs besides the file: "--positive 3", or nothing.
std::string run_options(const DataSet& set);

// Where data sets are looked for: `given`, else $PLUMBLINE_DATA, else ./data if it is there, else
// plumbline/ in the user's XDG data folder.
std::string data_folder(const std::string& given);

// The file of a data set (NAME.csv, .csv.gz or .csv.zst) in a folder, if it is there.
std::optional<std::string> find_data_set(const DataSet& set, const std::string& folder);
// What to do about one that is not.
std::string how_to_get(const DataSet& set, const std::string& folder);

}  // namespace plumbline::paper

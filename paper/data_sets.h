// The paper's ten data sets: their description, the paper's task, their location, and their checksums.
//
// The paper gives the names and sizes of the data sets (appendix B), not the tasks. The sizes show that
// classes were paired and balanced. The choice of classes and rows is the interpretation that fits the
// published numbers best (docs/paper.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace plumbline::paper {

struct DataSet {
  std::string name;
  std::size_t rows, features, classes;
  std::string csv_sha256;  // of the unpacked file
  std::size_t batch;       // rows per minibatch in the paper
  bool stationary;         // balanced, and shuffled for each run; otherwise all rows in their order
  std::string positive;    // the class with label 1
  std::string negative;    // the class with label 0; empty for all others
  std::string what;
  std::string url;  // of a public copy of the data
};

const std::vector<DataSet>& data_sets();
// Throws a configuration error for an unknown name.
const DataSet& data_set(const std::string& name);

// The task in words: "class 3 against class 0, balanced, shuffled for each run".
std::string task_text(const DataSet& set);
// The options of `plumbline run` for the task, besides the file: "--positive 3", or nothing.
std::string run_options(const DataSet& set);

// The folder of the data sets: `requested` unless empty, or $PLUMBLINE_DATA, or ./data if it exists, or
// plumbline/ in the user's XDG data folder.
std::string data_folder(const std::string& requested);

// The file of a data set (NAME.csv, .csv.gz or .csv.zst) in a folder, if it exists.
std::optional<std::string> find_data_set(const DataSet& set, const std::string& folder);
// Instructions for obtaining a missing data set.
std::string how_to_get(const DataSet& set, const std::string& folder);

}  // namespace plumbline::paper

// The paper's ten data sets: what they are, where they are looked for, and how a copy is checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace plumbline::cli {

struct DataSet {
  std::string name;
  std::size_t rows, features, classes;
  std::string csv_sha256;  // of the unpacked file
  std::size_t batch;       // rows of a minibatch in the paper
  std::string what;
  std::string task;     // the paper's, as far as it can be told
  std::string options;  // what `plumbline run` needs besides the file
  std::string url;      // of a public copy of the data
};

const std::vector<DataSet>& data_sets();

// Where data sets are looked for: `given`, else $PLUMBLINE_DATA, else ./data if it is there, else
// plumbline/ in the user's XDG data folder.
std::string data_folder(const std::string& given);

// The file of a data set (NAME.csv, .csv.gz or .csv.zst) in a folder, if it is there.
std::optional<std::string> find_data_set(const DataSet& set, const std::string& folder);

}  // namespace plumbline::cli

// A user's choices about the columns of a stream, and how columns are referred to: by name, or counted from 1
// (from -1 backwards).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace plumbline {

struct ColumnChoices {
  std::string label{};      // the last column if empty
  std::string positive{};   // this value against all others; the larger of two values if empty
  bool multiclass = false;  // several classes, even if no third one is among the first rows
  // All classes, in their order; those among the first rows if empty. Two of them are the negative and
  // the positive class, unless `multiclass`.
  std::vector<std::string> classes{};
  std::vector<std::string> categorical{}, numeric{}, ignore{};
  std::vector<std::string>
      missing{};  // texts that stand for a missing number, besides the usual ones
};

// The index of each column that is referred to. Throws a configuration error if there is none.
std::vector<std::size_t> find_columns(const std::vector<std::string>& references,
                                      const std::vector<std::string>& names);
std::size_t find_column(const std::string& reference, const std::vector<std::string>& names);

}  // namespace plumbline

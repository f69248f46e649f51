// What the columns of a stream are: the features' names, the label's name and its values: two of them,
// or the names of several classes.
//
// A model is made for one schema and carries it in its file, so that data of another shape is
// refused instead of being misread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plumbline/base/utf8.h"  // all names are UTF-8

namespace plumbline {

struct Schema {
  std::vector<std::string> features;
  std::string label = "label";
  std::string negative = "0";
  std::string positive = "1";
  // Of a label that is not one of two values but one of these; a label is the place in the list.
  std::vector<std::string> classes{};

  // `count` numeric features named x1, x2, …
  static Schema numeric(std::size_t count);

  std::size_t size() const { return features.size(); }
  bool operator==(const Schema&) const = default;
};

// As many as a label can tell apart.
inline constexpr std::size_t kMostClasses = 256;

// Throws a configuration error for a schema without features, or with names that are not valid UTF-8
// or stand for two features or two classes: they would not survive in a model file.
void check(const Schema& schema);

}  // namespace plumbline

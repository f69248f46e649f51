// What the columns of a stream are: the features' names, the label's name and its values: two of them,
// or the names of several classes.
//
// A model is made for one schema and carries it in its file, so that data of another shape is
// refused instead of being misread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plumbline/api.h"

PLUMBLINE_BEGIN_NAMESPACE

// The features that a learner is made for.
struct FeatureSpace {
  // NOLINTNEXTLINE(google-explicit-constructor): dense features are their number.
  FeatureSpace(std::size_t features, bool are_sparse = false)
      : count(features), sparse(are_sparse) {}

  std::size_t count;
  bool sparse;  // see Schema::sparse
};

struct Schema {
  std::vector<std::string> features;
  std::string label = "label";
  std::string negative = "0";
  std::string positive = "1";
  // Of a label that is not one of two values but one of these; a label is the index in the list.
  std::vector<std::string> classes{};
  // Rows have few of the features, and a feature that a row lacks is absent, not 0 (plumbline/batch.h).
  bool sparse = false;

  // `count` numeric features named x1, x2, …
  static Schema numeric(std::size_t count);

  std::size_t size() const { return features.size(); }
  // NOLINTNEXTLINE(google-explicit-constructor): a schema is its features, with names.
  operator FeatureSpace() const { return {features.size(), sparse}; }
  bool operator==(const Schema&) const = default;
};

// As many as a label can tell apart.
inline constexpr std::size_t kMostClasses = 256;

// Throws a configuration error for a schema without features, or with names that are not valid UTF-8
// or stand for two features or two classes: they would not survive in a model file.
void check(const Schema& schema);

PLUMBLINE_END_NAMESPACE

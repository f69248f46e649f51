// The schema of a stream: the names of the features, the name of the label, and its values (two, or
// the names of several classes).
//
// A model is made for one schema, which its file contains, so that data of another shape is refused
// instead of being misread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plumbline/api.h"
#include "plumbline/score_input.h"

PLUMBLINE_BEGIN_NAMESPACE

// The number and kind of the features that a learner is made for.
struct FeatureSpace {
  // NOLINTNEXTLINE(google-explicit-constructor): a number alone means dense features.
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
  // The classes of a multiclass label, which is an index into this list; empty for a binary label.
  std::vector<std::string> classes{};
  // Scores of other models: they go to the calibrator as they are and are no features. Two classes only.
  struct Score {
    std::string name;
    ScoreInput input = ScoreInput::probability;
    bool operator==(const Score&) const = default;
  };
  std::vector<Score> scores{};
  // True if rows list few of the features; the others are absent, not 0 (plumbline/batch.h).
  bool sparse = false;

  // `count` numeric features named x1, x2, …
  static Schema numeric(std::size_t count);

  std::size_t size() const { return features.size(); }
  // NOLINTNEXTLINE(google-explicit-constructor): a schema is a feature space with names.
  operator FeatureSpace() const { return {features.size(), sparse}; }
  bool operator==(const Schema&) const = default;
};

// The number of values of a Label.
inline constexpr std::size_t kMostClasses = 256;

// Throws a configuration error for a schema without features, for names that are not valid UTF-8, for names that two
// features, two scores or two classes share (model files cannot represent them), and for scores of several classes.
void check_schema(const Schema& schema);

PLUMBLINE_END_NAMESPACE

// The options of every verb that decides: misclassification costs, and undersampling of the stream.
#pragma once

#include <optional>
#include <string>

#include "cli/options/verb.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_costs.h"

namespace plumbline::cli {

struct CostOptions {
  std::optional<double> false_positive, false_negative;
  std::string false_positive_column, false_negative_column;
  double negatives_kept = 1;

  // True if any cost was given; only then are decisions made.
  bool any() const;
  // Empty if no cost was given.
  std::optional<RowCosts::Options> of_rows() const;
};

// `learns` is true for a verb that makes a model; columns of costs are not features of it.
void add_cost_options(Verb& verb, CostOptions& options, bool learns);

// The choices for a new model, in which columns of costs are not features unless --numeric or --categorical
// names them. Throws a configuration error if the file lacks a column, or if one is the label.
ColumnChoices without_costs(const ColumnChoices& choices, const CostOptions& options,
                            const Stream& reader);

// Throws a configuration error if costs or --negatives-kept are given for a label with more than two
// classes.
void check_two_classes(const CostOptions& options, const Schema& schema);

}  // namespace plumbline::cli

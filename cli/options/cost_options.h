// The options of every verb that decides: what wrong decisions cost, and what was left out of the stream.
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

  // Whether any cost was given, so that there is something to decide.
  bool given() const;
  // Nothing unless they were given.
  std::optional<RowCosts::Options> of_rows() const;
};

// `learns`: the verb makes a model, of which a column of costs is no feature.
void add_cost_options(Verb& verb, CostOptions& options, bool learns);

// The choices for a new model: columns of costs are no features, unless --numeric or --categorical
// names them. Throws a configuration error if the file has none of that name, or if one is the label.
ColumnChoices without_costs(const ColumnChoices& choices, const CostOptions& options,
                            const Stream& reader);

// Costs are about two classes: throws a configuration error if they, or --negatives-kept, are given for
// a label that has several.
void check_two_classes(const CostOptions& options, const Schema& schema);

}  // namespace plumbline::cli

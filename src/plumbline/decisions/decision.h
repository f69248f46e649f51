// From a probability to a decision: the one with the lower expected cost (Elkan, "The foundations of
// cost-sensitive learning", 2001). Saying yes costs (1 - p) false_positive on average, saying no
// costs p false_negative; so yes is decided where
//   p false_negative > (1 - p) false_positive,
// which is p > false_positive/(false_positive + false_negative). A tie is no, also where both costs are 0.
// No other rule has a lower expected cost if the probabilities are right. Cost: O(1).
//
// `Confusion` counts how decisions turned out, and has the usual rates:
//   recall             TP/(TP + FN)     of the positives, how many were found
//   precision          TP/(TP + FP)     of the alarms, how many were right
//   F1                 2 TP/(2 TP + FP + FN), the harmonic mean of the two
//   balanced accuracy  the mean of recall and TN/(TN + FP)
// A rate whose divisor is 0 has no value.
#pragma once

#include <optional>

#include "plumbline/data/batch.h"
#include "plumbline/data/costs.h"

namespace plumbline {

bool decide(double probability, const Costs& costs);
// The cost of a decision, given the label.
double cost_of(bool decision, Label label, const Costs& costs);
// The cost of the cheapest decision, given the label.
double decision_cost(double probability, Label label, const Costs& costs);

struct Confusion {
  double true_positives = 0, false_positives = 0, true_negatives = 0, false_negatives = 0;

  // A weight of -1 takes an example back.
  void add(bool decision, Label label, double weight = 1);

  double total() const;
  std::optional<double> recall() const;
  std::optional<double> precision() const;
  std::optional<double> f1() const;
  std::optional<double> balanced_accuracy() const;
};

}  // namespace plumbline

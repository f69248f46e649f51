// Chooses the rows that are worth a label, when only a share b of them may get one (Config::label_budget, label_choice).
// With the number s of labels that may be asked for now (model/budget.h), and the rank r of the row's uncertainty, the
// entropy of its predicted classes, among those of the last 200 rows (policies/rank_window.h), a label is asked for if
//   s >= 1 and r >= 1 - b s.
// At s = 1 that is a share b of the rows, and with more saved it is less choosy, as after a drift, when predictions
// become less certain. Every third row, chosen at random, draws r at random instead (`random`: every row does), so that each
// region has a chance of a label, as in the strategies with randomization of Žliobaitė, Bifet, Pfahringer & Holmes, "Active
// learning with drifting streaming data", IEEE TNNLS 2014. Their threshold of uncertainty moves by a factor with each
// row; a rank needs no such step and uses the budget exactly.
//
// The choice depends on predictions and not on labels, so that P(label | prediction) of the rows that are learned is that
// of all rows, and calibrators learn from all of them. Their share of positives is not that of all rows: it is estimated
// from the rows whose r was drawn at random.
// Cost per row: a comparison for each row of the window.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/config.h"
#include "plumbline/model/budget.h"
#include "plumbline/policies/rank_window.h"

namespace plumbline::inline v0 {

class LabelBudget {
 public:
  enum class Ask : std::uint8_t { no, chosen, at_random };

  LabelBudget(double share, LabelChoice choice, std::uint64_t seed);

  bool limited() const { return budget_.limited(); }
  // The number of rows so far, and of those with a label.
  std::uint64_t rows() const { return rows_; }
  // Decides on the next row, given its predicted probabilities: that of the positive class, or of each class.
  Ask next(std::span<const double> probabilities);
  // Decides on the next rows, each with `outputs` probabilities; 1 for those whose labels are asked for.
  void next(std::span<const double> probabilities, std::size_t outputs,
            std::vector<std::uint8_t>& asked);

  void archive(Archive& archive);

 private:
  Budget budget_;
  LabelChoice choice_;
  std::uint64_t seed_;
  RankWindow window_;
  std::uint64_t rows_ = 0;
};

}  // namespace plumbline::inline v0

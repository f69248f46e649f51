// The scores, traces (calibrator.h) and probabilities of predicted rows whose labels are not known yet, oldest first. A
// calibrator has to learn from the scores as they were predicted: those of the label history, or of a learner that
// forgets fast, are much better when the labels of the rows just before are known.
#pragma once

#include <cstddef>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/data/queue.h"
#include "plumbline/data/score_table.h"

namespace plumbline::inline v0 {

class KeptScores {
 public:
  // The numbers of columns of the score table and of the trace.
  KeptScores(std::size_t scores, std::size_t trace) : scores_(scores), trace_(trace) {}

  std::size_t rows() const { return numbers_.size() / width(); }
  // Adds a row of the table and of the trace, and its probability.
  void keep(const Scores& scores, std::span<const double> trace, std::size_t row,
            double probability);
  // Removes the oldest rows and writes their scores, trace and probabilities.
  void take(std::size_t rows, ScoreTable& table, std::vector<double>& trace,
            std::vector<double>& probabilities);

  // The caller knows the number of rows.
  void archive(Archive& archive, std::size_t rows);

 private:
  std::size_t width() const { return scores_ + trace_ + 1; }

  std::size_t scores_, trace_;
  Queue<double> numbers_;  // row after row: the scores, the trace, the probability
};

}  // namespace plumbline::inline v0

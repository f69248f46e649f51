#include "plumbline/learner.h"
#include "plumbline/learners/one_by_one.h"

namespace plumbline::inline v0 {

void RowLearner::learn(const Examples& examples, std::size_t i, double weight,
                       Weighting weighting) {
  if (weight == 0) return;
  if (weighting == Weighting::importance) return learn(examples.x.row(i), examples.y[i], weight);
  for (double k = 0; k < weight; ++k) learn(examples.x.row(i), examples.y[i], 1);
}

void RowLearner::learn_each(const Examples& examples, std::span<const double> weights,
                            const LearnMode& mode, std::span<Label> votes) {
  learn_one_by_one(
      examples.size(), mode.correctness, votes,
      [&](std::size_t i) { return margin(examples.x.row(i)); },
      [&](std::size_t i) { learn(examples, i, weights[i], mode.weighting); });
}

void RowLearner::learn_batch(const Examples& examples, std::span<const double> weights,
                             Weighting weighting) {
  for (std::size_t i = 0; i < examples.size(); ++i) learn(examples, i, weights[i], weighting);
}

void RowLearner::margins(const Batch& batch, std::span<double> margins) const {
  for (std::size_t i = 0; i < batch.rows; ++i) margins[i] = margin(batch.row(i));
}

}  // namespace plumbline::inline v0

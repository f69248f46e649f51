#include "tests/ensemble/adaboost.h"

#include <algorithm>

#include "plumbline/ensemble/online_boost.h"
#include "plumbline/learners/one_by_one.h"

namespace plumbline {

AdaBoost::AdaBoost(std::size_t size, const MakeLearner& make_learner, const Examples& examples,
                   double error_floor) {
  std::vector<double> lambda(examples.size(), 1.0), margins(examples.size());
  for (std::size_t t = 0; t < size; ++t) {
    learners_.push_back(make_learner());
    learners_.back()->learn_batch(examples, lambda, Weighting::importance);
    learners_.back()->margins(examples.x, margins);

    double wrong = 0, total = 0;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      total += lambda[i];
      if (predicted_class(margins[i]) != examples.y[i]) wrong += lambda[i];
    }
    const double eps = total == 0 ? 0.5 : std::clamp(wrong / total, error_floor, 1 - error_floor);
    for (std::size_t i = 0; i < examples.size(); ++i) {
      lambda[i] /= 2 * (predicted_class(margins[i]) == examples.y[i] ? 1 - eps : eps);
    }
    errors_.push_back(eps);
  }
}

void AdaBoost::scores(const Batch& batch, ScoreKind kind, std::span<double> scores) const {
  std::vector<double> margins(batch.rows);
  VoteTally votes;
  votes.begin(batch.rows, NegativeVotes::keep);
  for (std::size_t t = 0; t < learners_.size(); ++t) {
    learners_[t]->margins(batch, margins);
    votes.add(vote_weight(errors_[t]), margins);
  }
  for (std::size_t i = 0; i < batch.rows; ++i) scores[i] = votes.score(i, kind);
}

}  // namespace plumbline

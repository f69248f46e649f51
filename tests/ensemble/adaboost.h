// Batch AdaBoost with a fixed number of learners (the paper's Algorithm 5, appendix A), as the
// reference that OnlineBoost with a lossless learner approaches as the stream grows.
//
// For t = 1..T: fit h_t to all examples with weights lambda(i); eps_t = its weighted error;
// beta_t = 1/2 ln((1 - eps_t)/eps_t); lambda(i) *= e^{-y_i beta_t h_t(x_i)} / Z_t. With
// Z_t = 2(1 - eps_t)/e^{beta_t} this is lambda/(2(1 - eps_t)) if right and lambda/(2 eps_t) if
// wrong. Votes are reported as ln((1 - eps_t)/eps_t), as everywhere else in this library; the
// factor 1/2 changes no decision and no vote fraction. It holds all examples: not for streams.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "plumbline/ensemble/online_boost.h"
#include "plumbline/ensemble/scores.h"
#include "plumbline/learner.h"

namespace plumbline {

class AdaBoost {
 public:
  using MakeLearner = std::function<std::unique_ptr<Learner>()>;
  AdaBoost(std::size_t size, const MakeLearner& make_learner, const Examples& examples,
           double error_floor = 1e-10);

  // eps_t of each learner.
  const std::vector<double>& errors() const { return errors_; }
  void scores(const Batch& batch, ScoreKind kind, std::span<double> scores) const;

 private:
  std::vector<std::unique_ptr<Learner>> learners_;
  std::vector<double> errors_;
};

}  // namespace plumbline

// The weights of experts that each predict a probability; the prediction is their weighted average.
//
// For each example, with the losses l_k = -ln p_k(y) of the experts' predictions and their prior weights u_k:
//   v_k <- v_k e^(-rate l_k) / sum_j v_j e^(-rate l_j)     (initially u_k)
//   v_k <- (1 - share) v_k + share u_k                     (fixed share: Herbster & Warmuth, 1998)
// With rate 1, if each example is predicted after the one before has been learned, the total log-loss of the average
// after n examples is at most that of expert k plus ln(1/u_k) + n ln(1/(1 - share)): Bayes' rule, with the share as the
// price of following a change. Cost: O(experts) per example.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "plumbline/archive.h"

namespace plumbline::inline v0 {

class ExpertWeights {
 public:
  // The prior weights sum to 1.
  ExpertWeights(std::vector<double> prior, double rate, double share);

  std::size_t size() const { return weights_.size(); }
  // v, which sums to 1.
  std::span<const double> weights() const { return weights_; }
  void learn(std::span<const double> losses);
  void archive(Archive& archive);

 private:
  std::vector<double> prior_;
  double rate_, share_;
  std::vector<double> weights_;
};

}  // namespace plumbline::inline v0

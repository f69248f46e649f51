// Temperature scaling (Guo et al. 2017) of the coupled probabilities of several classes, learned online:
//
//   q_k = p_k^w / sum_l p_l^w,   w = 1/T.
//
// Coupled probabilities of calibrated binary models are not calibrated themselves but mostly
// underconfident; one parameter corrects that. After each example with class y, w moves to the minimum of
//   A/2 (v - w)^2 - ln q_y(v)
// (an implicit Newton step), and A, initially 50, grows by the curvature of -ln q_y there: the variance
// of ln p_k under q. w stays in [1/20, 20], and p at or above 1e-15. Cost: O(K) per example.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "plumbline/archive.h"

namespace plumbline::inline v0 {

class Temperature {
 public:
  double value() const { return w_; }

  // Scales the probabilities of one example in place.
  void apply(std::span<double> probabilities) const;
  // Learns from one example: its probabilities before `apply`, and the index of its class.
  void learn(std::span<const double> probabilities, std::size_t y);
  void archive(Archive& archive);

 private:
  double w_ = 1;
  double curvature_ = 50;

  std::vector<double> logs_;  // scratch for learn()
};

}  // namespace plumbline::inline v0

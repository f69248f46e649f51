// The last step of a model of several classes: one number w that makes coupled probabilities more or
// less sure, learned online.
//
//   q_k = p_k^w / sum_l p_l^w
//
// Normalised answers of calibrated binary models are not calibrated themselves but mostly too cautious;
// w = 1/T of temperature scaling (Guo et al. 2017) mends that with one parameter. After each example with class y, w moves to the minimum of
//   A/2 (v - w)^2 - ln q_y(v)
// (an implicit Newton step), and A, 50 at first, grows by the curvature of -ln q_y there: the variance
// of ln p_k under q. w stays in [1/20, 20], and ln p above that of 1e-15. Cost: a few K per example.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "plumbline/archive.h"

namespace plumbline::inline v0 {

class Temperature {
 public:
  double value() const { return w_; }

  // In place, of one example.
  void apply(std::span<double> probabilities) const;
  // From one example: its probabilities before `apply`, and the place of its class.
  void learn(std::span<const double> probabilities, std::size_t y);
  void archive(Archive& archive);

 private:
  double w_ = 1;
  double curvature_ = 50;

  std::vector<double> logs_;  // scratch of learn
};

}  // namespace plumbline::inline v0

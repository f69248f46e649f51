// A sigmoid of all scores: p = 1/(1 + e^{-(b + sum_k a_k z_k)}), z_k = ln(s_k/(1 - s_k)).
//
// (a, b) is learned by one online Newton step per example, with forgetting (online_newton.h), starting
// from (1/K, …, 1/K, 0), the geometric mean of the odds, or from the last score. It learns the scale and the weight of each
// score together (stacking: Wolpert 1992; the scores are out-of-sample, as the model calibrates before
// it trains). With one score it is `platt_newton`. Scores are clamped to [1e-6, 1 - 1e-6].
// Memory: d^2 + d numbers for d = K + 1, at most 22 scores. Cost: O(d^2) per example.
#pragma once

#include <array>
#include <cstddef>

#include "plumbline/calibrators/newton_calibrator.h"

namespace plumbline::inline v0 {

// z_1, …, z_K and 1 for the weights (a, b).
struct StackInputs {
  std::size_t columns;
  std::array<double, OnlineNewton::kMaxWeights> operator()(const Scores& scores,
                                                           std::size_t row) const;
};
extern template class NewtonCalibrator<StackInputs>;

class Stack : public NewtonCalibrator<StackInputs> {
 public:
  using Params = NewtonParams;

  // Further columns are ignored.
  static constexpr std::size_t kMaxColumns = OnlineNewton::kMaxWeights - 1;

  enum class Start { even, last };

  Stack(const Params& params, std::size_t columns, Start start = Start::even);
  std::size_t columns_used() const override { return columns_; }

 private:
  std::size_t columns_;
};

}  // namespace plumbline::inline v0

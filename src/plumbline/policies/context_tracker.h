// The context of a round (plumbline/policy.h), from the predictions and actions so far:
//   since calibration   r/(r + 10), where r is the number of rounds since the last calibration
//   calibration error   sum |G_b| / sum N_b over 10 bins of equal width: N_b counts the predictions
//                       in bin b, G_b sums p - y; both decay by 0.95 each round
//   loss trend          (F - S)/(F + S), where F and S are averages of the loss that decay by 0.8 and
//                       0.98 each round; 0 if both are 0
//   drift               1 or -1 when ADWIN (policies/adwin.h, delta = 0.002) detects a higher or lower
//                       level of l/(1 + l), l the log-loss of each example; decays by 0.9 each round.
//                       Means of minibatches would not work: ADWIN allows for values anywhere in
//                       [0, 1], so that hundreds of similar means seldom trigger it
// A round's own predictions are counted before its action is chosen, since their labels are available
// then. The state has a fixed size. Cost: O(log examples) per example, for ADWIN.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "plumbline/batch.h"
#include "plumbline/policies/adwin.h"
#include "plumbline/policy.h"

namespace plumbline::inline v0 {

class ContextTracker {
 public:
  ContextTracker() : adwin_(Adwin::Params{}) {}

  // Begins a round, with its predictions, their labels and their mean loss.
  void observe(std::span<const double> probabilities, std::span<const Label> labels, double loss);
  // Ends the round; `calibrated` is true if the calibrator learned.
  void acted(bool calibrated) { since_ = calibrated ? 0 : since_ + 1; }

  // The context of the current round.
  const Context& context() const { return context_; }
  void archive(Archive& archive);

 private:
  static constexpr std::size_t kBins = 10;

  double calibration_error(std::span<const double> probabilities, std::span<const Label> labels);
  double loss_trend(double loss);
  double drift(std::span<const double> probabilities, std::span<const Label> labels);

  Context context_{};
  std::uint64_t since_ = 0;
  std::array<double, kBins> count_{};
  std::array<double, kBins> gap_{};
  bool begun_ = false;  // true after the first round
  double fast_ = 0, slow_ = 0;
  Adwin adwin_;
};

}  // namespace plumbline::inline v0

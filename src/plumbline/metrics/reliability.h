// The reliability curve, and the expected calibration error, which summarises it.
//
// Predictions are assigned to equally wide bins of [0, 1]. The points of the curve are the mean
// prediction and the share of positives of each bin, which agree for a calibrated forecaster. The error
// is ECE = sum_b (n_b/n) |mean_b - rate_b|, over all predictions (`window` = 0) or over the last
// `window` of them, which are stored and binned again for each value.
#pragma once

#include "plumbline/metrics.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class Reliability : public Metric {
 public:
  struct Params {
    std::int64_t bins = 15;
    std::int64_t window = 0;
    void visit(OptionVisitor& visitor);
  };

  explicit Reliability(const Params& params);

  std::optional<double> value() const override;
  std::vector<Bin> bins() const override;
  void archive(Archive& archive) override;

 protected:
  void add(std::span<const double> probabilities, std::span<const Label> labels) override;

 private:
  // Counts and sums per bin.
  struct Counts {
    explicit Counts(std::size_t bins) : count(bins), positives(bins), probability_sum(bins) {}
    void add(double probability, std::uint64_t label);

    std::vector<std::uint64_t> count, positives;
    std::vector<double> probability_sum;
  };

  Counts counts_;  // without a window
  std::uint64_t seen_ = 0;
  std::vector<double> recent_;  // with a window: example i is at index i mod window
  std::vector<std::uint64_t> recent_label_;
};

}  // namespace plumbline::inline v0

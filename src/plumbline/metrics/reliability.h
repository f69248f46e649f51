// The reliability curve, and the expected calibration error that sums it up.
//
// Predictions fall into equally wide bins of [0, 1]. A bin's mean prediction against its share of
// positives is a point of the curve; for a calibrated forecaster the two agree. The error is
// ECE = sum_b (n_b/n) |mean_b - rate_b|. Over all predictions (`window` = 0), or over the last
// `window` of them, which are kept and binned anew for each value.
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
  // What is known of each bin.
  struct Counts {
    explicit Counts(std::size_t bins) : count(bins), positives(bins), probability_sum(bins) {}
    void add(double probability, std::uint64_t label);

    std::vector<std::uint64_t> count, positives;
    std::vector<double> probability_sum;
  };

  Counts counts_;  // without a window
  std::uint64_t seen_ = 0;
  std::vector<double> recent_;  // with one: example i is at i mod window
  std::vector<std::uint64_t> recent_label_;
};

}  // namespace plumbline::inline v0

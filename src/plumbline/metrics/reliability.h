// The reliability curve, and the expected calibration error that sums it up.
//
// Predictions fall into equally wide bins of [0, 1]. A bin's mean prediction against its share of
// positives is a point of the curve; for a calibrated forecaster the two agree. The error is
// ECE = sum_b (n_b/n) |mean_b - rate_b|.
#pragma once

#include "plumbline/core/options.h"
#include "plumbline/metrics/metric.h"

namespace plumbline {

// The bin of [0, 1], cut into `bins` equal parts, that holds a probability; 1 is in the last one.
std::size_t bin_of(double probability, std::size_t bins);

class Reliability : public Metric {
 public:
  struct Params {
    std::int64_t bins = 15;
    void visit(OptionVisitor& visitor);
  };

  explicit Reliability(const Params& params);

  void observe(std::span<const double> probabilities, std::span<const Label> labels) override;
  std::optional<double> value() const override;
  std::vector<Bin> bins() const override;
  void archive(Archive& archive) override;

 private:
  std::vector<std::uint64_t> count_, positives_;
  std::vector<double> probability_sum_;
};

}  // namespace plumbline

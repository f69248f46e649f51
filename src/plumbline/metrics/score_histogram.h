// The histogram of scores in `bins` equal parts of [0, 1] (the paper's figure 1, bottom).
// It accepts scores or probabilities, and has bins but no value.
#pragma once

#include "plumbline/metrics/reliability.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class ScoreHistogram : public Metric {
 public:
  using Params = Reliability::Params;

  explicit ScoreHistogram(const Params& params) : bins_(params) {}

  std::optional<double> value() const override { return std::nullopt; }
  std::vector<Bin> bins() const override { return bins_.bins(); }
  void archive(Archive& archive) override { bins_.archive(archive); }

 protected:
  void add(std::span<const double> scores, std::span<const Label> labels) override {
    bins_.observe(scores, labels);
  }

 private:
  Reliability bins_;
};

}  // namespace plumbline::inline v0

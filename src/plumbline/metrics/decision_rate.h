// Rates of the decisions of lowest expected cost (plumbline/decisions.h): `precision`, `recall`, `f1` and
// `balanced_accuracy`, over all decisions (`window` = 0) or the last `window` of them. With the default
// costs of 1 and 1, the decision is positive if p > 1/2.
// There is no value if the divisor is 0: recall needs a positive, precision an alarm.
// Memory: four counts, and the window. Cost: O(1) per example.
#pragma once

#include "plumbline/batch.h"
#include "plumbline/decisions.h"
#include "plumbline/metrics.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class DecisionRate : public Metric {
 public:
  using Rate = std::optional<double> (Confusion::*)() const;

  struct Params {
    Rate rate = &Confusion::recall;  // set by the registry row
    std::int64_t window = 0;
    Costs costs{};
    void visit(OptionVisitor& visitor);
  };

  explicit DecisionRate(const Params& params);

  std::optional<double> value() const override { return (counts_.*params_.rate)(); }
  void archive(Archive& archive) override;

 protected:
  void add(std::span<const double> probabilities, std::span<const Label> labels) override;

 private:
  Params params_;
  std::uint64_t seen_ = 0;
  Confusion counts_;
  std::vector<std::uint64_t> recent_;  // 2 decision + label; example i is at index i mod window
};

}  // namespace plumbline::inline v0

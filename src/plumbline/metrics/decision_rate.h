// How the cheapest decisions turn out (plumbline/decisions.h): `precision`, `recall`, `f1` and
// `balanced_accuracy`, of all decisions (`window` = 0) or of the last `window` of them. With the costs as
// they are unless given, 1 and 1, positive is decided where p > 1/2.
// No value where the divisor is 0: a recall needs a positive, a precision an alarm.
// Memory: four counts, and the window. Cost: O(1) for each example.
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
  std::vector<std::uint64_t> recent_;  // 2 decision + label; example i is at i mod window
};

}  // namespace plumbline::inline v0

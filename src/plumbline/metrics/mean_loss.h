// The mean of a loss over all predictions (`window` = 0) or over the last `window` of them:
// `log_loss`, `brier`, `accuracy` (the positive class is predicted if p > 1/2), and `cost` (of the
// decisions of lowest expected cost).
// Memory: three numbers, or the window. A window is summed again for each value, so that rounding
// errors do not accumulate.
#pragma once

#include "plumbline/batch.h"
#include "plumbline/metrics.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class MeanLoss : public Metric {
 public:
  enum class Of { log_loss, brier, accuracy, cost };

  struct Params {
    Of of = Of::log_loss;  // set by the registry row
    std::int64_t window = 0;
    Costs costs{};  // used by `cost` only
    void visit(OptionVisitor& visitor);
  };

  explicit MeanLoss(const Params& params);

  std::optional<double> value() const override;
  void archive(Archive& archive) override;

 protected:
  void add(std::span<const double> probabilities, std::span<const Label> labels) override;

 private:
  double loss(double probability, Label label) const;

  Params params_;
  std::uint64_t count_ = 0;
  double sum_ = 0;              // without a window
  std::vector<double> recent_;  // with a window: example i is at index i mod window
};

}  // namespace plumbline::inline v0

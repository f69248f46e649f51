// Metrics of the baseline "always the last label" (metrics/last_label.h) for two classes: `last_label_log_loss`,
// `last_label_accuracy`, and `kappa_temporal`, which compares the decisions at p > 1/2 with it. Labels become known
// after each `batch` examples, however these are divided among the calls of `observe`.
#pragma once

#include "plumbline/batch.h"
#include "plumbline/metrics.h"
#include "plumbline/metrics/last_label.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class LastLabelMetric : public Metric {
 public:
  enum class Of { log_loss, accuracy, kappa_temporal };

  struct Params {
    Of of = Of::log_loss;  // set by the registry row
    std::int64_t batch = 1;
    void visit(OptionVisitor& visitor);
  };

  explicit LastLabelMetric(const Params& params) : params_(params) {}

  std::optional<double> value() const override;
  void archive(Archive& archive) override;

 protected:
  void add(std::span<const double> probabilities, std::span<const Label> labels) override;

 private:
  Params params_;
  std::uint64_t right_ = 0;  // of the decisions
  LastLabel baseline_;
};

}  // namespace plumbline::inline v0

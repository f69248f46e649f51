#include "plumbline/metrics/last_label_metric.h"

#include "plumbline/decisions.h"

namespace plumbline::inline v0 {

void LastLabelMetric::Params::visit(OptionVisitor& visitor) {
  visitor.integer("batch", batch, Range::closed(1, 1e6),
                  "examples per minibatch; their labels become known at its end");
}

void LastLabelMetric::add(std::span<const double> probabilities, std::span<const Label> labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    right_ += decide(probabilities[i], Costs{}) == (labels[i] != 0) ? 1 : 0;
    baseline_.test(labels[i]);
    if (baseline_.hidden() == static_cast<std::size_t>(params_.batch)) {
      baseline_.reveal(baseline_.hidden());
    }
  }
}

std::optional<double> LastLabelMetric::value() const {
  if (baseline_.examples() == 0) return std::nullopt;
  switch (params_.of) {
    case Of::log_loss:
      return baseline_.log_loss();
    case Of::accuracy:
      return baseline_.accuracy();
    case Of::kappa_temporal:
      break;
  }
  return kappa_temporal(static_cast<double>(right_) / static_cast<double>(baseline_.examples()),
                        baseline_.accuracy());
}

void LastLabelMetric::archive(Archive& archive) {
  archive.value("right", right_);
  archive.scope("last_label", [&](Archive& inner) { baseline_.archive(inner); });
}

}  // namespace plumbline::inline v0

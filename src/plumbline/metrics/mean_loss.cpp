#include "plumbline/metrics/mean_loss.h"

#include <algorithm>
#include <numeric>

#include "plumbline/decisions.h"
#include "plumbline/math/loss.h"

namespace plumbline::inline v0 {

void MeanLoss::Params::visit(OptionVisitor& visitor) {
  visitor.integer("window", window, Range::closed(0, 1e8),
                  "mean over this many latest examples; 0 means all");
  if (of == Of::cost) costs.visit(visitor);
}

MeanLoss::MeanLoss(const Params& params)
    : params_(params), recent_(static_cast<std::size_t>(params.window)) {}

double MeanLoss::loss(double probability, Label label) const {
  switch (params_.of) {
    case Of::log_loss:
      return log_loss(probability, label);
    case Of::brier:
      return brier(probability, label);
    case Of::accuracy:
      return 1 - decision_cost(probability, label, Costs{});
    case Of::cost:
      return decision_cost(probability, label, params_.costs);
  }
  return 0;
}

void MeanLoss::add(std::span<const double> probabilities, std::span<const Label> labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double value = loss(probabilities[i], labels[i]);
    if (recent_.empty()) {
      sum_ += value;
    } else {
      recent_[count_ % recent_.size()] = value;
    }
    ++count_;
  }
}

std::optional<double> MeanLoss::value() const {
  if (count_ == 0) return std::nullopt;
  if (recent_.empty()) return sum_ / static_cast<double>(count_);
  const auto filled = std::min<std::uint64_t>(count_, recent_.size());
  const auto end = recent_.begin() + static_cast<std::ptrdiff_t>(filled);
  return std::accumulate(recent_.begin(), end, 0.0) / static_cast<double>(filled);
}

void MeanLoss::archive(Archive& archive) {
  archive.value("count", count_);
  archive.value("sum", sum_);
  archive.values("recent", recent_);
  archive.require_within("sum", {&sum_, 1}, 0, kMaxState);
  archive.require_within("recent", recent_, 0, kMaxState);
}

}  // namespace plumbline::inline v0

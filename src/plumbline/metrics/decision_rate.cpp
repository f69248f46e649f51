#include "plumbline/metrics/decision_rate.h"

namespace plumbline::inline v0 {

void DecisionRate::Params::visit(OptionVisitor& visitor) {
  visitor.integer("window", window, Range::closed(0, 1e8),
                  "over this many latest examples; 0 means all");
  costs.visit(visitor);
}

DecisionRate::DecisionRate(const Params& params)
    : params_(params), recent_(static_cast<std::size_t>(params.window)) {}

void DecisionRate::add(std::span<const double> probabilities, std::span<const Label> labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool decision = decide(probabilities[i], params_.costs);
    counts_.add(decision, labels[i]);
    if (!recent_.empty()) {
      std::uint64_t& oldest = recent_[seen_ % recent_.size()];
      if (seen_ >= recent_.size()) counts_.add(oldest >= 2, oldest % 2, -1);
      oldest = (decision ? 2u : 0u) + labels[i];
    }
    ++seen_;
  }
}

void DecisionRate::archive(Archive& archive) {
  const auto count = [&](const char* name, double& value) {
    archive.value(name, value);
    archive.require_within(name, {&value, 1}, 0, kMaxState);
  };
  archive.value("seen", seen_);
  count("true_positives", counts_.true_positives);
  count("false_positives", counts_.false_positives);
  count("true_negatives", counts_.true_negatives);
  count("false_negatives", counts_.false_negatives);
  archive.values("recent", recent_);
}

}  // namespace plumbline::inline v0

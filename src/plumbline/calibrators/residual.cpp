#include "plumbline/calibrators/residual.h"

#include <algorithm>
#include <cmath>

#include "plumbline/data/score_table.h"
#include "plumbline/math/unit_bins.h"

namespace plumbline::inline v0 {
namespace {

// More examples than any stream has.
constexpr double kMaxSum = 1e18;
// Smaller sums become 0; denormal numbers would be slow.
constexpr double kNegligibleVariance = 1e-100;

}  // namespace

void Residual::Params::visit(OptionVisitor& visitor) {
  visitor.integer("knots", knots, Range::closed(2, 1000), "number of knots");
  visitor.real("forgetting", forgetting, Range::closed(0.5, 1),
               "share of the past kept with each example; 1 forgets nothing");
  visitor.real("shrinkage", shrinkage, Range::closed(0.001, 1e6),
               "strength of the prior; larger values need more examples to move a knot from 0");
}

Residual::Residual(const Params& params)
    : params_(params), missed_(static_cast<std::size_t>(params.knots)), variance_(missed_.size()) {}

Residual::Position Residual::position(double score) const {
  const std::size_t gaps = missed_.size() - 1;
  // Outer knots are half a gap inside, in the middle of the outer bins.
  const double at = std::clamp(arcsine_scale(score) * static_cast<double>(gaps + 1) - 0.5, 0.0,
                               static_cast<double>(gaps));
  const std::size_t left = std::min(static_cast<std::size_t>(at), gaps - 1);
  return {left, at - static_cast<double>(left)};
}

double Residual::correction(std::size_t knot) const {
  return std::clamp(missed_[knot] / (params_.shrinkage + variance_[knot]), -1.0, 1.0);
}

void Residual::discount() {
  for (std::size_t k = 0; k < missed_.size(); ++k) {
    const double factor = variance_[k] < kNegligibleVariance ? 0 : params_.forgetting;
    missed_[k] *= factor;
    variance_[k] *= factor;
  }
}

void Residual::calibrate(std::span<const double> scores, std::span<const Label> labels) {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    discount();
    const double q = clipped_score(scores[i]);
    const auto [left, share] = position(q);
    const double missed = labels[i] - q, variance = q * (1 - q);
    missed_[left] += (1 - share) * missed;
    variance_[left] += (1 - share) * variance;
    missed_[left + 1] += share * missed;
    variance_[left + 1] += share * variance;
  }
  fitted_ = true;
}

void Residual::apply(std::span<const double> scores, std::span<double> probabilities) const {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!fitted_) {
      probabilities[i] = scores[i];
      continue;
    }
    const auto [left, share] = position(clipped_score(scores[i]));
    const double moved = (1 - share) * correction(left) + share * correction(left + 1);
    // Not `sigmoid`, which rounds differently below 0 and would change the predictions of saved models.
    probabilities[i] = 1 / (1 + std::exp(-(score_logit(scores[i]) + moved)));
  }
}

void Residual::archive(Archive& archive) {
  archive.values("missed", missed_);
  archive.values("variance", variance_);
  archive.value("fitted", fitted_);
  archive.require_within("missed", missed_, -kMaxSum, kMaxSum);
  archive.require_within("variance", variance_, 0, kMaxSum);
}

}  // namespace plumbline::inline v0

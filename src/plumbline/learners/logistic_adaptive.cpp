#include "plumbline/learners/logistic_adaptive.h"

#include <algorithm>
#include <cmath>

#include "plumbline/learners/logistic_adaptive_limits.h"
#include "plumbline/learners/one_by_one.h"
#include "plumbline/math/implicit_step.h"

namespace plumbline::inline v0 {
void LogisticAdaptive::Params::visit(OptionVisitor& visitor) {
  visitor.real("ridge", ridge, Range::closed(1e-3, 1e6),
               "strength of the pull of weights to 0, in examples' worth of curvature");
  visitor.real("forgetting", forgetting, Range::closed(0.5, 1),
               "share of the past kept with each example; 1 forgets nothing");
  visitor.real("clip", clip, Range::closed(0.1, 1e6),
               "largest number of standard deviations that a feature counts for");
  visitor.real(
      "reach", reach, Range::closed(0, 1e6),
      "standardized values are kept within this many deviations of the mean of those "
      "learned from, which avoids extrapolation along columns that count up; 0 sets no limit");
  visitor.choice(
      "link", link, {{"logistic", Link::logistic}, {"learned", Link::learned}},
      "learned corrects probabilities that differ from the frequencies of the labels, as "
      "where some labels are wrong");
}

LogisticAdaptive::LogisticAdaptive(const Params& params, FeatureSpace features)
    : params_(params), intercept_variance_(kInterceptVariance) {
  grow(features.count);
}

double LogisticAdaptive::standardised(std::size_t j, double value) const {
  return kept_within((value - mean_[j]) * inverse_deviation_[j], low_[j], high_[j]);
}

double LogisticAdaptive::margin(Row x) const {
  double sum = intercept_;
  for (std::size_t j = 0; j < x.size(); ++j) sum += weights_[j] * standardised(j, x[j]);
  return sum;
}

void LogisticAdaptive::refresh() {
  const double count = count_, least = count_ * kLeastVariance;
  const double* const squares = squares_.data();
  double* const inverse_deviation = inverse_deviation_.data();
  for (std::size_t j = 0; j < squares_.size(); ++j) {
    const double deviation = std::sqrt(count / std::max(squares[j], least));
    inverse_deviation[j] = squares[j] > least ? deviation : 0;
  }
}

void LogisticAdaptive::refresh_bounds() {
  if (params_.reach == 0) return;
  const double share = 1 / std::max(count_, 1.0), reach = params_.reach, clip = params_.clip;
  const double* const mean = learned_mean_.data();
  const double* const squares = learned_squares_.data();
  double* const low = low_.data();
  double* const high = high_.data();
  for (std::size_t j = 0; j < learned_mean_.size(); ++j) {
    const Bounds bounds = learned_bounds(mean[j], squares[j], share, reach, clip);
    low[j] = bounds.low;
    high[j] = bounds.high;
  }
}

void LogisticAdaptive::count(Row x) {
  count_ += 1;
  const double share = 1 / count_;
  double* const mean = mean_.data();
  double* const squares = squares_.data();
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double delta = x[j] - mean[j];
    mean[j] += delta * share;
    squares[j] = std::min(squares[j] + delta * (x[j] - mean[j]), kMaxState);
  }
  refresh();
  double* const z = z_.data();
  const double* const inverse_deviation = inverse_deviation_.data();
  for (std::size_t j = 0; j < x.size(); ++j) z[j] = (x[j] - mean[j]) * inverse_deviation[j];
  if (params_.reach > 0) count_standardised();
}

void LogisticAdaptive::count_standardised() {
  const double share = 1 / count_;
  const double* const z = z_.data();
  double* const mean = learned_mean_.data();
  double* const squares = learned_squares_.data();
  for (std::size_t j = 0; j < z_.size(); ++j) count_learned(z[j], share, mean[j], squares[j]);
  refresh_bounds();
}

void LogisticAdaptive::learn(Row x, Label y, double weight) {
  count(x);
  if (weight == 0) return;
  double margin = intercept_;
  intercept_variance_ = std::min(intercept_variance_ / params_.forgetting, kInterceptVariance);
  double gain = intercept_variance_;
  const double inverse_forgetting = 1 / params_.forgetting, most = 1 / params_.ridge;
  const double* const low = low_.data();
  const double* const high = high_.data();
  double* const weights = weights_.data();
  double* const variance = variance_.data();
  double* const z = z_.data();
  for (std::size_t j = 0; j < x.size(); ++j) {
    z[j] = kept_within(z[j], low[j], high[j]);
    variance[j] = std::min(variance[j] * inverse_forgetting, most);
  }
  for (std::size_t j = 0; j < x.size(); ++j) {
    margin += weights[j] * z[j];
    gain += variance[j] * z[j] * z[j];
  }
  if (params_.link == Link::learned) link_.learn(margin, y, weight);
  const auto [residual, curvature] = logistic_point(implicit_margin(margin, weight * gain, y), y);
  const double step = weight * residual, information = weight * curvature;
  intercept_ = bounded_weight(intercept_ + step * intercept_variance_);
  intercept_variance_ /= 1 + information * intercept_variance_;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double along = variance[j] * z[j];
    weights[j] = bounded_weight(weights[j] + step * along);
    variance[j] /= 1 + information * along * z[j];
  }
}

void LogisticAdaptive::learn_each(const Examples& examples, std::span<const double> weights,
                                  const LearnMode& mode, std::span<Label> votes) {
  learn_one_by_one(
      examples.size(), mode.correctness, votes,
      [&](std::size_t i) {
        const double linear = margin(examples.x.row(i));
        return params_.link == Link::learned ? link_.corrected(linear) : linear;
      },
      [&](std::size_t i) { learn(examples.x.row(i), examples.y[i], weights[i]); });
}

void LogisticAdaptive::learn_batch(const Examples& examples, std::span<const double> weights,
                                   Weighting) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    learn(examples.x.row(i), examples.y[i], weights[i]);
  }
}

void LogisticAdaptive::margins(const Batch& batch, std::span<double> margins) const {
  for (std::size_t i = 0; i < batch.rows; ++i) margins[i] = margin(batch.row(i));
  if (params_.link == Link::logistic) return;
  for (double& margin : margins) margin = link_.corrected(margin);
}

// The state of a feature that was always 0: its moments are 0, and its weight never moved.
void LogisticAdaptive::grow(std::size_t features) {
  mean_.resize(features);
  squares_.resize(features);
  weights_.resize(features);
  variance_.resize(features, 1 / params_.ridge);
  inverse_deviation_.resize(features);
  low_.resize(features, -params_.clip);
  high_.resize(features, params_.clip);
  if (params_.reach > 0) {
    learned_mean_.resize(features);
    learned_squares_.resize(features);
  }
  refresh_bounds();
  z_.resize(features);
}

void LogisticAdaptive::archive(Archive& archive) {
  archive.value("count", count_);
  archive.values("mean", mean_);
  archive.values("squares", squares_);
  if (params_.reach > 0) {
    archive.values("learned_mean", learned_mean_);
    archive.values("learned_squares", learned_squares_);
  }
  archive.values("weights", weights_);
  archive.values("variance", variance_);
  archive.value("intercept", intercept_);
  archive.value("intercept_variance", intercept_variance_);
  if (params_.link == Link::learned) link_.archive(archive);
  if (!archive.loading()) return;
  archive.require_within("count", {&count_, 1}, 0, 0x1p62);
  archive.require_within("mean", mean_, -kMaxMagnitude, kMaxMagnitude);
  archive.require_within("squares", squares_, 0, kMaxState);
  archive.require_within("learned_mean", learned_mean_, -kMaxMagnitude, kMaxMagnitude);
  archive.require_within("learned_squares", learned_squares_, 0, kMaxState);
  archive.require_within("weights", weights_, -kMaxWeight, kMaxWeight);
  archive.require_within("variance", variance_, 0, 1 / params_.ridge);
  archive.require_within("intercept", {&intercept_, 1}, -kMaxWeight, kMaxWeight);
  archive.require_within("intercept_variance", {&intercept_variance_, 1}, 0, kInterceptVariance);
  refresh();
  refresh_bounds();
}

}  // namespace plumbline::inline v0

#include "plumbline/learners/sparse_logistic_adaptive.h"

#include <algorithm>
#include <cmath>

#include "plumbline/learners/logistic_adaptive_limits.h"
#include "plumbline/learners/one_by_one.h"
#include "plumbline/math/implicit_step.h"

namespace plumbline::inline v0 {

SparseLogisticAdaptive::SparseLogisticAdaptive(const LogisticAdaptive::Params& params,
                                               FeatureSpace features)
    : params_(params), intercept_variance_(kInterceptVariance) {
  grow(features.count);
}

double SparseLogisticAdaptive::scale(std::size_t j) const {
  const double* const feature = numbers_.data() + kNumbers * j;
  if (feature[kSquares] <= feature[kCount] * kLeastVariance) return 0;
  return std::sqrt(feature[kCount] / feature[kSquares]);
}

Bounds SparseLogisticAdaptive::bounds(std::size_t j) const {
  if (params_.reach == 0) return {-params_.clip, params_.clip};
  const double* const learned = learned_.data() + kLearned * j;
  const double share = 1 / (numbers_[kNumbers * j + kCount] + 1);
  return learned_bounds(learned[0], learned[1], share, params_.reach, params_.clip);
}

double SparseLogisticAdaptive::scaled(std::size_t j, double value) const {
  const auto [low, high] = bounds(j);
  return std::clamp(value * scale(j), low, high);
}

double SparseLogisticAdaptive::margin(Row x) const {
  for (const Entry& entry : x) {
    __builtin_prefetch(numbers_.data() + kNumbers * entry.feature);
    if (params_.reach > 0) __builtin_prefetch(learned_.data() + kLearned * entry.feature);
  }
  double sum = intercept_;
  for (const auto& [j, value] : x) sum += numbers_[kNumbers * j + kWeight] * scaled(j, value);
  return learns_link() ? link_.corrected(sum) : sum;
}

void SparseLogisticAdaptive::count(Row x) {
  for (const auto& [j, value] : x) {
    double* const feature = numbers_.data() + kNumbers * j;
    feature[kCount] += 1;
    feature[kSquares] = std::min(feature[kSquares] + value * value, kMaxState);
    if (params_.reach == 0) continue;
    double* const learned = learned_.data() + kLearned * j;
    count_learned(value * scale(j), 1 / (feature[kCount] + 1), learned[0], learned[1]);
  }
}

void SparseLogisticAdaptive::learn(Row x, Label y, double weight) {
  count(x);
  if (weight == 0) return;
  const double inverse_forgetting = 1 / params_.forgetting, most = 1 / params_.ridge;
  intercept_variance_ = std::min(intercept_variance_ * inverse_forgetting, kInterceptVariance);
  double margin = intercept_, gain = intercept_variance_;
  z_.resize(std::max(z_.size(), x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    double* const feature = numbers_.data() + kNumbers * x[i].feature;
    const double z = z_[i] = scaled(x[i].feature, x[i].value);
    feature[kVariance] = std::min(feature[kVariance] * inverse_forgetting, most);
    margin += feature[kWeight] * z;
    gain += feature[kVariance] * z * z;
  }
  if (learns_link()) link_.learn(margin, y, weight);
  const auto [residual, curvature] = logistic_point(implicit_margin(margin, weight * gain, y), y);
  const double step = weight * residual, information = weight * curvature;
  intercept_ = bounded_weight(intercept_ + step * intercept_variance_);
  intercept_variance_ /= 1 + information * intercept_variance_;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double* const feature = numbers_.data() + kNumbers * x[i].feature;
    const double along = feature[kVariance] * z_[i];
    feature[kWeight] = bounded_weight(feature[kWeight] + step * along);
    feature[kVariance] /= 1 + information * along * z_[i];
  }
}

void SparseLogisticAdaptive::learn_each(const Examples& examples, std::span<const double> weights,
                                        const LearnMode& mode, std::span<Label> votes) {
  learn_one_by_one(
      examples.size(), mode.correctness, votes,
      [&](std::size_t i) { return margin(examples.x.sparse_row(i)); },
      [&](std::size_t i) { learn(examples.x.sparse_row(i), examples.y[i], weights[i]); });
}

void SparseLogisticAdaptive::learn_batch(const Examples& examples, std::span<const double> weights,
                                         Weighting) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    learn(examples.x.sparse_row(i), examples.y[i], weights[i]);
  }
}

void SparseLogisticAdaptive::margins(const Batch& batch, std::span<double> margins) const {
  for (std::size_t i = 0; i < batch.rows; ++i) margins[i] = margin(batch.sparse_row(i));
}

void SparseLogisticAdaptive::grow(std::size_t features) {
  const std::size_t first = numbers_.size() / kNumbers;
  numbers_.resize(kNumbers * features);
  for (std::size_t j = first; j < features; ++j) {
    numbers_[kNumbers * j + kVariance] = 1 / params_.ridge;
  }
  if (params_.reach > 0) learned_.resize(kLearned * features);
}

void SparseLogisticAdaptive::archive(Archive& archive) {
  archive.values("features", numbers_, numbers_.size() / kNumbers);
  if (params_.reach > 0) archive.values("learned", learned_, learned_.size() / kLearned);
  archive.value("intercept", intercept_);
  archive.value("intercept_variance", intercept_variance_);
  if (learns_link()) link_.archive(archive);
  if (!archive.loading()) return;
  for (std::size_t at = 0; at < numbers_.size(); at += kNumbers) {
    archive.require_within("features", {&numbers_[at + kCount], 1}, 0, 0x1p62);
    archive.require_within("features", {&numbers_[at + kSquares], 1}, 0, kMaxState);
    archive.require_within("features", {&numbers_[at + kWeight], 1}, -kMaxWeight, kMaxWeight);
    archive.require_within("features", {&numbers_[at + kVariance], 1}, 0, 1 / params_.ridge);
  }
  for (std::size_t at = 0; at < learned_.size(); at += kLearned) {
    archive.require_within("learned", {&learned_[at], 1}, -kMaxMagnitude, kMaxMagnitude);
    archive.require_within("learned", {&learned_[at + 1], 1}, 0, kMaxState);
  }
  archive.require_within("intercept", {&intercept_, 1}, -kMaxWeight, kMaxWeight);
  archive.require_within("intercept_variance", {&intercept_variance_, 1}, 0, kInterceptVariance);
}

}  // namespace plumbline::inline v0

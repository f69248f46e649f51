#include "plumbline/learners/gaussian_nb.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "plumbline/kernels/gaussian_nb_limits.h"
#include "plumbline/learners/one_by_one.h"
#include "plumbline/math/portable_math.h"

namespace plumbline::inline v0 {
namespace {

struct Moments {
  double weight = 0;
  double mean = 0;
  double variance = 0;
};

// The moments of the union of two samples.
Moments merge(const Moments& a, const Moments& b) {
  const double weight = a.weight + b.weight;
  const double share = b.weight / weight;
  const double delta = b.mean - a.mean;
  return {weight, a.mean + share * delta,
          (1 - share) * (a.variance + share * delta * delta) + share * b.variance};
}

// Population variance of one column, as numpy computes it.
double column_variance(const Batch& x, std::size_t j) {
  const auto n = static_cast<double>(x.rows);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < x.rows; ++i) sum += x.row(i)[j];
  for (std::size_t i = 0; i < x.rows; ++i) {
    const double delta = x.row(i)[j] - sum / n;
    squares += delta * delta / n;
  }
  return squares;
}

}  // namespace

void GaussianNb::Params::visit(OptionVisitor& visitor) {
  visitor.real("variance_floor", variance_floor, Range::closed(1e-100, 1e100),
               "smallest variance of a feature within a class");
  visitor.real("relative_floor", relative_floor, Range::closed(0, 1),
               "smallest variance as a share of the feature's variance over both classes");
  visitor.real("var_smoothing", var_smoothing, Range::closed(0, 1),
               "share of the largest feature variance that a whole-minibatch update adds");
}

GaussianNb::GaussianNb(const Params& params, FeatureSpace features)
    : params_(params),
      features_(features.count),
      state_(features.count),
      floor_(features.count, 1),
      precision_(2 * features.count) {
  refresh();
}

std::span<double> GaussianNb::of_class(std::vector<double>& values, std::size_t c) const {
  return std::span(values).subspan(c * features_, features_);
}

std::span<const double> GaussianNb::of_class(const std::vector<double>& values,
                                             std::size_t c) const {
  return std::span(values).subspan(c * features_, features_);
}

void GaussianNb::refresh() {
  refresh_floors();
  refresh_class(0);
  refresh_class(1);
  refresh_ratio();
}

void GaussianNb::refresh_floors() {
  if (params_.relative_floor == 0) return;
  const double share =
      state_.weight[1] > 0 ? state_.weight[1] / (state_.weight[0] + state_.weight[1]) : 0;
  const double* const mean = state_.mean.data();
  const double* const variance = state_.variance.data();
  for (std::size_t j = 0; j < features_; ++j) {
    const double delta = mean[features_ + j] - mean[j];
    const double total =
        (1 - share) * (variance[j] + share * delta * delta) + share * variance[features_ + j];
    floor_[j] = std::max(1.0, params_.relative_floor * total / params_.variance_floor);
  }
}

// One logarithm serves many features: of the ratios of their variances to `variance_floor`, exponents are
// added and mantissas, each in [1, 2), multiplied. Features that were always 0 have a ratio of exactly 1
// and do not change the result.
void GaussianNb::refresh_class(std::size_t c) {
  const auto variance = of_class(state_.variance, c);
  const auto precision = of_class(precision_, c);
  const double inverse_floor = 1 / params_.variance_floor;
  double mantissa = 1, exponent = 0;
  for (std::size_t from = 0; from < features_; from += kernels::kMostFactors) {
    const std::size_t end = std::min(from + kernels::kMostFactors, features_);
    std::uint64_t exponents = 0;
    const auto split = [&](double factor) {
      const auto bits = std::bit_cast<std::uint64_t>(factor);
      exponents += bits >> kExponentShift;
      return std::bit_cast<double>((bits & kMantissaBits) | kOneBits);
    };
    for (std::size_t j = from; j < end; ++j) {
      const double ratio = std::max(variance[j] * inverse_floor, floor_[j]);
      precision[j] = inverse_floor / ratio;
      mantissa *= split(ratio);
    }
    mantissa = split(mantissa);
    exponent += static_cast<double>(exponents) - 1023.0 * static_cast<double>(end - from + 1);
  }
  mantissa_[c] = mantissa;
  exponent_[c] = exponent;
}

void GaussianNb::refresh_ratio() {
  const auto bounded = [](double weight) {
    return std::clamp(weight, kernels::kLeastWeight, kernels::kMostWeight);
  };
  const double w0 = bounded(state_.weight[0]), w1 = bounded(state_.weight[1]);
  const double logarithm = portable_log(((w1 * w1) * mantissa_[0]) / ((w0 * w0) * mantissa_[1]));
  log_ratio_ = 0.5 * (logarithm + (exponent_[0] - exponent_[1]) * std::numbers::ln2);
}

void GaussianNb::merge_example(Row x, Label y, double weight) {
  if (weight == 0) return;
  const auto mean = of_class(state_.mean, y);
  const auto variance = of_class(state_.variance, y);
  state_.weight[y] += weight;
  const double share = weight / state_.weight[y];
  for (std::size_t j = 0; j < features_; ++j) {
    const double delta = x[j] - mean[j];
    mean[j] += share * delta;
    variance[j] = (1 - share) * (variance[j] + share * delta * delta);
  }
}

void GaussianNb::learn(Row x, Label y, double weight) {
  if (weight == 0) return;
  merge_example(x, y, weight);
  if (params_.relative_floor > 0) {
    refresh();  // with a relative floor, the density of each class depends on the moments of both
  } else {
    refresh_class(y);
    refresh_ratio();
  }
}

void GaussianNb::learn_each(const Examples& examples, std::span<const double> weights,
                            const LearnMode& mode, std::span<Label> votes) {
  if (mode.correctness == Correctness::before_batch) {
    for (std::size_t i = 0; i < examples.size(); ++i) {
      merge_example(examples.x.row(i), examples.y[i], weights[i]);
    }
    refresh();
    return;
  }
  learn_one_by_one(
      examples.size(), mode.correctness, votes,
      [&](std::size_t i) { return margin(examples.x.row(i)); },
      [&](std::size_t i) { learn(examples.x.row(i), examples.y[i], weights[i]); });
}

void GaussianNb::learn_batch(const Examples& examples, std::span<const double> weights, Weighting) {
  if (examples.size() == 0) return;
  double largest = 0;
  for (std::size_t j = 0; j < features_; ++j) {
    largest = std::max(largest, column_variance(examples.x, j));
  }
  const double smoothing = params_.var_smoothing * largest;

  for (std::size_t c = 0; c < 2; ++c) {
    double batch_weight = 0;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      if (examples.y[i] == c) batch_weight += weights[i];
    }
    if (batch_weight == 0) continue;
    const auto mean = of_class(state_.mean, c);
    const auto variance = of_class(state_.variance, c);
    for (std::size_t j = 0; j < features_; ++j) {
      Moments batch{batch_weight, 0, 0};
      for (std::size_t i = 0; i < examples.size(); ++i) {
        if (examples.y[i] == c) batch.mean += weights[i] / batch_weight * examples.x.row(i)[j];
      }
      for (std::size_t i = 0; i < examples.size(); ++i) {
        const double delta = examples.x.row(i)[j] - batch.mean;
        if (examples.y[i] == c) batch.variance += weights[i] / batch_weight * delta * delta;
      }
      const Moments past{state_.weight[c], mean[j], variance[j] - smoothing};
      const Moments both = state_.weight[c] > 0 ? merge(past, batch) : batch;
      mean[j] = both.mean;
      variance[j] = both.variance + smoothing;
    }
    state_.weight[c] += batch_weight;
  }
  refresh();
}

double GaussianNb::margin(Row x) const {
  if (state_.weight[0] == 0 || state_.weight[1] == 0) {
    return state_.weight[1] > 0 ? 1 : state_.weight[0] > 0 ? -1 : 0;
  }
  const double* const mean = state_.mean.data();
  const double* const precision = precision_.data();
  double distance = 0;  // distance from class 0 minus that from class 1
  for (std::size_t j = 0; j < features_; ++j) {
    const double from_0 = x[j] - mean[j], from_1 = x[j] - mean[features_ + j];
    distance += std::min(from_0 * from_0 * precision[j], kernels::kMaxDistance) -
                std::min(from_1 * from_1 * precision[features_ + j], kernels::kMaxDistance);
  }
  return log_ratio_ + 0.5 * distance;
}

void GaussianNb::margins(const Batch& batch, std::span<double> margins) const {
  for (std::size_t i = 0; i < batch.rows; ++i) margins[i] = margin(batch.row(i));
}

// A feature that was always 0 has mean 0 and variance 0 in both classes.
void GaussianNb::grow(std::size_t features) {
  for (std::vector<double>* values : {&state_.mean, &state_.variance}) {
    std::vector<double> wider(2 * features);
    for (std::size_t c = 0; c < 2; ++c) {
      std::ranges::copy(of_class(std::as_const(*values), c),
                        wider.begin() + static_cast<std::ptrdiff_t>(c * features));
    }
    *values = std::move(wider);
  }
  floor_.resize(features, 1);
  precision_.resize(2 * features);
  features_ = features;
  refresh();
}

void GaussianNb::State::archive(Archive& archive) {
  archive.values("weight", weight);
  archive.values("mean", mean, 2);
  archive.values("variance", variance, 2);
  archive.require_within("weight", weight, 0, kMaxState);
  archive.require_within("mean", mean, -kMaxMagnitude, kMaxMagnitude);
  archive.require_within("variance", variance, 0, kMaxState);
}

void GaussianNb::archive(Archive& archive) {
  state_.archive(archive);
  if (archive.loading()) refresh();
}

}  // namespace plumbline::inline v0

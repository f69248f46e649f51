#include "plumbline/learners/gaussian_nb.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace plumbline {
namespace {

// Keeps a sum over features finite when a far value meets a tiny variance.
constexpr double kMaxDistance = 1e290;

struct Moments {
  double weight = 0;
  double mean = 0;
  double variance = 0;
};

// The moments of two samples taken together.
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

// Sums over features are taken in this many parts, which do not wait for each other.
constexpr std::size_t kLanes = 4;

// The sum of ln(above_j/below_j) over positive, normal numbers, by two logarithms for many of them:
// exponents are added up, and mantissas, each in [1, 2), multiplied. Where both numbers are the same
// the sum stays what it is to the last bit, so that features that were always 0 do not count.
double sum_of_log_ratios(std::span<const double> above, std::span<const double> below) {
  constexpr std::uint64_t kMantissa = (std::uint64_t{1} << 52) - 1;
  constexpr std::uint64_t kOne = std::uint64_t{1023} << 52;
  constexpr std::size_t kMostFactors = 1000;  // 2^1000 is still finite
  double sum = 0;
  std::int64_t exponents = 0;
  for (std::size_t from = 0; from < above.size(); from += kMostFactors) {
    const std::size_t end = std::min(from + kMostFactors, above.size());
    std::array<double, kLanes> high{1, 1, 1, 1}, low{1, 1, 1, 1};
    const auto multiply = [&](std::size_t j, std::size_t lane) {
      const auto a = std::bit_cast<std::uint64_t>(above[j]);
      const auto b = std::bit_cast<std::uint64_t>(below[j]);
      const std::uint64_t kept = a == b ? 0 : kMantissa;
      exponents += static_cast<std::int64_t>(a >> 52) - static_cast<std::int64_t>(b >> 52);
      high[lane] *= std::bit_cast<double>((a & kept) | kOne);
      low[lane] *= std::bit_cast<double>((b & kept) | kOne);
    };
    std::size_t j = from;
    for (; j + kLanes <= end; j += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) multiply(j + lane, lane);
    }
    for (std::size_t lane = 0; j < end; ++j, ++lane) multiply(j, lane);
    sum += std::log((high[0] * high[1]) * (high[2] * high[3])) -
           std::log((low[0] * low[1]) * (low[2] * low[3]));
  }
  return sum + static_cast<double>(exponents) * std::numbers::ln2;
}

}  // namespace

void GaussianNb::Params::visit(OptionVisitor& visitor) {
  visitor.real("variance_floor", variance_floor, Range::closed(1e-100, 1e100),
               "smallest variance of a feature within a class");
  visitor.real("relative_floor", relative_floor, Range::closed(0, 1),
               "the same, as a share of the feature's variance over both classes");
  visitor.real("var_smoothing", var_smoothing, Range::closed(0, 1),
               "share of the largest feature variance that a whole-minibatch update adds");
}

GaussianNb::GaussianNb(const Params& params, std::size_t features)
    : params_(params),
      features_(features),
      mean_(2 * features),
      variance_(2 * features),
      floor_(features, params.variance_floor),
      effective_(2 * features),
      precision_(2 * features) {
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
  const double share = weight_[1] > 0 ? weight_[1] / (weight_[0] + weight_[1]) : 0;
  const double* const mean = mean_.data();
  const double* const variance = variance_.data();
  for (std::size_t j = 0; j < features_; ++j) {
    const double delta = mean[features_ + j] - mean[j];
    const double total =
        (1 - share) * (variance[j] + share * delta * delta) + share * variance[features_ + j];
    floor_[j] = std::max(params_.variance_floor, params_.relative_floor * total);
  }
}

void GaussianNb::refresh_class(std::size_t c) {
  const auto variance = of_class(variance_, c);
  const auto effective = of_class(effective_, c);
  const auto precision = of_class(precision_, c);
  for (std::size_t j = 0; j < features_; ++j) {
    effective[j] = std::max(variance[j], floor_[j]);
    precision[j] = 1 / effective[j];
  }
}

void GaussianNb::refresh_ratio() {
  if (weight_[0] == 0 || weight_[1] == 0) return;
  const std::span<const double> effective = effective_;
  log_ratio_ = std::log(weight_[1] / weight_[0]) +
               0.5 * sum_of_log_ratios(effective.first(features_), effective.last(features_));
}

void GaussianNb::merge_example(Row x, Label y, double weight) {
  if (weight == 0) return;
  const auto mean = of_class(mean_, y);
  const auto variance = of_class(variance_, y);
  weight_[y] += weight;
  const double share = weight / weight_[y];
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
    refresh();  // it ties the density of either class to the moments of both
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
      examples, weights, mode.correctness, votes, [&](Row x) { return margin(x); },
      [&](Row x, Label y, double weight) { learn(x, y, weight); });
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
    const auto mean = of_class(mean_, c);
    const auto variance = of_class(variance_, c);
    for (std::size_t j = 0; j < features_; ++j) {
      Moments batch{batch_weight, 0, 0};
      for (std::size_t i = 0; i < examples.size(); ++i) {
        if (examples.y[i] == c) batch.mean += weights[i] / batch_weight * examples.x.row(i)[j];
      }
      for (std::size_t i = 0; i < examples.size(); ++i) {
        const double delta = examples.x.row(i)[j] - batch.mean;
        if (examples.y[i] == c) batch.variance += weights[i] / batch_weight * delta * delta;
      }
      const Moments past{weight_[c], mean[j], variance[j] - smoothing};
      const Moments both = weight_[c] > 0 ? merge(past, batch) : batch;
      mean[j] = both.mean;
      variance[j] = both.variance + smoothing;
    }
    weight_[c] += batch_weight;
  }
  refresh();
}

double GaussianNb::margin(Row x) const {
  if (weight_[0] == 0 || weight_[1] == 0) {
    return weight_[1] > 0 ? 1 : weight_[0] > 0 ? -1 : 0;
  }
  const double* const mean = mean_.data();
  const double* const precision = precision_.data();
  std::array<double, kLanes> farther{};  // from class 0 than from class 1
  const auto measure = [&](std::size_t j, std::size_t lane) {
    const double from_0 = x[j] - mean[j], from_1 = x[j] - mean[features_ + j];
    farther[lane] += std::min(from_0 * from_0 * precision[j], kMaxDistance) -
                     std::min(from_1 * from_1 * precision[features_ + j], kMaxDistance);
  };
  std::size_t j = 0;
  for (; j + kLanes <= features_; j += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) measure(j + lane, lane);
  }
  for (std::size_t lane = 0; j < features_; ++j, ++lane) measure(j, lane);
  const double distance = (farther[0] + farther[1]) + (farther[2] + farther[3]);
  return log_ratio_ + 0.5 * distance;
}

void GaussianNb::margins(const Batch& batch, std::span<double> margins) const {
  for (std::size_t i = 0; i < batch.rows; ++i) margins[i] = margin(batch.row(i));
}

// A feature that was always 0 has the mean 0 and the variance 0 in both classes.
void GaussianNb::grow(std::size_t features) {
  for (std::vector<double>* values : {&mean_, &variance_}) {
    std::vector<double> wider(2 * features);
    for (std::size_t c = 0; c < 2; ++c) {
      std::ranges::copy(of_class(std::as_const(*values), c),
                        wider.begin() + static_cast<std::ptrdiff_t>(c * features));
    }
    *values = std::move(wider);
  }
  floor_.resize(features, params_.variance_floor);
  effective_.resize(2 * features);
  precision_.resize(2 * features);
  features_ = features;
  refresh();
}

void GaussianNb::archive(Archive& archive) {
  archive.values("weight", weight_);
  archive.values("mean", mean_, 2);
  archive.values("variance", variance_, 2);
  archive.require_within("weight", weight_, 0, kMaxState);
  archive.require_within("mean", mean_, -kMaxMagnitude, kMaxMagnitude);
  archive.require_within("variance", variance_, 0, kMaxState);
  if (!archive.loading()) return;
  refresh();
}

}  // namespace plumbline

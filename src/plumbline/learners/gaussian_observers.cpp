#include "plumbline/learners/gaussian_observers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "plumbline/math/entropy.h"
#include "plumbline/math/normal_cdf.h"
#include "plumbline/math/portable_math.h"

namespace plumbline::inline v0 {
namespace {

// Smaller sums of squares count as 0: their inverses must be finite.
constexpr double kLeastSquares = 1e-280;
// Bounds that keep distances and quotients finite.
constexpr double kMostDistance = 1e290;
constexpr double kLeastFreedom = 1e-70, kMostFreedom = 1e70;
// Sums and products over features are taken in this many lanes, in a fixed order.
constexpr std::size_t kLanes = 4;

constexpr std::size_t kThresholds = 10;
constexpr double kLeastBranch = 0.01;

double sum_of(const std::array<double, kLanes>& lanes) {
  return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
}

// The sum of the logarithms of positive numbers: exponents are added and mantissas multiplied, so that
// one logarithm serves all of them. A factor of 1 does not change the result.
class LogProduct {
 public:
  void multiply(std::size_t lane, double factor) {
    const auto bits = std::bit_cast<std::uint64_t>(factor);
    exponents_[lane] += (bits >> kExponentShift) - 1023;
    mantissas_[lane] *= std::bit_cast<double>((bits & kMantissaBits) | kOneBits);
  }
  // To be called before a lane has more than 1000 factors.
  void normalize() {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double mantissa = mantissas_[lane];
      mantissas_[lane] = 1;
      multiply(lane, mantissa);
    }
  }
  double log() {
    normalize();
    const auto exponent = static_cast<double>(static_cast<std::int64_t>(
        (exponents_[0] + exponents_[1]) + (exponents_[2] + exponents_[3])));
    return exponent * std::numbers::ln2 +
           portable_log((mantissas_[0] * mantissas_[1]) * (mantissas_[2] * mantissas_[3]));
  }

 private:
  std::array<double, kLanes> mantissas_{1, 1, 1, 1};
  std::array<std::uint64_t, kLanes> exponents_{};  // modulo 2^64, for negative sums
};

// The weight of a class on the left of each of several thresholds.
struct ClassOfFeature {
  double weight, mean, variance, low, high;

  double left_of(double threshold) const {
    if (threshold < low) return 0;
    if (threshold >= high) return weight;
    return variance > 0 ? weight * NormalCdf::at((threshold - mean) / std::sqrt(variance)) : 0;
  }
};

}  // namespace

std::size_t GaussianObservers::saved_size(std::size_t leaves, std::size_t features) {
  return leaves * 2 * (kStatistics * features + 1);
}

void GaussianObservers::allocate(std::size_t leaves) {
  weight_.assign(leaves, {});
  statistics_.assign(leaves * 2 * kStatistics * features_, 0);
  inverse_.assign(leaves * 2 * features_, 0);
  density_.assign(leaves, {});
}

double GaussianObservers::freedom(std::size_t leaf, std::size_t c) const {
  return std::max(weight_[leaf][c] - 1, 0.0);
}

bool GaussianObservers::has_density(std::size_t leaf) const {
  return freedom(leaf, 0) > 0 && freedom(leaf, 1) > 0;
}

void GaussianObservers::update(std::size_t leaf, Row x, Label y, double weight) {
  const std::size_t d = features_;
  double* const means = statistics_.data() + place(leaf, y, mean);
  double* const sums = means + d;
  double* const lows = sums + d;
  double* const highs = lows + d;
  const double* const values = x.data();
  if (weight_[leaf][y] == 0) {
    std::copy(x.begin(), x.end(), lows);
    std::copy(x.begin(), x.end(), highs);
  }
  const bool had_density = has_density(leaf);
  weight_[leaf][y] += weight;
  const double share = weight / weight_[leaf][y];
  for (std::size_t j = 0; j < d; ++j) {
    const double before = values[j] - means[j];
    means[j] += share * before;
    sums[j] = std::min(sums[j] + weight * before * (values[j] - means[j]), kMaxState);
    lows[j] = std::min(lows[j], values[j]);
    highs[j] = std::max(highs[j], values[j]);
  }
  if (!has_density(leaf)) return;
  const std::size_t varying = density_[leaf].features;
  refresh_class(leaf, y);
  // A feature may have got its first variance, and then counts in the other class as well.
  if (!had_density || density_[leaf].features != varying) refresh_class(leaf, 1 - y);
  refresh_offset(leaf);
}

void GaussianObservers::clear(std::size_t leaf) {
  weight_[leaf] = {};
  std::fill_n(statistics_.begin() + static_cast<std::ptrdiff_t>(place(leaf, 0, mean)),
              2 * kStatistics * features_, 0.0);
  std::fill_n(inverse_.begin() + static_cast<std::ptrdiff_t>(inverse_place(leaf, 0)), 2 * features_,
              0.0);
  density_[leaf] = {};
}

void GaussianObservers::refresh(std::size_t leaf) {
  if (!has_density(leaf)) return;
  refresh_class(leaf, 0);
  refresh_class(leaf, 1);
  refresh_offset(leaf);
}

void GaussianObservers::refresh_class(std::size_t leaf, std::size_t c) {
  const double* const own = of(leaf, c, squares);
  const double* const other = of(leaf, 1 - c, squares);
  double* const inverse = inverse_.data() + inverse_place(leaf, c);
  LogProduct product;
  std::array<std::size_t, kLanes> varying{};
  const auto visit = [&](std::size_t j, std::size_t lane) {
    const bool varies = (own[j] > kLeastSquares) & (other[j] > kLeastSquares);
    inverse[j] = varies ? 1 / own[j] : 0;
    product.multiply(lane, varies ? own[j] : 1);
    varying[lane] += varies;
  };
  std::size_t j = 0;
  while (j + kLanes <= features_) {
    const std::size_t end = std::min(j + 512 * kLanes, features_ / kLanes * kLanes);
    for (; j < end; j += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) visit(j + lane, lane);
    }
    product.normalize();
  }
  for (; j < features_; ++j) visit(j, j % kLanes);
  density_[leaf].log_squares[c] = product.log();
  density_[leaf].features = (varying[0] + varying[1]) + (varying[2] + varying[3]);
}

void GaussianObservers::refresh_offset(std::size_t leaf) {
  Density& density = density_[leaf];
  const auto bounded = [](double value) { return std::clamp(value, kLeastFreedom, kMostFreedom); };
  const double ratio = bounded(freedom(leaf, 1)) / bounded(freedom(leaf, 0));
  density.offset = 0.5 * (static_cast<double>(density.features) * portable_log(ratio) +
                          (density.log_squares[0] - density.log_squares[1]));
}

double GaussianObservers::log_ratio(std::size_t leaf, Row x) const {
  if (density_[leaf].features == 0) return 0;
  const double* const values = x.data();
  const double* const means_0 = of(leaf, 0, mean);
  const double* const means_1 = of(leaf, 1, mean);
  const double* const inverse_0 = inverse_.data() + inverse_place(leaf, 0);
  const double* const inverse_1 = inverse_.data() + inverse_place(leaf, 1);
  std::array<double, kLanes> sum_0{}, sum_1{};
  const auto visit = [&](std::size_t j, std::size_t lane) {
    const double from_0 = values[j] - means_0[j], from_1 = values[j] - means_1[j];
    sum_0[lane] += std::min(from_0 * from_0 * inverse_0[j], kMostDistance);
    sum_1[lane] += std::min(from_1 * from_1 * inverse_1[j], kMostDistance);
  };
  std::size_t j = 0;
  for (; j + kLanes <= features_; j += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) visit(j + lane, lane);
  }
  for (; j < features_; ++j) visit(j, j % kLanes);
  const auto distance = [&](std::size_t c, const std::array<double, kLanes>& sum) {
    return std::min(freedom(leaf, c) * sum_of(sum), kMaxState);
  };
  return density_[leaf].offset + 0.5 * (distance(0, sum_0) - distance(1, sum_1));
}

std::optional<GaussianObservers::Split> GaussianObservers::best_split(std::size_t leaf) const {
  const double weight_0 = weight_[leaf][0], weight_1 = weight_[leaf][1],
               total = weight_0 + weight_1;
  const double unsplit = x_log_x(total) - x_log_x(weight_0) - x_log_x(weight_1);
  const auto class_of_feature = [&](std::size_t c, std::size_t j) {
    const double k = freedom(leaf, c);
    return ClassOfFeature{weight_[leaf][c], of(leaf, c, mean)[j],
                          k > 0 ? of(leaf, c, squares)[j] / k : 0, of(leaf, c, low)[j],
                          of(leaf, c, high)[j]};
  };
  std::optional<Split> best;
  double runner_up = 0;
  for (std::size_t j = 0; j < features_; ++j) {
    const ClassOfFeature of_0 = class_of_feature(0, j), of_1 = class_of_feature(1, j);
    const double least = std::min(of_0.low, of_1.low), most = std::max(of_0.high, of_1.high);
    const double width = (most - least) / (kThresholds + 1.0);
    Split split{.feature = j};
    for (std::size_t i = 0; i < kThresholds; ++i) {
      const double threshold = least + width * static_cast<double>(i + 1);
      if (!(least < threshold && threshold < most)) continue;
      const ClassWeights left{of_0.left_of(threshold), of_1.left_of(threshold)};
      const ClassWeights right{weight_0 - left[0], weight_1 - left[1]};
      const double left_sum = left[0] + left[1], right_sum = right[0] + right[1];
      if (std::min(left_sum, right_sum) <= kLeastBranch * total) continue;
      const double after = (x_log_x(left_sum) - x_log_x(left[0]) - x_log_x(left[1])) +
                           (x_log_x(right_sum) - x_log_x(right[0]) - x_log_x(right[1]));
      const double gain = (unsplit - after) / (total * std::numbers::ln2);
      if (gain > split.gain) {
        split.gain = gain;
        split.threshold = threshold;
        split.left = left;
        split.right = right;
      }
    }
    if (split.gain <= 0) continue;
    if (best && split.gain < best->gain) {  // of equal features the last one wins
      runner_up = std::max(runner_up, split.gain);
    } else {
      if (best) runner_up = best->gain;
      best = split;
    }
  }
  if (best) best->runner_up = runner_up;
  return best;
}

void GaussianObservers::grow(std::size_t features) {
  std::vector<double> wider(leaves() * 2 * kStatistics * features);
  for (std::size_t row = 0; row < leaves() * 2 * kStatistics; ++row) {
    std::copy_n(statistics_.begin() + static_cast<std::ptrdiff_t>(row * features_), features_,
                wider.begin() + static_cast<std::ptrdiff_t>(row * features));
  }
  statistics_ = std::move(wider);
  features_ = features;
  inverse_.assign(leaves() * 2 * features, 0);
  for (std::size_t leaf = 0; leaf < leaves(); ++leaf) refresh(leaf);
}

void GaussianObservers::archive(Archive& archive) {
  std::vector<double> weights;
  for (const ClassWeights& pair : weight_) weights.insert(weights.end(), pair.begin(), pair.end());
  archive.values("observed_weight", weights, leaves());
  archive.values("observers", statistics_, leaves() * 2 * kStatistics);
  if (!archive.loading()) return;
  archive.require_within("observed_weight", weights, 0, kMaxState);
  for (std::size_t leaf = 0; leaf < leaves(); ++leaf) {
    weight_[leaf] = {weights[2 * leaf], weights[2 * leaf + 1]};
    density_[leaf] = {};
    for (std::size_t c = 0; c < 2; ++c) {
      for (const Statistic kind : {mean, squares, low, high}) {
        const bool sums = kind == squares;
        archive.require_within("observers", {of(leaf, c, kind), features_},
                               sums ? 0 : -kMaxMagnitude, sums ? kMaxState : kMaxMagnitude);
      }
    }
    refresh(leaf);
  }
}

}  // namespace plumbline::inline v0

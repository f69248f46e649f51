#include "plumbline/metrics/consistency.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plumbline/metrics.h"

namespace plumbline::inline v0 {
namespace {

// Smaller probabilities at the ends of a distribution are dropped; thousands of them sum to less than
// the rounding error of a sum near 1.
constexpr double kNegligible = 1e-22;

// The distribution of a count: P(count = first + k) = mass[k].
struct CountDistribution {
  std::uint64_t first = 0;
  std::vector<double> mass{1};

  void trim() {
    std::size_t begin = 0, end = mass.size();
    while (mass[begin] < kNegligible) ++begin;
    while (mass[end - 1] < kNegligible) --end;
    mass.resize(end);
    mass.erase(mass.begin(), mass.begin() + static_cast<std::ptrdiff_t>(begin));
    first += begin;
  }
};

// The distribution of the sum of independent draws with these probabilities.
CountDistribution poisson_binomial(std::span<const double> probabilities) {
  CountDistribution sum;
  std::vector<double> next;
  for (const double p : probabilities) {
    const std::size_t size = sum.mass.size();
    next.resize(size + 1);
    next[0] = sum.mass[0] * (1 - p);
    for (std::size_t k = 1; k < size; ++k) next[k] = sum.mass[k] * (1 - p) + sum.mass[k - 1] * p;
    next[size] = sum.mass[size - 1] * p;
    sum.mass.swap(next);
    sum.trim();
  }
  return sum;
}

// The distribution of the sum of n draws with the same probability: computed outwards from the mode by
// the ratio of neighbours, then normalised.
CountDistribution binomial(std::uint64_t n, double p) {
  if (p <= 0) return {};
  if (p >= 1) return {.first = n};
  const double odds = p / (1 - p);
  const auto count = static_cast<double>(n);
  const auto mode = std::min(n, static_cast<std::uint64_t>((count + 1) * p));
  std::vector<double> below, above{1};
  for (std::uint64_t k = mode; k > 0; --k) {
    const double last = below.empty() ? 1 : below.back();
    const double term = last * static_cast<double>(k) / (static_cast<double>(n - k + 1) * odds);
    if (term < kNegligible) break;
    below.push_back(term);
  }
  for (std::uint64_t k = mode; k < n; ++k) {
    const double term =
        above.back() * static_cast<double>(n - k) * odds / static_cast<double>(k + 1);
    if (term < kNegligible) break;
    above.push_back(term);
  }
  CountDistribution result{.first = mode - below.size(), .mass{below.rbegin(), below.rend()}};
  result.mass.insert(result.mass.end(), above.begin(), above.end());
  const double total = std::accumulate(result.mass.begin(), result.mass.end(), 0.0);
  for (double& mass : result.mass) mass /= total;
  return result;
}

// The narrowest range of counts that excludes at most `tail` on each side, and its probability.
struct CountRange {
  std::uint64_t low, high;
  double probability;
};

CountRange range_of(const CountDistribution& distribution, double tail) {
  const std::vector<double>& mass = distribution.mass;
  std::size_t low = 0, high = mass.size() - 1;
  double left_out_below = 0, left_out_above = 0;
  while (low < high && left_out_below + mass[low] <= tail) left_out_below += mass[low++];
  while (high > low && left_out_above + mass[high] <= tail) left_out_above += mass[high--];
  return {distribution.first + low, distribution.first + high, 1 - left_out_below - left_out_above};
}

double joint_probability(const std::vector<CountDistribution>& distributions, double tail) {
  double product = 1;
  for (const CountDistribution& one : distributions) product *= range_of(one, tail).probability;
  return product;
}

// The largest tail for which all bins are inside with probability kBandLevel. It lies between
// Bonferroni's tail, which always suffices, and the pointwise one.
double simultaneous_tail(const std::vector<CountDistribution>& distributions) {
  double enough = (1 - kBandLevel) / 2 / static_cast<double>(distributions.size());
  double too_much = (1 - kBandLevel) / 2;
  if (joint_probability(distributions, too_much) >= kBandLevel) return too_much;
  constexpr int kHalvings = 40;  // to a relative 1e-10
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (enough + too_much) / 2;
    (joint_probability(distributions, middle) >= kBandLevel ? enough : too_much) = middle;
  }
  return enough;
}

Band band_of(const CountDistribution& distribution, double tail, std::uint64_t count) {
  const CountRange range = range_of(distribution, tail);
  const auto n = static_cast<double>(count);
  return {static_cast<double>(range.low) / n, static_cast<double>(range.high) / n};
}

Consistency with_bands(std::span<const Bin> bins,
                       const std::vector<CountDistribution>& distributions) {
  Consistency result;
  if (bins.empty()) return result;
  const double tail = simultaneous_tail(distributions);
  double total = 0;
  for (std::size_t b = 0; b < bins.size(); ++b) {
    const Bin& bin = bins[b];
    result.bins.push_back({bin, band_of(distributions[b], (1 - kBandLevel) / 2, bin.count),
                           band_of(distributions[b], tail, bin.count)});
    const auto count = static_cast<double>(bin.count);
    total += count;
    result.calibration_error += count * std::abs(bin.mean_probability - bin.positive_rate);
  }
  result.calibration_error /= total;
  return result;
}

// The first index of each bin among the sorted forecasts, and the end of the last bin.
std::vector<std::size_t> equal_mass_cuts(const std::vector<double>& sorted, std::size_t bins) {
  std::vector<std::size_t> cuts{0};
  for (std::size_t b = 1; b <= bins; ++b) {
    std::size_t cut = b * sorted.size() / bins;
    while (cut > 0 && cut < sorted.size() && sorted[cut] == sorted[cut - 1]) ++cut;
    if (cut > cuts.back()) cuts.push_back(cut);
  }
  return cuts;
}

}  // namespace

std::size_t Consistency::outside() const {
  return static_cast<std::size_t>(std::ranges::count_if(bins, [](const ConsistencyBin& one) {
    return !one.simultaneous.holds(one.bin.positive_rate);
  }));
}

Consistency consistency(std::span<const double> probabilities, std::span<const Label> labels,
                        std::size_t bins) {
  check_predictions(probabilities, labels);
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return probabilities[i]; });
  std::vector<double> sorted(order.size());
  std::ranges::transform(order, sorted.begin(), [&](std::size_t i) { return probabilities[i]; });

  std::vector<Bin> found;
  std::vector<CountDistribution> distributions;
  const std::vector<std::size_t> cuts = equal_mass_cuts(sorted, bins);
  for (std::size_t b = 0; b + 1 < cuts.size(); ++b) {
    const auto forecasts = std::span(sorted).subspan(cuts[b], cuts[b + 1] - cuts[b]);
    std::uint64_t positives = 0;
    for (std::size_t i = cuts[b]; i < cuts[b + 1]; ++i) positives += labels[order[i]];
    const auto n = static_cast<double>(forecasts.size());
    found.push_back(
        {.low = forecasts.front(),
         .high = forecasts.back(),
         .count = forecasts.size(),
         .mean_probability = std::accumulate(forecasts.begin(), forecasts.end(), 0.0) / n,
         .positive_rate = static_cast<double>(positives) / n});
    distributions.push_back(poisson_binomial(forecasts));
  }
  return with_bands(found, distributions);
}

Consistency consistency(std::span<const Bin> bins) {
  std::vector<Bin> filled;
  std::vector<CountDistribution> distributions;
  for (const Bin& bin : bins) {
    if (bin.count == 0) continue;
    filled.push_back(bin);
    distributions.push_back(binomial(bin.count, bin.mean_probability));
  }
  return with_bands(filled, distributions);
}

}  // namespace plumbline::inline v0

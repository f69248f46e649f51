#include "plumbline/metrics/reliability.h"

#include <algorithm>
#include <cmath>

namespace plumbline {

std::size_t bin_of(double probability, std::size_t bins) {
  const auto bin = static_cast<std::size_t>(probability * static_cast<double>(bins));
  return std::min(bin, bins - 1);
}

void Reliability::Params::visit(OptionVisitor& visitor) {
  visitor.integer("bins", bins, Range::closed(1, 1e5), "number of equally wide bins");
}

Reliability::Reliability(const Params& params)
    : count_(static_cast<std::size_t>(params.bins)),
      positives_(count_.size()),
      probability_sum_(count_.size()) {}

void Reliability::observe(std::span<const double> probabilities, std::span<const Label> labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::size_t bin = bin_of(probabilities[i], count_.size());
    ++count_[bin];
    positives_[bin] += labels[i];
    probability_sum_[bin] += probabilities[i];
  }
}

std::vector<Bin> Reliability::bins() const {
  std::vector<Bin> result(count_.size());
  const auto bins = static_cast<double>(count_.size());
  for (std::size_t b = 0; b < result.size(); ++b) {
    result[b].low = static_cast<double>(b) / bins;
    result[b].high = static_cast<double>(b + 1) / bins;
    result[b].count = count_[b];
    if (count_[b] == 0) continue;
    const auto count = static_cast<double>(count_[b]);
    result[b].mean_probability = probability_sum_[b] / count;
    result[b].positive_rate = static_cast<double>(positives_[b]) / count;
  }
  return result;
}

std::optional<double> Reliability::value() const {
  double total = 0, error = 0;
  for (const Bin& bin : bins()) {
    const auto count = static_cast<double>(bin.count);
    total += count;
    error += count * std::abs(bin.mean_probability - bin.positive_rate);
  }
  if (total == 0) return std::nullopt;
  return error / total;
}

void Reliability::archive(Archive& archive) {
  archive.values("count", count_);
  archive.values("positives", positives_);
  archive.values("probability_sum", probability_sum_);
}

}  // namespace plumbline

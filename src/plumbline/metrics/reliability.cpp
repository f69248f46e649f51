#include "plumbline/metrics/reliability.h"

#include <algorithm>
#include <cmath>

#include "plumbline/math/unit_bins.h"

namespace plumbline::inline v0 {

void Reliability::Params::visit(OptionVisitor& visitor) {
  visitor.integer("bins", bins, Range::closed(1, 1e5), "number of equally wide bins");
  visitor.integer("window", window, Range::closed(0, 1e8),
                  "over this many latest examples; 0 means all");
}

Reliability::Reliability(const Params& params)
    : counts_(static_cast<std::size_t>(params.bins)),
      recent_(static_cast<std::size_t>(params.window)),
      recent_label_(recent_.size()) {}

void Reliability::Counts::add(double probability, std::uint64_t label) {
  const std::size_t bin = bin_of(probability, count.size());
  ++count[bin];
  positives[bin] += label;
  probability_sum[bin] += probability;
}

void Reliability::add(std::span<const double> probabilities, std::span<const Label> labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (recent_.empty()) {
      counts_.add(probabilities[i], labels[i]);
    } else {
      recent_[seen_ % recent_.size()] = probabilities[i];
      recent_label_[seen_ % recent_.size()] = labels[i];
    }
    ++seen_;
  }
}

std::vector<Bin> Reliability::bins() const {
  Counts counts = counts_;
  const auto kept = std::min<std::uint64_t>(seen_, recent_.size());
  for (std::size_t i = 0; i < kept; ++i) counts.add(recent_[i], recent_label_[i]);

  std::vector<Bin> result(counts.count.size());
  const auto bins = static_cast<double>(result.size());
  for (std::size_t b = 0; b < result.size(); ++b) {
    result[b].low = static_cast<double>(b) / bins;
    result[b].high = static_cast<double>(b + 1) / bins;
    result[b].count = counts.count[b];
    if (counts.count[b] == 0) continue;
    const auto count = static_cast<double>(counts.count[b]);
    result[b].mean_probability = counts.probability_sum[b] / count;
    result[b].positive_rate = static_cast<double>(counts.positives[b]) / count;
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
  archive.values("count", counts_.count);
  archive.values("positives", counts_.positives);
  archive.values("probability_sum", counts_.probability_sum);
  archive.value("seen", seen_);
  archive.values("recent", recent_);
  archive.values("recent_label", recent_label_);
  archive.require_within("recent", recent_, 0, 1);
}

}  // namespace plumbline::inline v0

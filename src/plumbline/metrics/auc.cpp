#include "plumbline/metrics/auc.h"

#include <numeric>

#include "plumbline/math/logit_bins.h"

namespace plumbline::inline v0 {
namespace {

double total(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

}  // namespace

Auc::Auc(const Params& /*params*/) : positives_(kLogitBins), negatives_(kLogitBins) {}

void Auc::add(std::span<const double> probabilities, std::span<const Label> labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::size_t bin = logit_bin(limited_logit(probabilities[i]));
    ++(labels[i] != 0 ? positives_ : negatives_)[bin];
  }
}

std::optional<double> Auc::value() const {
  const double positives = total(positives_), negatives = total(negatives_);
  if (positives == 0 || negatives == 0) return std::nullopt;
  double below = 0, area = 0;  // as shares, which avoids large products of counts
  for (std::size_t b = 0; b < kLogitBins; ++b) {
    const double here = static_cast<double>(negatives_[b]) / negatives;
    area += static_cast<double>(positives_[b]) / positives * (below + here / 2);
    below += here;
  }
  return area;
}

void Auc::archive(Archive& archive) {
  archive.values("positives", positives_);
  archive.values("negatives", negatives_);
}

}  // namespace plumbline::inline v0

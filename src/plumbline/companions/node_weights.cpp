#include "plumbline/companions/node_weights.h"

#include <algorithm>
#include <cmath>

#include "plumbline/companions/packed_floats.h"
#include "plumbline/companions/to_float.h"

namespace plumbline::inline v0 {
namespace {

constexpr double kInverseForgetting = 1 / 0.9995;
constexpr double kVarianceOfRoots = 1, kVarianceOfNodes = 1.0 / 3000;
constexpr double kMostMargin = 1e4;  // of one node

}  // namespace

NodeWeights::NodeWeights(std::size_t most_nodes, std::size_t outputs)
    : most_nodes_(most_nodes), outputs_(outputs) {
  resize(1);
}

double NodeWeights::prior_variance(std::size_t node) {
  return node == 0 ? kVarianceOfRoots : kVarianceOfNodes;
}

NodeWeights::Weight NodeWeights::fresh(std::size_t node) {
  return {0, static_cast<float>(prior_variance(node))};
}

void NodeWeights::resize(std::size_t nodes) {
  // Reserved memory that is not used costs nothing, and learning allocates nothing.
  weights_.reserve(most_nodes_ * outputs_);
  for (std::size_t i = weights_.size(); i < nodes * outputs_; ++i) {
    weights_.push_back(fresh(i / outputs_));
  }
}

void NodeWeights::add_margins(const Path& path, std::span<double> margins) const {
  for (const std::uint32_t node : path) {
    const Weight* const weights = &weights_[node * outputs_];
    for (std::size_t k = 0; k < outputs_; ++k) margins[k] += static_cast<double>(weights[k].mean);
  }
}

void NodeWeights::begin_step(const Path& path, std::span<Sums> sums) {
  for (const std::uint32_t node : path) {
    Weight* const weights = &weights_[node * outputs_];
    const double most = prior_variance(node);
    for (std::size_t k = 0; k < outputs_; ++k) {
      const double variance = std::min(weights[k].variance * kInverseForgetting, most);
      weights[k].variance = static_cast<float>(variance);
      sums[k].margin += static_cast<double>(weights[k].mean);
      sums[k].variance += variance;
    }
  }
}

void NodeWeights::end_step(const Path& path, std::span<const LogisticPoint> points) {
  for (const std::uint32_t node : path) {
    Weight* const weights = &weights_[node * outputs_];
    for (std::size_t k = 0; k < outputs_; ++k) {
      const double variance = weights[k].variance;
      const double mean = weights[k].mean + variance * points[k].residual;
      weights[k] = {to_float(std::clamp(mean, -kMostMargin, kMostMargin)),
                    to_float(variance / (1 + points[k].curvature * variance))};
    }
  }
}

void NodeWeights::start_pair(std::uint32_t left) {
  resize(left + 2);
  for (std::size_t i = left * outputs_; i < (left + 2) * outputs_; ++i) {
    weights_[i] = fresh(i / outputs_);
  }
}

void NodeWeights::add_output() {
  const std::vector<Weight> old = std::move(weights_);
  const std::size_t outputs = outputs_++;
  weights_.clear();
  resize(outputs == 0 ? 1 : old.size() / outputs);
  for (std::size_t i = 0; i < old.size(); ++i) {
    weights_[i / outputs * outputs_ + i % outputs] = old[i];
  }
}

void NodeWeights::archive(Archive& archive, std::size_t nodes) {
  if (archive.loading()) {
    weights_.clear();
    resize(nodes);
  }
  std::vector<float> means, variances;
  for (const Weight& weight : weights_) {
    means.push_back(weight.mean);
    variances.push_back(weight.variance);
  }
  archive_packed(archive, "weights", means);
  archive_packed(archive, "variances", variances);
  if (!archive.loading()) return;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    // Also refuses NaN.
    if (!(std::abs(means[i]) <= kMostMargin)) archive.refuse("weights", "are too large");
    if (!(variances[i] >= 0 && variances[i] <= fresh(i / outputs_).variance)) {
      archive.refuse("variances", "are impossible");
    }
    weights_[i] = {means[i], variances[i]};
  }
}

}  // namespace plumbline::inline v0

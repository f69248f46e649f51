#include "plumbline/learners/logistic_bins.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "plumbline/learners/logistic_adaptive_limits.h"
#include "plumbline/learners/one_by_one.h"
#include "plumbline/math/implicit_step.h"

namespace plumbline::inline v0 {
namespace {

// Calls `visit` with each feature of the row that has bins, and its value.
template <class Visit>
void each_binned(const Batch& batch, std::size_t row, const Visit& visit) {
  if (batch.sparse()) {
    for (const auto& [feature, value] : batch.sparse_row(row)) {
      if (feature < LogisticBins::kMaxFeatures) visit(feature, value);
    }
    return;
  }
  const auto values = batch.row(row);
  const std::size_t binned = std::min(values.size(), LogisticBins::kMaxFeatures);
  for (std::size_t j = 0; j < binned; ++j) visit(j, values[j]);
}

// The place i at which sorted[i - 1] < sorted[i] that is nearest to the middle; 0 if there is none.
std::size_t middle_step(std::span<const double> sorted) {
  const std::size_t middle = sorted.size() / 2;
  for (std::size_t off = 0; off <= middle; ++off) {
    for (const std::size_t at : {middle - off, middle + off}) {
      if (at > 0 && at < sorted.size() && sorted[at - 1] < sorted[at]) return at;
    }
  }
  return 0;
}

}  // namespace

void LogisticBins::Params::visit(OptionVisitor& visitor) {
  visitor.real(
      "ridge", ridge, Range::closed(1e-3, 1e6),
      "strength of the pull of weights to 0, in examples' worth of curvature; doubled with "
      "each level");
  visitor.real("forgetting", forgetting, Range::closed(0.5, 1),
               "share of the past kept with each example; 1 forgets nothing");
  visitor.integer("grace", grace, Range::closed(kSample, 10000),
                  "examples in a bin between attempts to split it");
  visitor.integer("depth", depth, Range::closed(1, 10), "largest number of splits above a bin");
  visitor.integer("max_nodes", max_nodes, Range::closed(2, 1e6),
                  "largest number of nodes below the roots, over all features");
}

LogisticBins::LogisticBins(const Params& params, FeatureSpace features)
    : params_(params), sparse_(features.sparse), intercept_variance_(kInterceptVariance) {
  below_.resize(2);
  grow(features.count);
}

void LogisticBins::Nodes::resize(std::size_t size) {
  nodes.resize(size);
  values.resize(size);
}

void LogisticBins::Nodes::reserve(std::size_t size) {
  nodes.reserve(size);
  values.reserve(size);
}

// With the unused pair.
std::size_t LogisticBins::most_nodes() const {
  const std::size_t of_feature = (std::size_t{2} << params_.depth) - 2;
  return 2 + std::min(static_cast<std::size_t>(params_.max_nodes) / 2 * 2,
                      roots_.nodes.size() * of_feature);
}

double LogisticBins::prior_variance(unsigned level) const {
  return 1 / std::ldexp(params_.ridge, static_cast<int>(level) - 1);
}

double LogisticBins::margin(const Batch& batch, std::size_t row) const {
  double sum = intercept_;
  each_binned(batch, row, [&](std::size_t feature, double value) {
    const Node* at = &roots_.nodes[feature];
    while (at->left != 0) {
      at = &below_.nodes[at->left + (value > at->threshold ? 1 : 0)];
      sum += at->weight;
    }
  });
  return sum;
}

void LogisticBins::pass(std::size_t feature, double value) {
  Node* at = &roots_.nodes[feature];
  if (at->left == 0) return count(*at, roots_.values[feature], value);
  do {
    path_.push_back(at->left + (value > at->threshold ? 1 : 0));
    at = &below_.nodes[path_.back()];
  } while (at->left != 0);
  count(*at, below_.values[path_.back()], value);
}

void LogisticBins::count(Node& bin, Values& values, double value) {
  if (bin.level == params_.depth) return;
  values[bin.count % kSample] = value;
  if (++bin.count < params_.grace) return;
  bin.count = 0;
  split(bin, values);
}

void LogisticBins::split(Node& bin, const Values& values) {
  if (below_.nodes.size() + 2 > most_nodes()) return;
  Values sorted = values;
  std::ranges::sort(sorted);
  const std::size_t step = middle_step(sorted);
  if (step == 0) return;
  bin.threshold = sorted[step - 1];
  bin.left = static_cast<std::uint32_t>(below_.nodes.size());
  const unsigned level = bin.level + 1U;
  // The memory was reserved, so `bin` stays where it is.
  below_.resize(below_.nodes.size() + 2);
  for (Node& child : std::span(below_.nodes).last(2)) {
    child.variance = prior_variance(level);
    child.level = static_cast<std::uint16_t>(level);
  }
}

void LogisticBins::learn(const Batch& batch, std::size_t row, Label y, double weight) {
  if (weight == 0) return;
  ++learned_;
  path_.clear();
  each_binned(batch, row, [&](std::size_t feature, double value) { pass(feature, value); });
  const double inverse_forgetting = 1 / params_.forgetting;
  intercept_variance_ = std::min(intercept_variance_ * inverse_forgetting, kInterceptVariance);
  double margin = intercept_, gain = intercept_variance_;
  for (const std::uint32_t at : path_) {
    Node& node = below_.nodes[at];
    node.variance = std::min(node.variance * inverse_forgetting, prior_variance(node.level));
    margin += node.weight;
    gain += node.variance;
  }
  const auto [residual, curvature] = logistic_point(implicit_margin(margin, weight * gain, y), y);
  const double change = weight * residual, information = weight * curvature;
  intercept_ = bounded_weight(intercept_ + change * intercept_variance_);
  intercept_variance_ /= 1 + information * intercept_variance_;
  for (const std::uint32_t at : path_) {
    Node& node = below_.nodes[at];
    node.weight = bounded_weight(node.weight + change * node.variance);
    node.variance /= 1 + information * node.variance;
  }
}

void LogisticBins::learn_each(const Examples& examples, std::span<const double> weights,
                              const LearnMode& mode, std::span<Label> votes) {
  learn_one_by_one(
      examples.size(), mode.correctness, votes,
      [&](std::size_t i) { return margin(examples.x, i); },
      [&](std::size_t i) { learn(examples.x, i, examples.y[i], weights[i]); });
}

void LogisticBins::learn_batch(const Examples& examples, std::span<const double> weights,
                               Weighting) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    learn(examples.x, i, examples.y[i], weights[i]);
  }
}

void LogisticBins::margins(const Batch& batch, std::span<double> margins) const {
  for (std::size_t i = 0; i < batch.rows; ++i) margins[i] = margin(batch, i);
}

// The bin of a feature that was always 0 has counted all examples; that of one which was always absent has not.
void LogisticBins::grow(std::size_t features) {
  const std::size_t first = roots_.nodes.size();
  roots_.resize(std::min(features, kMaxFeatures));
  for (Node& root : std::span(roots_.nodes).subspan(first)) {
    root.count = static_cast<std::uint16_t>(
        sparse_ ? 0 : learned_ % static_cast<std::uint64_t>(params_.grace));
  }
  below_.reserve(most_nodes());
  path_.reserve(roots_.nodes.size() * static_cast<std::size_t>(params_.depth));
}

std::vector<double> LogisticBins::thresholds(std::size_t feature) const {
  std::vector<double> result;
  const std::function<void(const Node&)> add = [&](const Node& node) {
    if (node.left == 0) return;
    add(below_.nodes[node.left]);
    result.push_back(node.threshold);
    add(below_.nodes[node.left + 1]);
  };
  add(roots_.nodes[feature]);
  return result;
}

void LogisticBins::archive(Archive& archive) {
  std::uint64_t size = below_.nodes.size();
  archive.value("learned", learned_);
  archive.value("intercept", intercept_);
  archive.value("intercept_variance", intercept_variance_);
  archive.value("nodes", size);
  if (archive.loading()) {
    if (size < 2 || size % 2 != 0 || size > most_nodes()) archive.refuse("nodes", "is impossible");
    below_.resize(size);
  }
  archive.scope("roots", [&](Archive& inner) { roots_.archive(inner); });
  archive.scope("below", [&](Archive& inner) { below_.archive(inner); });
  if (!archive.loading()) return;
  archive.require_within("intercept", {&intercept_, 1}, -kMaxWeight, kMaxWeight);
  archive.require_within("intercept_variance", {&intercept_variance_, 1}, 0, kInterceptVariance);
  check_trees(archive);
}

void LogisticBins::Nodes::archive(Archive& archive) {
  std::vector<std::uint64_t> left, count;
  std::vector<double> numbers, all_values;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    left.push_back(nodes[i].left);
    count.push_back(nodes[i].count);
    numbers.insert(numbers.end(), {nodes[i].threshold, nodes[i].weight, nodes[i].variance});
    all_values.insert(all_values.end(), values[i].begin(), values[i].end());
  }
  archive.values("left", left);
  archive.values("count", count);
  archive.values("numbers", numbers, nodes.size());
  archive.values("values", all_values, nodes.size());
  if (!archive.loading()) return;
  archive.require_within("values", all_values, -kMaxMagnitude, kMaxMagnitude);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (left[i] > UINT32_MAX || count[i] > UINT16_MAX) archive.refuse("left", "is too large");
    const double* const of_node = numbers.data() + 3 * i;
    archive.require_within("numbers", {of_node, 1}, -kMaxMagnitude, kMaxMagnitude);
    archive.require_within("numbers", {of_node + 1, 1}, -kMaxWeight, kMaxWeight);
    nodes[i] = {.threshold = of_node[0],
                .weight = of_node[1],
                .variance = of_node[2],
                .left = static_cast<std::uint32_t>(left[i]),
                .count = static_cast<std::uint16_t>(count[i])};
    std::copy_n(all_values.begin() + static_cast<std::ptrdiff_t>(kSample * i), kSample,
                values[i].begin());
  }
}

// Every pair after the unused one has one parent, a root or a node before it. Also sets the levels.
void LogisticBins::check_trees(const Archive& archive) {
  std::vector<bool> has_parent(below_.nodes.size());
  const auto check = [&](const Node& node, std::size_t least) {
    if (node.count >= params_.grace) archive.refuse("count", "is too large");
    if (node.left == 0) return;
    if (node.left < least || node.left % 2 != 0 || node.left >= below_.nodes.size() ||
        has_parent[node.left] || node.level >= params_.depth) {
      archive.refuse("left", "does not describe a tree");
    }
    has_parent[node.left] = true;
    for (Node& child : std::span(below_.nodes).subspan(node.left, 2)) {
      child.level = static_cast<std::uint16_t>(node.level + 1);
      archive.require_within("numbers", {&child.variance, 1}, 0, prior_variance(child.level));
    }
  };
  for (const Node& root : roots_.nodes) check(root, 2);
  for (std::size_t i = 0; i < below_.nodes.size(); ++i) {
    const bool unused = i < 2 && below_.nodes[i].left == 0;
    if (!unused && !has_parent[i / 2 * 2]) archive.refuse("left", "does not describe a tree");
    check(below_.nodes[i], i + 1);
  }
}

}  // namespace plumbline::inline v0

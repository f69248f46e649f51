#include "plumbline/learners/hoeffding_tree.h"

#include <algorithm>
#include <cmath>

#include "plumbline/learners/one_by_one.h"
#include "plumbline/math/portable_math.h"

namespace plumbline::inline v0 {

void HoeffdingTree::Params::visit(OptionVisitor& visitor) {
  visitor.real("grace", grace, Range::closed(1, 1e9),
               "weight of examples at a leaf between two attempts to split it");
  visitor.real(
      "delta", delta, Range::closed(1e-300, 1),
      "probability that the best split seen is not the best one; smaller means later splits");
  visitor.real("tau", tau, Range::closed(0, 1),
               "a leaf splits without a clear winner once the Hoeffding bound is below this");
  visitor.choice(
      "leaf", leaf,
      {{"adaptive", LeafModel::adaptive},
       {"majority", LeafModel::majority},
       {"naive_bayes", LeafModel::naive_bayes}},
      "prediction of a leaf: by its class weights, by Naive Bayes, or by whichever of the "
      "two has been right more often at this leaf (adaptive)");
  visitor.integer("max_nodes", max_nodes, Range::closed(1, 65535),
                  "size of the pool of nodes, each of about 40 bytes per feature; when it is used "
                  "up, leaves keep learning but do not split");
}

HoeffdingTree::HoeffdingTree(const Params& params, FeatureSpace features)
    : params_(params), observers_(features.count) {
  allocate(0);
}

void HoeffdingTree::allocate(std::size_t splits) {
  nodes_.assign(2 * splits + 1, {});
  leaves_.assign(splits + 1, {});
  observers_.allocate(splits + 1);
}

std::size_t HoeffdingTree::node_of(Row x) const {
  std::size_t node = 0;
  while (nodes_[node].left != 0) {
    node = nodes_[node].left + (x[nodes_[node].feature] <= nodes_[node].threshold ? 0 : 1);
  }
  return node;
}

double HoeffdingTree::majority_margin(const Leaf& leaf) const {
  return portable_log((leaf.weight[1] + 0.5) / (leaf.weight[0] + 0.5));
}

double HoeffdingTree::margin(Row x) const {
  const std::size_t index = nodes_[node_of(x)].leaf;
  const Leaf& leaf = leaves_[index];
  double margin = majority_margin(leaf);
  const bool bayes =
      params_.leaf == LeafModel::naive_bayes ||
      (params_.leaf == LeafModel::adaptive && leaf.bayes_right >= leaf.majority_right);
  if (bayes) margin += observers_.log_ratio(index, x);
  return std::clamp(margin, -kMaxMargin, kMaxMargin);
}

void HoeffdingTree::learn(Row x, Label y, double weight) {
  if (used_ == 0) {
    allocate(most_splits());
    used_ = 1;
  }
  const std::size_t node = node_of(x), index = nodes_[node].leaf;
  Leaf& leaf = leaves_[index];
  if (params_.leaf == LeafModel::adaptive) {
    const double majority = majority_margin(leaf);
    if (predicted_class(majority) == y) leaf.majority_right += weight;
    if (predicted_class(majority + observers_.log_ratio(index, x)) == y) leaf.bayes_right += weight;
  }
  leaf.weight[y] += weight;
  leaf.since_attempt += weight;
  observers_.update(index, x, y, weight);
  if (leaf.since_attempt >= params_.grace) attempt_to_split(node);
}

void HoeffdingTree::attempt_to_split(std::size_t node) {
  Leaf& leaf = leaves_[nodes_[node].leaf];
  leaf.since_attempt = 0;
  if (used_ == nodes_.size() || !observers_.impure(nodes_[node].leaf)) return;
  const auto best = observers_.best_split(nodes_[node].leaf);
  if (!best) return;
  const double n = leaf.weight[0] + leaf.weight[1];
  const double eps = std::sqrt(portable_log(1 / params_.delta) / (2 * n));
  if (best->gain - best->runner_up > eps || eps < params_.tau) split(node, *best);
}

// The left child takes over the statistics of its parent, emptied.
void HoeffdingTree::split(std::size_t node, const GaussianObservers::Split& split) {
  Node& parent = nodes_[node];
  const auto left = static_cast<std::uint32_t>(used_);
  used_ += 2;
  parent.feature = static_cast<std::uint32_t>(split.feature);
  parent.threshold = split.threshold;
  parent.left = left;
  nodes_[left].leaf = parent.leaf;
  nodes_[left + 1].leaf = (left + 1) / 2;
  leaves_[nodes_[left].leaf] = {.weight = split.left};
  leaves_[nodes_[left + 1].leaf] = {.weight = split.right};
  observers_.clear(nodes_[left].leaf);
}

void HoeffdingTree::grow(std::size_t features) { observers_.grow(features); }

void HoeffdingTree::archive(Archive& archive) {
  archive.value("nodes", used_);
  if (archive.loading()) {
    const std::size_t splits = used_ == 0 ? 0 : most_splits();
    if (used_ > 2 * splits + 1) archive.refuse("nodes", "is larger than the pool");
    // A file that is too short is refused before memory is allocated.
    if (GaussianObservers::saved_size(splits + 1, observers_.features()) >
        archive.bytes() / sizeof(double)) {
      archive.refuse("observers", "is too short");
    }
    allocate(splits);
  }
  archive_nodes(archive);
  archive_leaves(archive);
  observers_.archive(archive);
}

void HoeffdingTree::archive_nodes(Archive& archive) {
  std::vector<std::uint64_t> feature, left;
  std::vector<double> threshold;
  for (const Node& node : nodes_) {
    feature.push_back(node.feature);
    left.push_back(node.left);
    threshold.push_back(node.threshold);
  }
  archive.values("feature", feature);
  archive.values("left", left);
  archive.values("threshold", threshold);
  if (!archive.loading()) return;
  archive.require_within("threshold", threshold, -kMaxMagnitude, kMaxMagnitude);
  check_nodes(archive, feature, left);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i] = {.threshold = threshold[i],
                 .feature = static_cast<std::uint32_t>(feature[i]),
                 .left = static_cast<std::uint32_t>(left[i])};
  }
  assign_leaves();
}

// Every pair of nodes after the root has one parent, which precedes it: the nodes form a tree.
void HoeffdingTree::check_nodes(const Archive& archive, std::span<const std::uint64_t> feature,
                                std::span<const std::uint64_t> left) const {
  std::vector<bool> has_parent(left.size());
  std::uint64_t inner = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if ((left[i] != 0 || feature[i] != 0) && feature[i] >= observers_.features()) {
      archive.refuse("feature", "names no feature");
    }
    if (left[i] == 0) continue;
    if (left[i] <= i || left[i] % 2 == 0 || left[i] >= used_ || has_parent[left[i]]) {
      archive.refuse("left", "does not describe a tree");
    }
    has_parent[left[i]] = true;
    ++inner;
  }
  if (std::max<std::uint64_t>(used_, 1) != 2 * inner + 1) {
    archive.refuse("left", "does not describe a tree");
  }
}

void HoeffdingTree::assign_leaves() {
  for (std::size_t i = 0; i < used_; ++i) {
    const std::uint32_t left = nodes_[i].left;
    if (left == 0) continue;
    nodes_[left].leaf = nodes_[i].leaf;
    nodes_[left + 1].leaf = (left + 1) / 2;
  }
}

void HoeffdingTree::archive_leaves(Archive& archive) {
  std::vector<double> values;
  for (const Leaf& leaf : leaves_) {
    values.insert(values.end(), {leaf.weight[0], leaf.weight[1], leaf.since_attempt,
                                 leaf.majority_right, leaf.bayes_right});
  }
  archive.values("leaves", values, leaves_.size());
  if (!archive.loading()) return;
  archive.require_within("leaves", values, 0, kMaxState);
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const double* const v = values.data() + 5 * i;
    leaves_[i] = {
        .weight = {v[0], v[1]}, .since_attempt = v[2], .majority_right = v[3], .bayes_right = v[4]};
  }
}

}  // namespace plumbline::inline v0

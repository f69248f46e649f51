// A Hoeffding tree (VFDT: Domingos & Hulten 2000) for numeric features, as in MOA and river: a decision tree that is
// grown from its leaves once enough examples have been seen to know the best split.
//
// Each leaf observes its examples (learners/gaussian_observers.h). After every `grace` of weight, a leaf that has seen
// both classes compares the best splits of the features by their information gain G_1 >= G_2 >= …, and splits if
//   G_1 - G_2 > eps  or  eps < tau,   eps = sqrt(ln(1/delta)/(2 n)),   n the weight of the leaf.
// Its children start with the class weights that the normal distributions put on either side of the threshold.
//
// The margin is the log-odds of the leaf, with its weights w_c and correct answers counted before each update:
//   majority      ln((w_1 + 1/2)/(w_0 + 1/2))
//   naive_bayes   the same plus ln p(x | 1) - ln p(x | 0)
//   adaptive      naive_bayes, unless `majority` has been right more often at this leaf
// within +-kMaxMargin (adaptive leaves: Holmes, Kirkby & Pfahringer 2005).
//
// The splits are those of river's HoeffdingTreeClassifier (tests/oracle/test_hoeffding_tree.py), with four exceptions.
// No split counts as a split of gain 0 here, as in the paper; in river and MOA its gain is -infinity, so that a leaf
// with a single usable feature splits at once. A leaf that has itself seen one class only is never split; in river the
// weight that it inherits from its parent counts too. river gives up leaves with more than 99 % of one class
// (`max_share_to_split`). The weight since the last attempt is counted; river takes it as the difference of two sums,
// which rounding can make one example late.
//
// Nodes come from a pool of `max_nodes`, half of them leaves, so that memory is constant: about 40 bytes per node and
// feature, allocated with the first example. When the pool is used up, leaves keep learning but do not split.
// Not lossless. Cost per example: O(depth + d), and O(10 d) logarithms after every `grace` of weight at a leaf.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "plumbline/learner.h"
#include "plumbline/learners/gaussian_observers.h"
#include "plumbline/options.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

class HoeffdingTree : public RowLearner {
 public:
  enum class LeafModel { adaptive, majority, naive_bayes };

  struct Params {
    double grace = 200;
    double delta = 1e-7;
    double tau = 0.05;
    LeafModel leaf = LeafModel::adaptive;
    std::int64_t max_nodes = 511;
    void visit(OptionVisitor& visitor);
  };
  // Thresholds, weights and log-ratios do not depend on the scale of features.
  static constexpr LearnerTraits kTraits{.scale_free = true};
  static constexpr double kMaxMargin = 20;

  struct Node {
    double threshold = 0;
    std::uint32_t feature = 0;
    // The child for x[feature] <= threshold, followed by the other child; 0 for leaves.
    std::uint32_t left = 0;
    std::uint32_t leaf = 0;  // of leaves: the index of its statistics
  };

  HoeffdingTree(const Params& params, FeatureSpace features);

  void grow(std::size_t features) override;
  void archive(Archive& archive) override;

  // The nodes in the order in which they were made: the root, then the two children of each split. Empty before
  // any learning.
  std::span<const Node> nodes() const { return std::span(nodes_).first(used_); }

 protected:
  using Row = std::span<const double>;
  double margin(Row x) const override;
  void learn(Row x, Label y, double weight) override;

 private:
  struct Leaf {
    std::array<double, 2> weight{};  // per class, with the share of the parent's examples
    double since_attempt = 0;        // weight since the last attempt to split
    double majority_right = 0;       // weight of the examples that each prediction was right on
    double bayes_right = 0;
  };

  std::size_t most_splits() const { return static_cast<std::size_t>(params_.max_nodes - 1) / 2; }
  // Makes a pool for so many splits, with a root that has learned nothing.
  void allocate(std::size_t splits);
  std::size_t node_of(Row x) const;
  double majority_margin(const Leaf& leaf) const;
  void attempt_to_split(std::size_t node);
  void split(std::size_t node, const GaussianObservers::Split& split);
  void archive_nodes(Archive& archive);
  void archive_leaves(Archive& archive);
  // Checks loaded nodes, and finds the leaves' statistics.
  void check_nodes(const Archive& archive, std::span<const std::uint64_t> feature,
                   std::span<const std::uint64_t> left) const;
  void assign_leaves();

  Params params_;
  std::uint64_t used_ = 0;  // nodes; 0 before any learning, when there is no pool but a root
  std::vector<Node> nodes_;
  std::vector<Leaf> leaves_;
  GaussianObservers observers_;
};

}  // namespace plumbline::inline v0

// Additive logistic regression: the log-odds are a sum of step functions, one of each feature. A feature with a heavy
// tail, with codes in place of amounts, or with the largest odds in the middle needs no transformation.
//
// The values of each feature are divided into bins by a binary tree of thresholds, at most `depth` deep. Every node
// below the root has a weight w, and
//   margin = b + sum over the features of the weights of all nodes that the value passes, from the root to its bin.
// Coarse nodes learn fast, and fine ones correct them. Weights are learned as in logistic_adaptive.h, with z = 1 for
// the nodes of a row and 0 for all others. The variance of a weight is initially 1/(`ridge` 2^(level - 1)), and grows by
// forgetting only with examples that pass the node.
//
// After every `grace` examples in a bin, it is split near the median of its last 15 values, unless they are equal. So
// bins have about equal numbers of examples, and a feature of few values gets a bin for each. Thresholds never move.
//
// The first 4096 features have bins; others have no effect. An absent feature of a sparse row adds nothing, and its bins
// do not count the row. Not lossless: k repetitions are one update of weight k. Memory: 150 bytes for each node, of
// which there are at most `max_nodes` below the roots. Cost per example: O(depth) for each feature, and a few
// exponentials.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plumbline/learner.h"
#include "plumbline/options.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

class LogisticBins : public Learner {
 public:
  static constexpr LearnerTraits kTraits{.scale_free = true, .sparse_rows = true};
  static constexpr std::size_t kMaxFeatures = 4096;

  struct Params {
    double ridge = 1;
    double forgetting = 0.9995;
    std::int64_t grace = 50;
    std::int64_t depth = 5;
    std::int64_t max_nodes = 16384;
    void visit(OptionVisitor& visitor);
  };

  LogisticBins(const Params& params, FeatureSpace features);

  bool lossless() const override { return false; }
  void learn_each(const Examples& examples, std::span<const double> weights, const LearnMode& mode,
                  std::span<Label> votes) override;
  void learn_batch(const Examples& examples, std::span<const double> weights,
                   Weighting weighting) override;
  void margins(const Batch& batch, std::span<double> margins) const override;
  void grow(std::size_t features) override;
  void archive(Archive& archive) override;

  // The thresholds of a feature in ascending order.
  std::vector<double> thresholds(std::size_t feature) const;

 private:
  static constexpr std::size_t kSample = 15;

  struct Node {
    double threshold = 0;
    double weight = 0, variance = 0;  // not of roots
    // The child for values up to the threshold, followed by the other child; 0 for bins.
    std::uint32_t left = 0;
    std::uint16_t count = 0;  // of bins: examples since the last attempt to split
    std::uint16_t level = 0;  // 0 for roots
  };
  using Values = std::array<double, kSample>;
  // Nodes, and of bins the last values.
  struct Nodes {
    std::vector<Node> nodes;
    std::vector<Values> values;

    void resize(std::size_t size);
    void reserve(std::size_t size);
    void archive(Archive& archive);
  };

  std::size_t most_nodes() const;
  double prior_variance(unsigned level) const;
  double margin(const Batch& batch, std::size_t row) const;
  void learn(const Batch& batch, std::size_t row, Label y, double weight);
  // Adds the nodes that the value passes to `path_`, and counts it in its bin.
  void pass(std::size_t feature, double value);
  void count(Node& bin, Values& values, double value);
  void split(Node& bin, const Values& values);
  void check_trees(const Archive& archive);

  Params params_;
  bool sparse_;
  std::uint64_t learned_ = 0;  // number of examples
  double intercept_ = 0, intercept_variance_;
  Nodes roots_;  // one for each feature that has bins
  Nodes below_;  // pairs of children in the order of the splits; the first pair is unused

  std::vector<std::uint32_t>
      path_;  // scratch for learn(): the nodes below the roots that a row passes
};

}  // namespace plumbline::inline v0

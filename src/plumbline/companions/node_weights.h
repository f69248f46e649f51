// Learned weights of the nodes of a tree: logistic regression on indicators of the nodes that a row passes.
//
// Over the trees of a forest, the log-odds of class 1 are the sum of the weights w_v of all nodes v that the row passes
// (Ren, Cao, Wei & Sun, "Global refinement of random forest", CVPR 2015; here online). The counts of a tree know nothing
// of the other trees; the weights are learned together, so trees correct each other as in boosting. Each weight has a
// variance s_v, initially s0 = 1 at a root and 1/3000 below. For a row with label y:
//   s_v <- min(s_v/0.9995, s0),   w_v <- w_v + s_v (y - p),   s_v <- s_v/(1 + p (1 - p) s_v)
// where p is the probability after the step (math/implicit_step.h). With several classes there is one such regression
// for each class against all others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/math/implicit_step.h"

namespace plumbline::inline v0 {

class NodeWeights {
 public:
  // The nodes that a row passes; the first one is the root.
  using Path = std::span<const std::uint32_t>;
  // Over the nodes of a path: the sums of w_v and of s_v.
  struct Sums {
    double margin = 0, variance = 0;
  };

  // The weights of a tree that has only a root. `outputs` is 1 for two classes, otherwise the number of classes.
  NodeWeights(std::size_t most_nodes, std::size_t outputs);

  // Adds the weights, for each output.
  void add_margins(const Path& path, std::span<double> margins) const;
  // The halves of a step: forgets and adds the sums; learns, given the point after the step. For each output.
  void begin_step(const Path& path, std::span<Sums> sums);
  void end_step(const Path& path, std::span<const LogisticPoint> points);

  // Resets two nodes, `left` and its successor, which may be new or have been elsewhere in the tree.
  void start_pair(std::uint32_t left);
  void add_output();
  void archive(Archive& archive, std::size_t nodes);

 private:
  struct Weight {
    float mean, variance;
  };
  static double prior_variance(std::size_t node);
  static Weight fresh(std::size_t node);
  void resize(std::size_t nodes);

  std::size_t most_nodes_, outputs_;
  std::vector<Weight> weights_;  // of each node, for each output
};

}  // namespace plumbline::inline v0

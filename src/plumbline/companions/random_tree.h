// A bounded, randomized decision tree that predicts with the average of all its prunings.
//
// Growing. A leaf draws candidate splits from the first rows that reach it: a random feature, and its value in the row as
// the threshold. It then counts the classes on both sides of each candidate. Once it has counted `grace` rows, not all of
// one class, the candidate with the largest information gain splits the leaf. There is no test of significance,
// because the average guards against splits that do not help.
//
// Averaging (context-tree weighting: Willems, Shtarkov & Tjalkens 1995; of online trees: Mourtada, Gaïffas & Scornet
// 2021). A node v predicts class k with p_vk = (n_vk + 1/2)/(n_v + K/2), by its own counts. An inner node mixes that
// with the mixture of the child that the row belongs to, and after a row of class y it updates the weight by Bayes' rule
// with a fixed share s (Herbster & Warmuth 1998):
//   m_v = a_v p_v + (1 - a_v) m_child,     a_v <- (1 - s) a_v p_vy/m_vy + s/2     (a_v = 1/2 at first)
//
// Fading. Counts and weights are kept for each rate in kFadings: n_vk <- fading n_vk before each row that v counts.
// Counts that fade fast follow drift and runs of labels. The splits are common to all rates and do not fade.
//
// Bounds. When all nodes are in use, a leaf that wants to split takes the children of a node that has two leaves as
// children and predicts better without them; if a search of fixed length finds none, the leaf draws new candidates.
// Memory is proportional to the number of nodes times the number of candidates and classes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plumbline/archive.h"

namespace plumbline::inline v0 {

class RandomTree {
 public:
  static constexpr std::array<double, 3> kFadings{1, 0.8, 0.98};
  static constexpr std::size_t kRates = kFadings.size();
  // A forest may use the first of them only. Rates do not influence each other.
  static constexpr std::size_t kFewestRates = 2;

  struct Limits {
    std::size_t nodes;       // odd: the root, and pairs of children
    std::size_t grace;       // rows that a leaf counts before it splits
    std::size_t candidates;  // splits that a leaf considers
    std::size_t rates = kRates;
  };

  // A row, and the data needed to draw a split from it.
  struct Row {
    std::span<const float> values;
    std::span<const std::uint32_t> drawable;   // the features that candidates are drawn from
    std::span<const float> smallest, largest;  // of each feature so far
  };

  // The trees of a forest have the same seed and different numbers.
  RandomTree(const Limits& limits, std::size_t classes, std::uint64_t seed, std::uint32_t number);

  using Rates = std::array<double, kRates>;

  // The nodes from the root to a leaf.
  static constexpr std::size_t kMaxDepth = 48;
  struct Path {
    std::array<std::uint32_t, kMaxDepth> nodes;
    std::size_t size;

    operator std::span<const std::uint32_t>() const { return std::span(nodes).first(size); }
  };
  // Descends from the root to the leaf of a row, one node per call, until `descend` returns false. If several trees take
  // turns, their memory accesses overlap.
  static void start(Path& path) {
    path.nodes[0] = 0;
    path.size = 1;
  }
  bool descend(std::span<const float> row, Path& path) const {
    const std::uint32_t at = path.nodes[path.size - 1];
    const Node& node = nodes_[at];
    const bool inner = node.child != 0;
    const std::uint32_t child = node.child + (row[node.feature] <= node.threshold ? 0 : 1);
    // Without branches: at a leaf, the entry after the end of the path is written but not used.
    path.nodes[std::min(path.size, kMaxDepth - 1)] = inner ? child : at;
    path.size += inner ? 1 : 0;
    return inner;
  }

  // Writes the mixture m of the root for each class and rate, for a row with this path.
  void predict(const Path& path, std::span<Rates> mixed) const;
  // The same for class 1 of two.
  Rates predict_two(const Path& path) const;
  // Returns the left one of two nodes if the leaf was split, otherwise 0.
  std::uint32_t learn(const Row& row, const Path& path, std::size_t label);
  std::size_t size() const { return nodes_.size(); }
  // Adds a class that no row so far had.
  void add_class();
  // `features` is the number of features; splits of a loaded tree must be below it.
  void archive(Archive& archive, std::size_t features);

 private:
  struct Node {
    float threshold = 0;  // values up to this belong to the left child
    std::uint32_t feature = 0;
    std::uint32_t child = 0;  // the left one, followed by the right one; 0 in a leaf
    std::uint32_t slot = 0;   // of a leaf: the place of its candidates
  };
  // The state of a node: the weights a_v, followed by the counts n_vk of each class.
  Rates* state(std::uint32_t node) { return &states_[node * (classes_ + 1)]; }
  const Rates* state(std::uint32_t node) const { return &states_[node * (classes_ + 1)]; }

  template <std::size_t kClasses>
  void count(const Path& path, std::size_t label);
  void draw(std::uint32_t slot, const Row& row);
  // The candidate with the largest information gain; `candidates` if none has any.
  std::size_t best_candidate(std::uint32_t slot) const;
  std::uint32_t split(std::uint32_t leaf, std::size_t candidate);
  void start_child(std::uint32_t node, std::uint32_t slot, std::size_t candidate, bool left);
  // Two nodes and a slot for a split of `leaf`; `child` is 0 if none are available.
  struct Room {
    std::uint32_t child = 0, slot = 0;
  };
  Room make_room(std::uint32_t leaf);
  void resize(std::size_t nodes);
  void clear_slot(std::uint32_t slot);
  void archive_states(Archive& archive);
  void check(Archive& archive, std::size_t features) const;

  Limits limits_;
  std::size_t classes_;
  std::uint64_t seed_;
  std::uint32_t number_;

  std::vector<Node> nodes_;    // the root is the first one
  std::vector<Rates> states_;  // of each node
  // Candidates of each slot; there are as many slots as leaves.
  std::vector<std::uint32_t> drawn_;     // number of candidates
  std::vector<std::uint32_t> features_;  // of each candidate
  std::vector<float> thresholds_;        // of each candidate
  std::vector<float> lefts_;   // rows on the left of each candidate, for each slot and class
  std::vector<float> totals_;  // rows of each class
  std::uint64_t draws_ = 0;    // number of rows that candidates were drawn from
  std::uint64_t hand_ = 0;     // node at which the last search for a pair of children ended
};

}  // namespace plumbline::inline v0

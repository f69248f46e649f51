// A forest of randomized trees (random_tree.h): finds interactions of features, which linear models and Naive Bayes
// cannot see.
//
// Its first scores are the geometric means of the predictions of its trees, one for each rate of fading. With `refine`,
// another one is the sum of the learned weights of the nodes that the row passes in all trees (node_weights.h).
// Features for candidate splits are drawn from those that had a value other than 0 and 1 in some row so far, and those
// that are not 0 in the current row. A categorical column, which has one feature per value, is thus drawn as often as a
// numeric one. Absent features of sparse rows are 0. Values are rounded to floats; nothing depends on their scale.
// Memory: at most trees * nodes * (96 + candidates * 8) bytes for two classes, about 24 MB by default. Cost per row:
// for each tree, the depth of a leaf and the number of candidates.
#pragma once

#include <cstdint>
#include <vector>

#include "plumbline/companions/companion.h"
#include "plumbline/companions/node_weights.h"
#include "plumbline/companions/random_tree.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class Forest : public Companion {
 public:
  static std::size_t columns_of(const Spec& spec);
  static constexpr CompanionTraits kTraits{.columns = RandomTree::kRates + 1,
                                           .columns_of = columns_of};

  struct Params {
    std::int64_t trees = 20;
    std::int64_t nodes = 4095;
    std::int64_t grace = 40;
    std::int64_t candidates = 24;
    std::int64_t rates = RandomTree::kFewestRates;
    bool refine = false;
    void visit(OptionVisitor& visitor);
  };

  Forest(const Params& params, const CompanionUse& use);

  void learn(const Examples& examples) override;
  void margins(const Batch& batch, std::size_t ahead, std::span<double> margins) const override;
  void grow(std::size_t features) override;
  void add_class() override;
  void archive(Archive& archive) override;

 private:
  // Writes row i into `row`, whose values must be 0. `clear_row` resets them to 0.
  void read_row(const Batch& batch, std::size_t i, std::vector<float>& row) const;
  static void clear_row(const Batch& batch, std::size_t i, std::vector<float>& row);
  // Writes the path of a row in each tree.
  void find_paths(std::span<const float> row, std::vector<RandomTree::Path>& paths) const;
  // Adds the logarithms of the probabilities of each class in each tree, or the log-odds of class 1 of two.
  void add_logs(std::span<const RandomTree::Path> paths, std::span<double> sums) const;
  // Learns the weights of the nodes on `paths_`.
  void learn_weights(Label label);
  // Updates the ranges, and lists the features that candidates can be drawn from.
  void observe(const Batch& batch, std::size_t i);
  void observe_value(std::size_t feature);

  std::size_t features_;
  bool several_;
  std::size_t classes_;
  std::size_t rates_;
  std::vector<RandomTree> trees_;
  std::vector<NodeWeights> weights_;  // of each tree; empty unless they are learned
  std::uint64_t rows_ = 0;
  std::vector<float> smallest_, largest_;  // of each feature so far
  std::vector<std::uint8_t> varied_;       // 1 if a feature had a value other than 0 and 1

  std::vector<float> row_;  // scratch for learn(); never empty, because leaves refer to feature 0
  // Scratch for learn().
  std::vector<std::uint32_t> drawable_;
  std::vector<RandomTree::Path> paths_;
  std::vector<NodeWeights::Sums> sums_;
  std::vector<LogisticPoint> points_;
};

}  // namespace plumbline::inline v0

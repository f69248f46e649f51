// The statistics of the leaves of a Hoeffding tree: for each leaf, class and feature a normal distribution with the
// smallest and the largest value. They answer how likely a row is in each class, and which split of the leaf gains
// the most information.
//
// Means and sums of squares are updated by West's formulas for weighted examples; variances are sums of squares
// divided by (weight - 1), as in MOA and river. A feature takes part in `log_ratio` once it varies within both
// classes. Until then there is no density to compare, and a guess at the missing variance would decide the result.
//
// A fixed number of leaves shares flat arrays, [leaf][class][statistic][feature], so that an update is one loop over
// contiguous memory. Memory: 80 bytes per leaf and feature. Cost of `update` and `log_ratio`: O(d), the former with a
// division per feature; of `best_split`: O(10 d) logarithms.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/batch.h"

namespace plumbline::inline v0 {

class GaussianObservers {
 public:
  using Row = std::span<const double>;
  using ClassWeights = std::array<double, 2>;

  struct Split {
    std::size_t feature = 0;
    double threshold = 0;  // rows with x[feature] <= threshold go left
    double gain = 0;       // information gain in bits
    double runner_up =
        0;  // the gain of the best split of another feature, or of no split, which is 0
    ClassWeights left{}, right{};  // the estimated weights on either side
  };

  explicit GaussianObservers(std::size_t features) : features_(features) {}

  std::size_t leaves() const { return weight_.size(); }
  std::size_t features() const { return features_; }
  // The number of doubles that are saved for so many leaves.
  static std::size_t saved_size(std::size_t leaves, std::size_t features);
  // Makes room for so many leaves, all of them empty.
  void allocate(std::size_t leaves);

  void update(std::size_t leaf, Row x, Label y, double weight);
  // Forgets all that the leaf has seen.
  void clear(std::size_t leaf);
  // True if the leaf has seen both classes.
  bool impure(std::size_t leaf) const { return weight_[leaf][0] > 0 && weight_[leaf][1] > 0; }
  // ln p(x | 1) - ln p(x | 0), features taken as independent; 0 while the leaf knows no density.
  double log_ratio(std::size_t leaf, Row x) const;
  // The best of ten thresholds per feature, evenly spaced between its smallest and largest value. A branch has more
  // than 1 % of the leaf's weight. Empty if no split gains anything.
  std::optional<Split> best_split(std::size_t leaf) const;

  // The new features are as if they had been 0 in every example so far.
  void grow(std::size_t features);
  void archive(Archive& archive);

 private:
  enum Statistic { mean, squares, low, high, kStatistics };

  // Caches for log_ratio.
  struct Density {
    std::size_t features = 0;             // that vary within both classes
    std::array<double, 2> log_squares{};  // per class: the sum of their ln(squares)
    double offset = 0;                    // the part that does not depend on the row
  };

  std::size_t place(std::size_t leaf, std::size_t c, Statistic statistic) const {
    return ((leaf * 2 + c) * kStatistics + statistic) * features_;
  }
  std::size_t inverse_place(std::size_t leaf, std::size_t c) const {
    return (leaf * 2 + c) * features_;
  }
  const double* of(std::size_t leaf, std::size_t c, Statistic statistic) const {
    return statistics_.data() + place(leaf, c, statistic);
  }
  // Weight minus 1, the divisor of variances; 0 if there is none.
  double freedom(std::size_t leaf, std::size_t c) const;
  bool has_density(std::size_t leaf) const;

  void refresh(std::size_t leaf);
  void refresh_class(std::size_t leaf, std::size_t c);
  void refresh_offset(std::size_t leaf);

  std::size_t features_;
  std::vector<ClassWeights> weight_;  // [leaf][class]
  std::vector<double>
      statistics_;  // [leaf][class][statistic][feature]; squares: sums of squared deviations

  std::vector<double>
      inverse_;  // cache [leaf][class][feature]: 1/squares; 0 for features without density
  std::vector<Density> density_;  // cache [leaf]
};

}  // namespace plumbline::inline v0

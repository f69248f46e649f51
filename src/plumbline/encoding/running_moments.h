// Running means and deviations of features, which fill missing numbers in and standardize.
//
// A minibatch is counted before it is predicted: its features, unlike its labels, are known by then. The moments
// of a minibatch are merged into the running ones (Chan, Golub & LeVeque). Features that are not numbers (the
// values of categories) are left alone. In sparse rows an absent feature counts as 0, without being touched: the
// zeros since a feature was last present are merged when it is present again. Cost: O(1) for each value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/batch.h"

namespace plumbline::inline v0 {

class RunningMoments {
 public:
  // Adds features up to this number. They were absent from every row so far, which counts as 0 for those of
  // rows that name their features (`zeros`).
  void grow(std::size_t features, bool is_number, bool zeros = false);

  std::size_t size() const { return count_.size(); }
  std::uint64_t rows() const { return rows_; }
  bool is_number(std::size_t feature) const { return is_number_[feature] != 0; }
  void set_is_number(std::size_t feature, bool is_number) {
    is_number_[feature] = is_number ? 1 : 0;
  }

  // Counts a minibatch; NaN is a missing value.
  void observe(const Batch& batch);
  // Writes the mean where a number is missing, and standardizes numbers if `standardize`. Rows may have more
  // features than there are here, which are left alone. `values` are rows of `columns` each.
  void transform(std::span<double> values, std::size_t columns, bool standardize) const;
  // Divides sparse values by their deviation; the mean stays, so that an absent feature stays 0.
  void scale(std::span<Entry> entries) const;

  void archive(Archive& archive);

 private:
  void observe_dense(const Batch& batch);
  void observe_sparse(const Batch& batch);
  void merge(std::size_t feature, double n, double mean, double m2);
  // Merges `n` values of each feature; a loop that compilers can vectorize.
  void merge_all(double n, std::span<const double> means, const double* m2s);
  double variance(std::size_t feature) const;

  std::vector<char> is_number_;
  std::vector<double> count_, mean_, m2_;
  std::uint64_t rows_ = 0;

  std::vector<double> scratch_;
  std::vector<std::uint32_t> touched_;
};

}  // namespace plumbline::inline v0

// ADWIN (Bifet & Gavaldà, "Learning from time-changing data with adaptive windowing", SDM 2007): a
// window over the last values of a stream, as long as its mean seems not to have changed. It
// shrinks from the old end while a split into n0 old and n1 new values has means more apart than
//   sqrt(2/m v ln(2/d)) + 2/(3m) ln(2/d),  1/m = 1/n0 + 1/n1,  d = delta/ln(n),
// v the variance and n the length of the window. The theorem, where a stream without change shrinks
// it with a probability of at most delta per value, tests every split and has d = delta/n.
// This is the paper's ADWIN2: values are kept as an exponential histogram, at most `buckets` (M)
// buckets of each size 1, 2, 4, …, and only splits between buckets are tested, some ln(n), with at
// least 5 values on either side. Room for M 2^32 values is taken at once, of which O(M log(n/M))
// buckets are in use; older values are forgotten. Cost per value: O(M log(n/M)). Everything is
// summed up anew from the buckets, so that there is nothing to save besides them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plumbline/archive.h"

namespace plumbline::inline v0 {

class Adwin {
 public:
  struct Params {
    double delta = 0.002;     // in (0, 1)
    std::size_t buckets = 5;  // at least 1
  };
  explicit Adwin(const Params& params);

  // Takes the next value, which counts as 0 or 1 beyond them. Whether the window shrank.
  bool add(double value);

  // Of the window.
  std::uint64_t width() const { return summary().count; }
  double mean() const { return summary().mean; }
  double variance() const { return summary().variance; }

  void archive(Archive& archive);

 private:
  static constexpr std::size_t kRows = 33;

  struct Bucket {
    std::uint64_t count;  // 2^row
    double sum;
    double spread;  // sum of the squared differences from the bucket's mean
  };
  struct Summary {
    std::uint64_t count = 0;
    double mean = 0;
    double variance = 0;
  };

  // Calls `use(bucket)` for each bucket, the oldest first, until it returns false.
  template <class Use>
  void for_each_bucket(Use&& use) const;
  Summary summary() const;
  bool has_changed() const;
  void insert(std::size_t row, double sum, double spread);
  void drop(std::size_t row, std::size_t how_many);
  void drop_oldest();

  Params params_;
  // Row r has room for buckets + 1 buckets of 2^r values, the oldest first.
  std::vector<std::uint64_t> used_;
  std::vector<double> sum_, spread_;
};

}  // namespace plumbline::inline v0

// ADWIN (Bifet & Gavaldà, "Learning from time-changing data with adaptive windowing", SDM 2007): a
// window over the latest values of a stream in which no change of the mean is detected. It drops old
// values while there is a split into n0 old and n1 new values whose means differ by more than
//   sqrt(2/m v ln(2/d)) + 2/(3m) ln(2/d),  1/m = 1/n0 + 1/n1,  d = delta/ln(n),
// where v is the variance and n the length of the window. In the theorem, by which a stream without
// change shrinks the window with a probability of at most delta per value, every split is tested and
// d = delta/n.
// This is the paper's ADWIN2: values are stored as an exponential histogram with at most `buckets` (M)
// buckets of each size 1, 2, 4, …. Only the splits between buckets are tested, about ln(n) of them, with
// at least 5 values on either side. Memory for M 2^32 values is allocated at once, of which
// O(M log(n/M)) buckets are in use; older values are dropped. Cost per value: O(M log(n/M)). All sums
// are recomputed from the buckets, which are the whole state.
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

  // Adds a value, clamped to [0, 1]. Returns true if the window shrank.
  bool add(double value);

  // The number of values in the window.
  std::uint64_t width() const { return summary().count; }
  double mean() const { return summary().mean; }
  double variance() const { return summary().variance; }

  void archive(Archive& archive);

 private:
  static constexpr std::size_t kRows = 33;

  struct Bucket {
    std::uint64_t count;  // 2^row
    double sum;
    double spread;  // sum of squared deviations from the bucket's mean
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
  // Row r holds up to buckets + 1 buckets of 2^r values, the oldest first.
  std::vector<std::uint64_t> used_;
  std::vector<double> sum_, spread_;
};

}  // namespace plumbline::inline v0

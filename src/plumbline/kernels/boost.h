// The inner loops of online boosting, for up to 8 learners side by side in the lanes of vectors.
//
// An example passes the learners in order, and each learner sees the examples in order. So while
// learner r works on example i, learner r + 1 can work on example i - 1, and so on: a wave. Lane
// 7 - r holds learner r, so that at each tick the lanes look at neighbouring examples. All
// that is computed in a lane is what one learner alone would compute, operation by operation, whatever
// the number of lanes that the processor has: the same bits everywhere.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plumbline/batch.h"

namespace plumbline::inline v0::kernels {

inline constexpr std::size_t kBlock = 8;
inline constexpr std::size_t lane_of(std::size_t learner) { return kBlock - 1 - learner % kBlock; }

inline constexpr double kMinLambda = 1e-100;

// How the weight lambda of an example changes on its way along the learners (ensemble/online_boost.h).
struct BoostRule {
  bool resample;
  bool test_unseen;
  double error_floor;
  double weight_cap;
  double prior_weight;
  std::uint64_t seed;

  double error(double correct, double wrong) const {
    const double total = (wrong + correct) + 2 * prior_weight;
    if (total == 0) return 0.5;
    return std::clamp((wrong + prior_weight) / total, error_floor, 1 - error_floor);
  }
  double passed_on(double lambda, bool correct, double eps) const {
    return std::clamp(lambda / (2 * (correct ? 1 - eps : eps)), kMinLambda, weight_cap);
  }
};

// Rows of a minibatch, feature after feature, so that neighbouring examples are side by side; with
// room for a wave on both sides, where all is 0.
class Columns {
 public:
  // The labels alone, unless the features are needed.
  void assign(const Examples& examples, bool with_features);

  std::size_t rows() const { return rows_; }
  // Where the first example is; from kBlock before it to kBlock behind the last may be read.
  const double* feature(std::size_t j) const { return &values_[j * stride_ + kBlock]; }
  std::size_t stride() const { return stride_; }
  const double* labels() const { return &labels_[kBlock]; }

 private:
  std::size_t rows_ = 0, stride_ = 0;
  std::vector<double> values_, labels_;
};

// What a pass of a minibatch along the learners of one block needs besides the learners. What goes by lane
// is aligned to 64 bytes, here and in all kernels.
struct Pass {
  const Columns* examples;
  std::uint64_t first;   // the number of the first example in the stream
  std::uint32_t stream;  // of draws: that of the block's first learner
  std::size_t learners;  // of the block; the lanes below theirs are idle
  double* lambda;        // of each example: comes in, and goes on to the next block
  double* correct;       // [kBlock] by lane: weight of right and of wrong answers
  double* wrong;
  BoostRule rule;
};

// When a learner's vote on an example is taken.
enum class VoteTime { before, after };

// Algorithm 1 with votes that are known beforehand: `margins` is [learners][rows]. The weights that the
// learners should learn the examples with go to `weights`, [rows][kBlock].
void boost_known(const Pass& pass, const double* margins, std::size_t stride, double* weights);

}  // namespace plumbline::inline v0::kernels

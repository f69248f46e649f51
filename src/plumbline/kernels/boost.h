// The inner loops of online boosting, for up to 8 learners in the lanes of vectors.
//
// An example passes the learners in order, and each learner sees the examples in order. While learner
// r works on example i, learner r + 1 can work on example i - 1, and so on: a wavefront. Lane 7 - r
// holds learner r, so that at each tick the lanes work on neighbouring examples. Each lane computes
// what a single learner would compute, operation by operation, for any number of lanes of the
// processor. Results are therefore the same to the bit everywhere.
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

// The update of an example's weight lambda from one learner to the next (ensemble/online_boost.h).
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

// Rows of a minibatch, column-major, so that neighbouring examples are adjacent. Zeros on both sides
// pad each column for the wavefront.
class Columns {
 public:
  // Copies the labels and, if requested, the features.
  void assign(const Examples& examples, bool with_features);

  std::size_t rows() const { return rows_; }
  // Points to the first example; kBlock values before it and behind the last one are readable.
  const double* feature(std::size_t j) const { return &values_[j * stride_ + kBlock]; }
  std::size_t stride() const { return stride_; }
  const double* labels() const { return &labels_[kBlock]; }

 private:
  std::size_t rows_ = 0, stride_ = 0;
  std::vector<double> values_, labels_;
};

// Arguments of a pass of a minibatch along the learners of one block, besides the learners. Here and in all kernels,
// arrays with one value per lane are aligned to 64 bytes.
struct Pass {
  const Columns* examples;
  std::uint64_t first;   // index of the first example in the stream
  std::uint32_t stream;  // random stream of the block's first learner
  std::size_t learners;  // number of learners in the block; the lanes below theirs are idle
  double* lambda;        // weight of each example: input, and output for the next block
  double* correct;       // [kBlock] by lane: weight of right and of wrong answers
  double* wrong;
  BoostRule rule;
};

// Time of a learner's vote on an example, relative to the update.
enum class VoteTime { before, after };

// Algorithm 1 with precomputed votes: `margins` is [learners][rows]. The weights for learning the examples are written
// to `weights`, [rows][kBlock].
void boost_precomputed(const Pass& pass, const double* margins, std::size_t stride,
                       double* weights);

}  // namespace plumbline::inline v0::kernels

// Linear classifiers by stochastic gradient descent (learners/sgd_linear.h) for a block of learners (boost.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "plumbline/kernels/boost.h"
#include "plumbline/kernels/sparse_rows.h"
#include "plumbline/math/portable_math.h"

namespace plumbline::inline v0::kernels {

enum class SgdLoss { logistic, hinge, perceptron };
enum class SgdPenalty { none, l2, l1, l1_forgetful };

// The scalar operations of one step.
struct SgdRule {
  // The bound of weights that keeps every product and sum finite, for features up to 1e150.
  static constexpr double kMaxWeight = 1e140;
  // Below this scale, weights are multiplied by their scale, which is then reset to 1.
  static constexpr double kLeastScale = 1e-9;
  // Beyond this logit the logistic loss is linear or 0 to machine precision.
  static constexpr double kMostLogit = 700;

  SgdLoss loss;
  SgdPenalty penalty;
  double alpha;
  double t0;    // of the decreasing rate
  double eta0;  // the constant rate; 0 for the decreasing one

  static double bounded(double weight) { return std::clamp(weight, -kMaxWeight, kMaxWeight); }

  bool is_l1() const { return penalty == SgdPenalty::l1 || penalty == SgdPenalty::l1_forgetful; }
  double rate(double step) const { return eta0 > 0 ? eta0 : 1 / (alpha * (t0 + step - 1)); }
  double shrink(double eta) const { return std::max(0.0, 1 - eta * alpha); }
  // The derivative of the loss with respect to the margin, for a label y of -1 or 1.
  double gradient(double margin, double y) const {
    const double z = y * margin;
    if (loss == SgdLoss::logistic)
      return -y / (1 + portable_exp(std::clamp(z, -kMostLogit, kMostLogit)));
    return z <= (loss == SgdLoss::hinge ? 1 : 0) ? -y : 0;
  }
  // The weight after paying the l1 penalty up to `due`. `paid` is the amount paid so far (l1), or the
  // amount that was due at the last payment (l1_forgetful).
  double after_l1(double weight, double due, double paid) const {
    const double above = penalty == SgdPenalty::l1 ? due + paid : due - paid;
    return weight > 0 ? std::max(0.0, weight - std::max(0.0, above))
                      : std::min(0.0, weight + std::max(0.0, due - paid));
  }
  double paid_l1(double before, double after, double due, double paid) const {
    return penalty == SgdPenalty::l1 ? bounded((paid + after) - before) : due;
  }
};

// Up to 8 linear learners.
struct SgdBlock {
  enum Total { scale, intercept, step, l1_due, kTotals };

  std::size_t features;
  SgdRule rule;
  bool clamp;       // clamps weights; needed if they could reach their bound
  double* weights;  // [features][kBlock]
  double* l1_paid;  // [features][kBlock]; null without l1
  double* totals;   // [kTotals][kBlock]
};

// Algorithm 1 with linear learners; each weight is the importance of one update.
void boost_sgd(const Pass& pass, VoteTime time, const SgdBlock& block);
// All learners of the block learn the rows; `weights` is [rows][kBlock].
void learn_sgd(const Examples& examples, const double* weights, std::size_t learners,
               const SgdBlock& block);
// Writes the weights after paying the l1 penalty due so far.
void settle_sgd(const SgdBlock& block, double* settled);
// Writes the margin of learner r and row i to margins[r * stride + i]. The weights must have paid their l1 penalty.
void margins_sgd(const Batch& batch, std::size_t learners, const SgdBlock& block, double* margins,
                 std::size_t stride);

// The operations above for sparse rows, from row `from` on, with the same results to the bit.
void boost_sgd(const Pass& pass, VoteTime time, const SgdBlock& block, const Batch& rows,
               std::size_t from);
void learn_sgd(std::span<const Label> labels, const double* weights, std::size_t learners,
               const SgdBlock& block, const Batch& rows, std::size_t from);
void sparse_margins_sgd(const Batch& rows, std::size_t learners, const SgdBlock& block,
                        double* margins, std::size_t stride);

}  // namespace plumbline::inline v0::kernels

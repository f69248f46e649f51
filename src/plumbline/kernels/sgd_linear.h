// Linear classifiers by stochastic gradient descent (learners/sgd_linear.h) for the learners of a block side
// by side (boost.h).
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

// One step, number by number.
struct SgdRule {
  // With features of at most 1e150, weights within this bound keep every product and sum finite.
  static constexpr double kMaxWeight = 1e140;
  // Where weights are multiplied out with their scale, which becomes 1 again.
  static constexpr double kLeastScale = 1e-9;
  // Beyond it the logistic loss is as good as linear, or 0.
  static constexpr double kMostLogit = 700;

  SgdLoss loss;
  SgdPenalty penalty;
  double alpha;
  double t0;    // of the falling rate
  double eta0;  // the constant rate; 0 for the falling one

  static double bounded(double weight) { return std::clamp(weight, -kMaxWeight, kMaxWeight); }

  bool is_l1() const { return penalty == SgdPenalty::l1 || penalty == SgdPenalty::l1_forgetful; }
  double rate(double step) const { return eta0 > 0 ? eta0 : 1 / (alpha * (t0 + step - 1)); }
  double shrink(double eta) const { return std::max(0.0, 1 - eta * alpha); }
  // Of the loss by the margin, for a label y of -1 or 1.
  double gradient(double margin, double y) const {
    const double z = y * margin;
    if (loss == SgdLoss::logistic)
      return -y / (1 + portable_exp(std::clamp(z, -kMostLogit, kMostLogit)));
    return z <= (loss == SgdLoss::hinge ? 1 : 0) ? -y : 0;
  }
  // A weight that has paid the l1 penalty up to `due`, where `paid` is what it has paid so far (l1), or
  // what was due when it last paid (l1_forgetful).
  double after_l1(double weight, double due, double paid) const {
    const double above = penalty == SgdPenalty::l1 ? due + paid : due - paid;
    return weight > 0 ? std::max(0.0, weight - std::max(0.0, above))
                      : std::min(0.0, weight + std::max(0.0, due - paid));
  }
  double paid_l1(double before, double after, double due, double paid) const {
    return penalty == SgdPenalty::l1 ? bounded((paid + after) - before) : due;
  }
};

// Up to 8 such learners.
struct SgdBlock {
  enum Total { scale, intercept, step, l1_due, kTotals };

  std::size_t features;
  SgdRule rule;
  bool clamp;       // whether weights could reach their bound
  double* weights;  // [features][kBlock]
  double* l1_paid;  // the same; none without l1
  double* totals;   // [kTotals][kBlock]
};

// Algorithm 1 with such learners, each weight being the importance of one update.
void boost_sgd(const Pass& pass, VoteTime time, const SgdBlock& block);
// All learners of the block learn the rows, `weights` being [rows][kBlock].
void learn_sgd(const Examples& examples, const double* weights, std::size_t learners,
               const SgdBlock& block);
// The weights after l1 as of now.
void settle_sgd(const SgdBlock& block, double* settled);
// margins[r * stride + i] of learner r and row i; of weights that have paid their l1.
void margins_sgd(const Batch& batch, std::size_t learners, const SgdBlock& block, double* margins,
                 std::size_t stride);

// The same with sparse rows, from the row `from` on; with the same bits.
void boost_sgd(const Pass& pass, VoteTime time, const SgdBlock& block, const Batch& rows,
               std::size_t from);
void learn_sgd(std::span<const Label> labels, const double* weights, std::size_t learners,
               const SgdBlock& block, const Batch& rows, std::size_t from);
void sparse_margins_sgd(const Batch& rows, std::size_t learners, const SgdBlock& block,
                        double* margins, std::size_t stride);

}  // namespace plumbline::inline v0::kernels

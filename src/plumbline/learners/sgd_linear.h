// Linear classifiers by stochastic gradient descent, equal to scikit-learn's SGDClassifier:
// `logistic` (log loss), `linear_svm` (hinge) and `perceptron` are this class with another loss.
//
// Per example, with p = w.x + b, label y in {-1, +1}, and weight k:
//   eta = 1/(alpha (t0 + t - 1)), t0 = alpha^(-3/4)   (rate `optimal`), or eta0 (`constant`)
//   g   = -y/(1+e^{yp})  |  -y if yp <= 1  |  -y if yp <= 0
//   l2:  w *= max(0, 1 - eta alpha)
//   w  += -eta g k x,   b += -eta g k
//   l1:  U += eta alpha, and each w_j moves towards 0 by its unpaid part of U (Tsuruoka et al. 2009).
//        scikit-learn resets U and the payments at every partial_fit call; a stream has no calls, so
//        they are kept here, and equal scikit-learn's over one call. `l1_memory=false` equals
//        scikit-learn called once for each example: w_j moves towards 0 by eta alpha.
//   t  += 1, also for k = 0.
// Weights are stored as w = scale v: l2 changes only the scale, and a feature that is 0 costs nothing;
// its l1 penalty is paid when it is not 0 the next time. w.x is computed as the sum over even features
// plus the sum over odd features.
// v is clamped to +-1e140, so that no input causes an infinity; scikit-learn does not do so.
// Not lossless: k updates differ from one update of weight k. Repetitions are limited to 10,000. Cost
// per example: O(d).
#pragma once

#include <vector>

#include "plumbline/kernels/sgd_linear.h"
#include "plumbline/kernels/sgd_sparse.h"
#include "plumbline/learner.h"
#include "plumbline/options.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

class SgdLinear : public Learner {
 public:
  using Loss = kernels::SgdLoss;
  enum class Penalty { none, l2, l1 };
  enum class LearningRate { optimal, constant };

  struct Params {
    Loss loss = Loss::logistic;  // set by the registry row, not by the user
    Penalty penalty = Penalty::l2;
    double alpha = 1e-4;
    LearningRate learning_rate = LearningRate::optimal;
    double eta0 = 1;
    bool l1_memory = true;
    void visit(OptionVisitor& visitor);
    kernels::SgdRule rule() const;
  };

  // The state in model files.
  struct State {
    State(const kernels::SgdRule& rule, std::size_t features);

    bool is_l1;
    std::vector<double> weights;  // v
    double scale = 1;
    double intercept = 0;
    double step = 1;              // t
    double l1_due = 0;            // U: the penalty that every weight should have paid so far
    std::vector<double> l1_paid;  // per weight (SgdRule::after_l1); empty without l1

    void grow(std::size_t features);
    void archive(Archive& archive);
  };

  static constexpr LearnerTraits kTraits{.sparse_rows = true};

  SgdLinear(const Params& params, FeatureSpace features);

  const Params& params() const { return params_; }
  bool lossless() const override { return false; }
  void learn_each(const Examples& examples, std::span<const double> weights, const LearnMode& mode,
                  std::span<Label> votes) override;
  void learn_batch(const Examples& examples, std::span<const double> weights,
                   Weighting weighting = Weighting::importance) override;
  void margins(const Batch& batch, std::span<double> margins) const override;
  void grow(std::size_t features) override { state_.grow(features); }
  void archive(Archive& archive) override { state_.archive(archive); }

 private:
  using Row = std::span<const double>;

  void learn_weighted(const Batch& batch, std::size_t row, Label y, double weight,
                      Weighting weighting);
  double margin(const Batch& batch, std::size_t row) const;
  // The implementation for sparse rows.
  kernels::SparseSgd sparse() const;
  void learn(Row x, Label y, double weight);
  double margin(Row x) const;
  // The margin of a row whose features have paid their l1 penalty.
  double paid_margin(Row x) const;
  void pay_l1(Row x);

  Params params_;
  kernels::SgdRule rule_;
  State state_;
};

}  // namespace plumbline::inline v0

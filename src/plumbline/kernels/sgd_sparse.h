// A linear learner by SGD on sparse rows. It computes the same bits as learners/sgd_linear.h does for dense rows, but
// reads only the features that are present. Even and odd features are summed separately, as there.
#pragma once

#include <cstddef>
#include <span>

#include "plumbline/batch.h"
#include "plumbline/kernels/sgd_linear.h"

namespace plumbline::inline v0::kernels {

class SparseSgd {
 public:
  using Row = std::span<const Entry>;

  // References to the state of a learner: the weight of feature j is at j times the stride.
  struct State {
    std::size_t features;
    double *weights, *l1_paid;
    std::size_t stride;
    double &scale, &intercept, &step, &l1_due;
  };

  SparseSgd(const SgdRule& rule, const State& state) : rule_(rule), state_(state) {}
  // For one learner of a block.
  SparseSgd(const SgdBlock& block, std::size_t learner);

  double margin(Row x) const;
  void learn(Row x, Label y, double weight);

 private:
  template <class Weight>
  double sum(Row x, const Weight& weight) const;
  // The margin of a row whose features have paid their l1 penalty.
  double paid_margin(Row x) const;
  void pay_l1(Row x);
  void multiply_out();

  const SgdRule& rule_;
  State state_;
};

}  // namespace plumbline::inline v0::kernels

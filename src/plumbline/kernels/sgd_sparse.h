// One linear learner by SGD on sparse rows: what learners/sgd_linear.h does with dense ones, to the last bit, looking
// only at the features that a row has. Sums go over even and odd features apart, as there.
#pragma once

#include <cstddef>
#include <span>

#include "plumbline/batch.h"
#include "plumbline/kernels/sgd_linear.h"

namespace plumbline::inline v0::kernels {

class SparseSgd {
 public:
  using Row = std::span<const Entry>;

  // The state of a learner, wherever it lies: the weight of feature j at j times the stride.
  struct State {
    std::size_t features;
    double *weights, *l1_paid;
    std::size_t stride;
    double &scale, &intercept, &step, &l1_due;
  };

  SparseSgd(const SgdRule& rule, const State& state) : rule_(rule), state_(state) {}
  // A learner of a block.
  SparseSgd(const SgdBlock& block, std::size_t learner);

  double margin(Row x) const;
  void learn(Row x, Label y, double weight);

 private:
  template <class Weight>
  double sum(Row x, const Weight& weight) const;
  // If the row's features have paid their l1.
  double paid_margin(Row x) const;
  void pay_l1(Row x);
  void multiply_out();

  const SgdRule& rule_;
  State state_;
};

}  // namespace plumbline::inline v0::kernels

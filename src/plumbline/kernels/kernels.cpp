// All kernels in one file: Highway's headers take more than a second to compile.
#include "plumbline/kernels/boost.h"
#include "plumbline/kernels/gaussian_nb.h"
#include "plumbline/kernels/sgd_linear.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plumbline/kernels/kernels.cpp"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"
#include "plumbline/kernels/gaussian_nb-inl.h"
#include "plumbline/kernels/precomputed-inl.h"
#include "plumbline/kernels/sgd_linear-inl.h"

#if HWY_ONCE
#include "plumbline/kernels/instruction_set.h"

namespace plumbline::inline v0::kernels {

void boost_precomputed(const Pass& pass, const double* margins, std::size_t stride,
                       double* weights) {
  PLUMBLINE_DISPATCH(BoostPrecomputed, pass.learners, pass.examples->rows())
  (pass, margins, stride, weights);
}

void boost_nb(const Pass& pass, VoteTime time, const NbBlock& block) {
  PLUMBLINE_DISPATCH(BoostNb, pass.learners, pass.examples->rows())(pass, time, block);
}
void learn_nb(const Examples& examples, const double* weights, std::size_t learners,
              const NbBlock& block) {
  PLUMBLINE_DISPATCH(LearnNb, learners)(examples, weights, learners, block);
}
void refresh_nb(std::size_t learners, const NbBlock& block) {
  PLUMBLINE_DISPATCH(RefreshNb, learners)(learners, block);
}
void margins_nb(const Batch& batch, std::size_t learners, const NbBlock& block, double* margins,
                std::size_t stride) {
  PLUMBLINE_DISPATCH(MarginsNb, learners)(batch, learners, block, margins, stride);
}

void boost_sgd(const Pass& pass, VoteTime time, const SgdBlock& block) {
  PLUMBLINE_DISPATCH(BoostSgd, pass.learners, pass.examples->rows())(pass, time, block);
}
void learn_sgd(const Examples& examples, const double* weights, std::size_t learners,
               const SgdBlock& block) {
  PLUMBLINE_DISPATCH(LearnSgd, learners)(examples, weights, learners, block);
}
void settle_sgd(const SgdBlock& block, double* settled) {
  PLUMBLINE_DISPATCH(SettleSgd, kBlock)(block, settled);
}
void margins_sgd(const Batch& batch, std::size_t learners, const SgdBlock& block, double* margins,
                 std::size_t stride) {
  PLUMBLINE_DISPATCH(MarginsSgd, learners)(batch, learners, block, margins, stride);
}

}  // namespace plumbline::inline v0::kernels
#endif

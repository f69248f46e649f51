// The wavefront with precomputed votes, for kernels.cpp. This file is included once for each instruction set, so it has no
// ordinary include guard.
#if defined(PLUMBLINE_KERNELS_PRECOMPUTED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMBLINE_KERNELS_PRECOMPUTED_INL_H_
#undef PLUMBLINE_KERNELS_PRECOMPUTED_INL_H_
#else
#define PLUMBLINE_KERNELS_PRECOMPUTED_INL_H_
#endif

#include <array>
#include <cstddef>

#include "hwy/highway.h"
#include "plumbline/kernels/wavefront-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumbline::inline v0::kernels::HWY_NAMESPACE {

// Reads precomputed votes and records the weights.
class PrecomputedWork {
 public:
  PrecomputedWork(std::size_t rows, std::size_t learners, const double* margins, std::size_t stride,
                  double* weights)
      : rows_(static_cast<std::ptrdiff_t>(rows)),
        learners_(learners),
        margins_(margins),
        stride_(stride),
        weights_(weights) {}

  template <int G>
  HWY_INLINE void Begin(std::size_t lowest) {
    lowest_ = lowest;
  }
  template <int G>
  HWY_INLINE void End() {}

  template <int G>
  HWY_INLINE void Step(std::ptrdiff_t at, const Group<V, G>& weight, const Group<M, G>&,
                       const Group<M, G>&, Group<M, G>& vote) {
    constexpr std::size_t kWide = static_cast<std::size_t>(G) * kLanes;
    alignas(64) std::array<double, kWide> margins{}, recorded;
    for (std::size_t i = 0; i < kWide; ++i) {
      const std::ptrdiff_t row = at + static_cast<std::ptrdiff_t>(i);
      const std::size_t learner = kBlock - 1 - (lowest_ + i);
      if (row < 0 || row >= rows_ || learner >= learners_) continue;
      margins[i] = margins_[learner * stride_ + static_cast<std::size_t>(row)];
    }
    Each<G>([&](std::size_t g) KERNEL_INLINE {
      vote[g] = hn::Gt(hn::Load(D(), margins.data() + g * kLanes), hn::Zero(D()));
      hn::Store(weight[g], D(), recorded.data() + g * kLanes);
    });
    for (std::size_t i = 0; i < kWide; ++i) {
      const std::ptrdiff_t row = at + static_cast<std::ptrdiff_t>(i);
      if (row < 0 || row >= rows_) continue;
      weights_[static_cast<std::size_t>(row) * kBlock + lowest_ + i] = recorded[i];
    }
  }

 private:
  std::ptrdiff_t rows_;
  std::size_t learners_;
  const double* margins_;
  std::size_t stride_;
  double* weights_;
  std::size_t lowest_ = 0;
};

void BoostPrecomputed(const Pass& pass, const double* margins, std::size_t stride,
                      double* weights) {
  PrecomputedWork work(pass.examples->rows(), pass.learners, margins, stride, weights);
  AllWaves(pass, work);
}

}  // namespace plumbline::inline v0::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // once for each instruction set

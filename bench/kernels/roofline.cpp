#include "bench/kernels/roofline.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/kernels/roofline.cpp"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"
#include "plumbline/kernels/gaussian_nb.h"

HWY_BEFORE_NAMESPACE();
namespace plumbline::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;
using DU = hn::RebindToUnsigned<D>;
using VU = hn::Vec<DU>;

constexpr std::size_t kLanes = hn::MaxLanes(D());
using kernels::kBlock, kernels::NbBlock;

// Makes the compiler believe that the value was changed, or used: it costs nothing, and the processor sees
// no dependency.
#undef PLUMBLINE_CHANGED
#undef PLUMBLINE_USED
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
#define PLUMBLINE_CHANGED(v) asm volatile("" : "+x"((v).raw))
#define PLUMBLINE_USED(v) asm volatile("" : : "x"((v).raw))
#elif HWY_ARCH_ARM && HWY_TARGET != HWY_SCALAR
#define PLUMBLINE_CHANGED(v) asm volatile("" : "+w"((v).raw))
#define PLUMBLINE_USED(v) asm volatile("" : : "w"((v).raw))
#else
#define PLUMBLINE_CHANGED(v) asm volatile("" : "+m"(v))
#define PLUMBLINE_USED(v) asm volatile("" : : "m"(v))
#endif

// Loads and stores of a step.
HWY_INLINE void Exchange(double* of, const double* x) {
  const D d;
  const V feature = hn::LoadU(d, x);
  PLUMBLINE_USED(feature);
#pragma GCC unroll 6
  for (std::size_t m = 0; m < NbBlock::kMoments; ++m) {
    V moment = hn::Load(d, of + m * kBlock);
    PLUMBLINE_CHANGED(moment);
    hn::Store(moment, d, of + m * kBlock);
  }
}

// Few distinct inputs, so that they fit into registers (all but two constants do with 16 of them); each step is independent of the last, except
// for the sums and the product, as in the kernel.
template <bool kMemory>
HWY_INLINE void BoostPass(std::size_t passes, std::size_t features, double* moments,
                          const double* x, std::size_t stride) {
  const D d;
  const DU du;
  V a = hn::Set(d, 0.7), b = hn::Set(d, 1.3), c = hn::Set(d, 0.9);
  const V unit = hn::Set(d, 1.0);
  const VU low = hn::Set(du, 0x000FFFFFFFFFFFFF);
  const M one = hn::Gt(hn::Iota(d, 0), hn::Set(d, 0.5));
  for (std::size_t pass = 0; pass < passes; ++pass) {
    V distance[2] = {hn::Zero(d), hn::Zero(d)}, mantissa[2] = {unit, unit};
    VU exponents[2] = {hn::Zero(du), hn::Zero(du)};
    double* of = moments;
    const double* value = x + pass % 64;
    for (std::size_t j = 0; j < features; ++j) {
#pragma GCC unroll 2
      for (std::size_t g = 0; g < 2; ++g) {
        PLUMBLINE_CHANGED(a);
        PLUMBLINE_CHANGED(b);
        PLUMBLINE_CHANGED(c);
        const V mean = hn::IfThenElse(one, b, c);
        const V delta = a - mean, moved = a * delta;
        const V new_mean = mean + moved;
        const V variance = b * (hn::IfThenElse(one, c, b) + moved * delta);
        const V ratio = hn::Max(variance * c, unit), precision = c / ratio;
        const VU bits = hn::BitCast(du, ratio);
        exponents[g] = exponents[g] + hn::ShiftRight<52>(bits);
        mantissa[g] =
            mantissa[g] * hn::BitCast(d, hn::Or(hn::And(bits, low), hn::BitCast(du, unit)));
        const V mean0 = hn::IfThenElse(one, b, new_mean), mean1 = hn::IfThenElse(one, new_mean, c);
        const V variance0 = hn::IfThenElse(one, c, variance);
        PLUMBLINE_USED(variance0);
        const V variance1 = hn::IfThenElse(one, variance, b);
        PLUMBLINE_USED(variance1);
        const V precision0 = hn::IfThenElse(one, a, precision);
        const V precision1 = hn::IfThenElse(one, precision, a);
        const V from0 = a - mean0, from1 = a - mean1;
        distance[g] = distance[g] + ((from0 * from0) * precision0 - (from1 * from1) * precision1);
        if (kMemory) Exchange(of + g * kLanes, value + g * kLanes);
      }
      if (kMemory) {
        of += NbBlock::kMoments * kBlock;
        value += stride;
      }
    }
    for (int g = 0; g < 2; ++g) {
      PLUMBLINE_USED(distance[g]);
      PLUMBLINE_USED(mantissa[g]);
      PLUMBLINE_USED(exponents[g]);
    }
  }
}

void TrainingOperations(std::size_t passes, std::size_t features) {
  BoostPass<false>(passes, features, nullptr, nullptr, 0);
}
void TrainingTogether(std::size_t passes, std::size_t features, double* moments, const double* x,
                      std::size_t stride) {
  BoostPass<true>(passes, features, moments, x, stride);
}

// The same places as those of a wave of two vectors; x moves on by one example with each pass.
void TrainingMemory(std::size_t passes, std::size_t features, double* moments, const double* x,
                    std::size_t stride) {
  for (std::size_t pass = 0; pass < passes; ++pass) {
    double* of = moments;
    const double* value = x + pass % 64;
    for (std::size_t j = 0; j < features; ++j, of += NbBlock::kMoments * kBlock, value += stride) {
#pragma GCC unroll 2
      for (std::size_t g = 0; g < 2; ++g) {
        Exchange(of + g * kLanes, value + g * kLanes);
      }
    }
  }
}

// Loads of a step: of each row the feature, and of the four rows one moment each.
HWY_INLINE void Look(const double* of, const double* x, std::size_t r) {
  const D d;
  const V moment = hn::Load(d, of + (r < 2 ? r : r + 2) * kBlock);
  PLUMBLINE_USED(moment);
  const V feature = hn::Set(d, *x);
  PLUMBLINE_USED(feature);
}

template <bool kMemory>
HWY_INLINE void Prediction(std::size_t passes, std::size_t features, const double* moments,
                           const double* x) {
  const D d;
  V a = hn::Set(d, 0.7), b = hn::Set(d, 1.3), c = hn::Set(d, 0.9);
  for (std::size_t pass = 0; pass < passes; ++pass) {
    V distance[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    for (std::size_t j = 0; j < features; ++j) {
#pragma GCC unroll 4
      for (std::size_t r = 0; r < 4; ++r) {
        if (kMemory) Look(moments + j * NbBlock::kMoments * kBlock, x + r * features + j, r);
        PLUMBLINE_CHANGED(a);
        const V from0 = a - b, from1 = a - c;
        distance[r] = distance[r] + ((from0 * from0) * b - (from1 * from1) * c);
      }
    }
    for (int r = 0; r < 4; ++r) PLUMBLINE_USED(distance[r]);
  }
}

void PredictionOperations(std::size_t passes, std::size_t features) {
  Prediction<false>(passes, features, nullptr, nullptr);
}
void PredictionTogether(std::size_t passes, std::size_t features, const double* moments,
                        const double* x) {
  Prediction<true>(passes, features, moments, x);
}

void PredictionMemory(std::size_t passes, std::size_t features, const double* moments,
                      const double* x) {
  for (std::size_t pass = 0; pass < passes; ++pass) {
    const double* of = moments;
    for (std::size_t j = 0; j < features; ++j, of += NbBlock::kMoments * kBlock) {
#pragma GCC unroll 4
      for (std::size_t r = 0; r < 4; ++r) Look(of, x + r * features + j, r);
    }
  }
}

std::size_t Lanes() { return kLanes; }
const char* InstructionSet() { return hwy::TargetName(HWY_TARGET); }

}  // namespace plumbline::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumbline::bench {

HWY_EXPORT(TrainingOperations);
HWY_EXPORT(TrainingMemory);
HWY_EXPORT(TrainingTogether);
HWY_EXPORT(PredictionOperations);
HWY_EXPORT(PredictionMemory);
HWY_EXPORT(PredictionTogether);
HWY_EXPORT(Lanes);
HWY_EXPORT(InstructionSet);

std::size_t lanes() { return HWY_DYNAMIC_DISPATCH(Lanes)(); }
const char* instruction_set() { return HWY_DYNAMIC_DISPATCH(InstructionSet)(); }
void training_operations(std::size_t passes, std::size_t features) {
  HWY_DYNAMIC_DISPATCH(TrainingOperations)(passes, features);
}
void training_memory(std::size_t passes, std::size_t features, double* moments, const double* x,
                     std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(TrainingMemory)(passes, features, moments, x, stride);
}
void prediction_operations(std::size_t passes, std::size_t features) {
  HWY_DYNAMIC_DISPATCH(PredictionOperations)(passes, features);
}
void prediction_memory(std::size_t passes, std::size_t features, const double* moments,
                       const double* x) {
  HWY_DYNAMIC_DISPATCH(PredictionMemory)(passes, features, moments, x);
}
void training_together(std::size_t passes, std::size_t features, double* moments, const double* x,
                       std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(TrainingTogether)(passes, features, moments, x, stride);
}
void prediction_together(std::size_t passes, std::size_t features, const double* moments,
                         const double* x) {
  HWY_DYNAMIC_DISPATCH(PredictionTogether)(passes, features, moments, x);
}

}  // namespace plumbline::bench
#endif

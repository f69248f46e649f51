// Naive Bayes (gaussian_nb.h), for kernels.cpp. This file is included once for each instruction set, so it has no
// ordinary include guard.
#if defined(PLUMBLINE_KERNELS_GAUSSIAN_NB_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMBLINE_KERNELS_GAUSSIAN_NB_INL_H_
#undef PLUMBLINE_KERNELS_GAUSSIAN_NB_INL_H_
#else
#define PLUMBLINE_KERNELS_GAUSSIAN_NB_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <numbers>

#include "hwy/highway.h"
#include "plumbline/kernels/gaussian_nb.h"
#include "plumbline/kernels/gaussian_nb_limits.h"
#include "plumbline/kernels/wavefront-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumbline::inline v0::kernels::HWY_NAMESPACE {

// A product of factors >= 1, as mantissa in [1, 2) and exponent.
struct Product {
  V mantissa, exponent;
  VU exponents;

  HWY_INLINE void Begin() {
    mantissa = At(1);
    exponent = hn::Zero(D());
    exponents = hn::Zero(hn::RebindToUnsigned<D>());
  }
  HWY_INLINE void Times(V factor) {
    const hn::RebindToUnsigned<D> du;
    const VU bits = hn::BitCast(du, factor);
    exponents = exponents + hn::ShiftRight<kExponentShift>(bits);
    mantissa = mantissa * hn::BitCast(D(), hn::Or(hn::And(bits, hn::Set(du, kMantissaBits)),
                                                  hn::Set(du, kOneBits)));
  }
  // Must be called after at most kMostFactors factors.
  HWY_INLINE void Normalise(std::size_t factors) {
    const hn::RebindToUnsigned<D> du;
    const VU bits = hn::BitCast(du, mantissa);
    exponent = exponent + (SmallToDouble(D(), exponents + hn::ShiftRight<kExponentShift>(bits)) -
                           At(1023.0 * static_cast<double>(factors + 1)));
    exponents = hn::Zero(du);
    mantissa =
        hn::BitCast(D(), hn::Or(hn::And(bits, hn::Set(du, kMantissaBits)), hn::Set(du, kOneBits)));
  }
};

struct Totals {
  V weight[2], mantissa[2], exponent[2], log_ratio;

  HWY_INLINE void Load(const double* at) {
    const auto load = [&](int total) KERNEL_INLINE {
      return hn::Load(D(), at + total * static_cast<int>(kBlock));
    };
    for (int c = 0; c < 2; ++c) {
      weight[c] = load(NbBlock::weight + c);
      mantissa[c] = load(NbBlock::mantissa + c);
      exponent[c] = load(NbBlock::exponent + c);
    }
    log_ratio = load(NbBlock::log_ratio);
  }
  HWY_INLINE void Store(double* at) const {
    const auto store = [&](int total, V value) KERNEL_INLINE {
      hn::Store(value, D(), at + total * static_cast<int>(kBlock));
    };
    for (int c = 0; c < 2; ++c) {
      store(NbBlock::weight + c, weight[c]);
      store(NbBlock::mantissa + c, mantissa[c]);
      store(NbBlock::exponent + c, exponent[c]);
    }
    store(NbBlock::log_ratio, log_ratio);
  }
  HWY_INLINE void Refresh() {
    const auto bounded = [](V w) KERNEL_INLINE {
      return hn::Min(hn::Max(w, At(kLeastWeight)), At(kMostWeight));
    };
    const V w0 = bounded(weight[0]), w1 = bounded(weight[1]);
    const V logarithm = Log(D(), ((w1 * w1) * mantissa[0]) / ((w0 * w0) * mantissa[1]));
    log_ratio = At(0.5) * (logarithm + (exponent[0] - exponent[1]) * At(std::numbers::ln2));
  }
  // The share of class 1.
  HWY_INLINE V Share() const {
    const V all = weight[0] + weight[1];
    return hn::IfThenElseZero(hn::Gt(weight[1], hn::Zero(D())), weight[1] / all);
  }
  // If a class has no examples, the other one wins.
  HWY_INLINE V Margin(V distance) const {
    const V zero = hn::Zero(D());
    const M no0 = hn::Eq(weight[0], zero), no1 = hn::Eq(weight[1], zero);
    const V both = log_ratio + At(0.5) * distance;
    const V one = hn::IfThenElse(no1, hn::IfThenElse(no0, zero, At(-1)), At(1));
    return hn::IfThenElse(hn::Or(no0, no1), one, both);
  }
};

template <bool kClamp>
HWY_INLINE V Distance(V from, V precision) {
  const V distance = (from * from) * precision;
  return kClamp ? hn::Min(distance, At(kMaxDistance)) : distance;
}

// The smallest allowed variance of a feature with these moments, divided by `variance_floor`.
struct RelativeFloor {
  V relative, floor;

  explicit HWY_INLINE RelativeFloor(const NbBlock& block)
      : relative(At(block.relative_floor)), floor(At(block.floor)) {}
  HWY_INLINE V Of(V share, V mean0, V mean1, V variance0, V variance1) const {
    const V delta = mean1 - mean0;
    const V total = (At(1) - share) * (variance0 + share * delta * delta) + share * variance1;
    return hn::Max(At(1), relative * total / floor);
  }
};

// With a relative floor the density of either class depends on the moments of both.
template <bool kClamp, bool kRelative, VoteTime kTime>
class NbWork {
 public:
  NbWork(const Columns& examples, const NbBlock& block)
      : x_(examples.feature(0)),
        stride_(static_cast<std::ptrdiff_t>(examples.stride())),
        block_(block),
        inverse_floor_(1 / block.floor) {}

  template <int G>
  HWY_INLINE void Begin(std::size_t lowest) {
    lowest_ = lowest;
    Each<G>([&](std::size_t g)
                KERNEL_INLINE { totals_[g].Load(block_.totals + lowest + g * kLanes); });
  }
  template <int G>
  HWY_INLINE void End() {
    Each<G>([&](std::size_t g)
                KERNEL_INLINE { totals_[g].Store(block_.totals + lowest_ + g * kLanes); });
  }

  template <int G>
  HWY_INLINE void Step(std::ptrdiff_t at, const Group<V, G>& weight, const Group<M, G>&,
                       const Group<M, G>& positive, Group<M, G>& vote) {
    const D d;
    if (kTime == VoteTime::before) {
      Group<V, G> distance;
      Each<G>([&](std::size_t g) KERNEL_INLINE { distance[g] = hn::Zero(d); });
      const double* x = x_ + at;
      const double* moments = block_.moments + lowest_;
      for (std::size_t j = 0; j < block_.features; ++j, x += stride_, moments += kPerFeature) {
        Each<G>([&](std::size_t g) KERNEL_INLINE {
          const double* const of = moments + g * kLanes;
          distance[g] =
              distance[g] + Farther(hn::LoadU(d, x + g * kLanes), Get<NbBlock::mean>(of),
                                    Get<NbBlock::mean + 1>(of), Get<NbBlock::precision>(of),
                                    Get<NbBlock::precision + 1>(of));
        });
      }
      Each<G>([&](std::size_t g)
                  KERNEL_INLINE { vote[g] = hn::Gt(totals_[g].Margin(distance[g]), hn::Zero(d)); });
    }
    Group<V, G> share, rest, share_of_1, distance;
    Group<Product, G> product, other;  // `other` is that of class 0, if both are needed
    Each<G>([&](std::size_t g) KERNEL_INLINE {
      Totals& totals = totals_[g];
      const V w = hn::IfThenElse(positive[g], totals.weight[1], totals.weight[0]) + weight[g];
      totals.weight[0] = hn::IfThenElse(positive[g], totals.weight[0], w);
      totals.weight[1] = hn::IfThenElse(positive[g], w, totals.weight[1]);
      share[g] = hn::IfThenElseZero(hn::Gt(weight[g], hn::Zero(d)), weight[g] / w);
      rest[g] = At(1) - share[g];
      distance[g] = hn::Zero(d);
      product[g].Begin();
      if (!kRelative) return;
      other[g].Begin();
      share_of_1[g] = totals.Share();
    });
    const V inverse_floor = At(inverse_floor_);
    const RelativeFloor relative(block_);
    const double* x = x_ + at;
    double* moments = block_.moments + lowest_;
    for (std::size_t from = 0; from < block_.features; from += kMostFactors) {
      const std::size_t end = std::min(from + kMostFactors, block_.features);
      for (std::size_t j = from; j < end; ++j, x += stride_, moments += kPerFeature) {
        Each<G>([&](std::size_t g) KERNEL_INLINE {
          double* const of = moments + g * kLanes;
          const M one = positive[g];
          const V value = hn::LoadU(d, x + g * kLanes);
          const V mean0 = Get<NbBlock::mean>(of), mean1 = Get<NbBlock::mean + 1>(of);
          const V variance0 = Get<NbBlock::variance>(of);
          const V variance1 = Get<NbBlock::variance + 1>(of);
          const V mean = hn::IfThenElse(one, mean1, mean0);
          const V delta = value - mean, moved = share[g] * delta;
          const V new_mean = mean + moved;
          const V variance = rest[g] * (hn::IfThenElse(one, variance1, variance0) + moved * delta);
          const V new_mean0 = hn::IfThenElse(one, mean0, new_mean);
          const V new_mean1 = hn::IfThenElse(one, new_mean, mean1);
          const V new_variance0 = hn::IfThenElse(one, variance0, variance);
          const V new_variance1 = hn::IfThenElse(one, variance, variance1);
          Put<NbBlock::mean>(new_mean0, of);
          Put<NbBlock::mean + 1>(new_mean1, of);
          Put<NbBlock::variance>(new_variance0, of);
          Put<NbBlock::variance + 1>(new_variance1, of);
          V precision0, precision1;
          if (kRelative) {
            const V least =
                relative.Of(share_of_1[g], new_mean0, new_mean1, new_variance0, new_variance1);
            const V ratio0 = hn::Max(new_variance0 * inverse_floor, least);
            const V ratio1 = hn::Max(new_variance1 * inverse_floor, least);
            precision0 = inverse_floor / ratio0;
            precision1 = inverse_floor / ratio1;
            other[g].Times(ratio0);
            product[g].Times(ratio1);
          } else {
            const V ratio = hn::Max(variance * inverse_floor, At(1));
            const V precision = inverse_floor / ratio;
            precision0 = hn::IfThenElse(one, Get<NbBlock::precision>(of), precision);
            precision1 = hn::IfThenElse(one, precision, Get<NbBlock::precision + 1>(of));
            product[g].Times(ratio);
          }
          Put<NbBlock::precision>(precision0, of);
          Put<NbBlock::precision + 1>(precision1, of);
          if (kTime == VoteTime::after) {
            distance[g] =
                distance[g] + Farther(value, new_mean0, new_mean1, precision0, precision1);
          }
        });
      }
      Each<G>([&](std::size_t g) KERNEL_INLINE {
        product[g].Normalise(end - from);
        if (kRelative) other[g].Normalise(end - from);
      });
    }
    Each<G>([&](std::size_t g) KERNEL_INLINE {
      Totals& totals = totals_[g];
      const auto set = [&](V(&both)[2], V value, V other_value) KERNEL_INLINE {
        both[0] = kRelative ? other_value : hn::IfThenElse(positive[g], both[0], value);
        both[1] = kRelative ? value : hn::IfThenElse(positive[g], value, both[1]);
      };
      set(totals.mantissa, product[g].mantissa, other[g].mantissa);
      set(totals.exponent, product[g].exponent, other[g].exponent);
      totals.Refresh();
      if (kTime == VoteTime::after) vote[g] = hn::Gt(totals.Margin(distance[g]), hn::Zero(d));
    });
  }

 private:
  static constexpr std::size_t kPerFeature = NbBlock::kMoments * kBlock;

  template <int kMoment>
  static HWY_INLINE V Get(const double* of) {
    return hn::Load(D(), of + kMoment * kBlock);
  }
  template <int kMoment>
  static HWY_INLINE void Put(V value, double* of) {
    hn::Store(value, D(), of + kMoment * kBlock);
  }
  static HWY_INLINE V Farther(V x, V mean0, V mean1, V precision0, V precision1) {
    return Distance<kClamp>(x - mean0, precision0) - Distance<kClamp>(x - mean1, precision1);
  }

  const double* x_;
  std::ptrdiff_t stride_;
  const NbBlock& block_;
  double inverse_floor_;
  std::size_t lowest_ = 0;
  Totals totals_[kMostVectors];
};

template <bool kClamp, bool kRelative>
void BoostNbWith(const Pass& pass, VoteTime time, const NbBlock& block) {
  if (time == VoteTime::before) {
    NbWork<kClamp, kRelative, VoteTime::before> work(*pass.examples, block);
    AllWaves(pass, work);
  } else {
    NbWork<kClamp, kRelative, VoteTime::after> work(*pass.examples, block);
    AllWaves(pass, work);
  }
}

void BoostNb(const Pass& pass, VoteTime time, const NbBlock& block) {
  if (block.relative_floor > 0) {
    BoostNbWith<true, true>(pass, time, block);
  } else if (block.clamp) {
    BoostNbWith<true, false>(pass, time, block);
  } else {
    BoostNbWith<false, false>(pass, time, block);
  }
}

void LearnNb(const Examples& examples, const double* weights, std::size_t learners,
             const NbBlock& block) {
  const D d;
  EachVector(learners, [&](std::size_t lowest) KERNEL_INLINE {
    for (std::size_t i = 0; i < examples.size(); ++i) {
      const std::size_t c = examples.y[i];
      double* total = block.totals + (NbBlock::weight + c) * kBlock + lowest;
      const V weight = hn::Load(d, weights + i * kBlock + lowest);
      const M some = hn::Gt(weight, hn::Zero(d));
      if (hn::AllFalse(d, some)) continue;
      const V sum = hn::Load(d, total) + weight;
      hn::Store(sum, d, total);
      const V share = hn::IfThenElseZero(some, weight / sum), rest = At(1) - share;
      const double* x = examples.x.row(i).data();
      double* moments = block.moments + c * kBlock + lowest;
      for (std::size_t j = 0; j < block.features; ++j, moments += NbBlock::kMoments * kBlock) {
        const V mean = hn::Load(d, moments),
                variance = hn::Load(d, moments + NbBlock::variance * kBlock);
        const V delta = At(x[j]) - mean, moved = share * delta;
        hn::Store(mean + moved, d, moments);
        hn::Store(rest * (variance + moved * delta), d, moments + NbBlock::variance * kBlock);
      }
    }
  });
}

void RefreshNb(std::size_t learners, const NbBlock& block) {
  const D d;
  const V inverse_floor = At(1 / block.floor);
  const RelativeFloor relative(block);
  const bool is_relative = block.relative_floor > 0;
  EachVector(learners, [&](std::size_t lowest) KERNEL_INLINE {
    Totals totals;
    totals.Load(block.totals + lowest);
    const V share = totals.Share();
    Product product0, product1;
    product0.Begin();
    product1.Begin();
    double* of = block.moments + lowest;
    const auto get = [&](std::size_t moment)
                         KERNEL_INLINE { return hn::Load(d, of + moment * kBlock); };
    for (std::size_t from = 0; from < block.features; from += kMostFactors) {
      const std::size_t to = std::min(from + kMostFactors, block.features);
      for (std::size_t j = from; j < to; ++j, of += NbBlock::kMoments * kBlock) {
        const V variance0 = get(NbBlock::variance), variance1 = get(NbBlock::variance + 1);
        V least = At(1);
        if (is_relative) {
          least =
              relative.Of(share, get(NbBlock::mean), get(NbBlock::mean + 1), variance0, variance1);
        }
        const V ratio0 = hn::Max(variance0 * inverse_floor, least);
        const V ratio1 = hn::Max(variance1 * inverse_floor, least);
        hn::Store(inverse_floor / ratio0, d, of + NbBlock::precision * kBlock);
        hn::Store(inverse_floor / ratio1, d, of + (NbBlock::precision + 1) * kBlock);
        product0.Times(ratio0);
        product1.Times(ratio1);
      }
      product0.Normalise(to - from);
      product1.Normalise(to - from);
    }
    totals.mantissa[0] = product0.mantissa;
    totals.mantissa[1] = product1.mantissa;
    totals.exponent[0] = product0.exponent;
    totals.exponent[1] = product1.exponent;
    totals.Refresh();
    totals.Store(block.totals + lowest);
  });
}

template <bool kClamp, int R>
HWY_INLINE void NbMarginsOfRows(const Batch& batch, std::size_t row, std::size_t lowest,
                                std::size_t learners, const Totals& totals, const NbBlock& block,
                                double* margins, std::size_t stride) {
  const D d;
  Group<V, R> distance;
  Group<const double*, R> x;
  Each<R>([&](std::size_t r) KERNEL_INLINE {
    distance[r] = hn::Zero(d);
    x[r] = batch.row(row + r).data();
  });
  const double* moments = block.moments + lowest;
  for (std::size_t j = 0; j < block.features; ++j, moments += NbBlock::kMoments * kBlock) {
    const V mean0 = hn::Load(d, moments), mean1 = hn::Load(d, moments + kBlock);
    const V precision0 = hn::Load(d, moments + NbBlock::precision * kBlock),
            precision1 = hn::Load(d, moments + (NbBlock::precision + 1) * kBlock);
    Each<R>([&](std::size_t r) KERNEL_INLINE {
      const V value = At(x[r][j]);
      distance[r] = distance[r] + (Distance<kClamp>(value - mean0, precision0) -
                                   Distance<kClamp>(value - mean1, precision1));
    });
  }
  Each<R>([&](std::size_t r) KERNEL_INLINE {
    PutMargins(totals.Margin(distance[r]), lowest, learners, margins + row + r, stride);
  });
}

template <bool kClamp>
void MarginsNbWith(const Batch& batch, std::size_t learners, const NbBlock& block, double* margins,
                   std::size_t stride) {
  EachVector(learners, [&](std::size_t lowest) KERNEL_INLINE {
    Totals totals;
    totals.Load(block.totals + lowest);
    std::size_t row = 0;
    for (; row + 4 <= batch.rows; row += 4)
      NbMarginsOfRows<kClamp, 4>(batch, row, lowest, learners, totals, block, margins, stride);
    for (; row < batch.rows; ++row)
      NbMarginsOfRows<kClamp, 1>(batch, row, lowest, learners, totals, block, margins, stride);
  });
}

void MarginsNb(const Batch& batch, std::size_t learners, const NbBlock& block, double* margins,
               std::size_t stride) {
  block.clamp ? MarginsNbWith<true>(batch, learners, block, margins, stride)
              : MarginsNbWith<false>(batch, learners, block, margins, stride);
}

}  // namespace plumbline::inline v0::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // once for each instruction set

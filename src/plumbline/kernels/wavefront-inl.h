// The wavefront of boost.h, for the kernels' translation units. This file is included once for each instruction set,
// so it has no ordinary include guard.
//
// A kernel provides `work` with the members
//   Begin<G>(lowest)   called before the first tick, for the lanes of G vectors from `lowest` on
//   Step<G>(at, weight, valid, positive, vote)
//                      example `at` + l is in lane l: learns it with the weight of its lane (0 if it is
//                      not valid) and its class, and sets the learner's vote
//   End<G>()           called after the last tick
#if defined(PLUMBLINE_KERNELS_WAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMBLINE_KERNELS_WAVE_INL_H_
#undef PLUMBLINE_KERNELS_WAVE_INL_H_
#else
#define PLUMBLINE_KERNELS_WAVE_INL_H_
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "hwy/highway.h"
#include "plumbline/kernels/boost.h"
#include "plumbline/kernels/portable_math-inl.h"
#include "plumbline/math/rng.h"

// For lambdas: inlines them into the enclosing function, with its instruction set.
#undef KERNEL_INLINE
#define KERNEL_INLINE __attribute__((always_inline)) HWY_ATTR

HWY_BEFORE_NAMESPACE();
namespace plumbline::inline v0::kernels::HWY_NAMESPACE {

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;
using VU = hn::Vec<hn::RebindToUnsigned<D>>;

constexpr std::size_t kLanes = hn::MaxLanes(D());
static_assert(kBlock % kLanes == 0);

// One value per vector of a group, in registers.
template <class T, int G>
using Group = std::array<T, static_cast<std::size_t>(G)>;

template <int G, class F>
HWY_INLINE void Each(const F& f) {
  [&]<std::size_t... g>(std::index_sequence<g...>) KERNEL_INLINE { (f(g), ...); }
  (std::make_index_sequence<static_cast<std::size_t>(G)>());
}

HWY_INLINE V At(double value) { return hn::Set(D(), value); }

// Poisson draws by inversion, as in Rng::poisson. The caller handles lanes with means of at least kLargePoisson.
HWY_INLINE V SmallPoisson(V lambda, V u) {
  V term = Exp(D(), hn::Neg(lambda)), cumulative = term, count = hn::Zero(D());
  const auto next = [&](double k) KERNEL_INLINE {
    count = count + hn::IfThenElseZero(hn::Ge(u, cumulative), At(1));
    term = term * (lambda * At(1 / k));
    cumulative = cumulative + term;
  };
  // The exit of a loop that ends as soon as all lanes are done would be mispredicted at most ticks.
  next(1);
  next(2);
  next(3);
  next(4);
  next(5);
  for (double k = 6;
       k <= kMostPoissonTerms && HWY_UNLIKELY(!hn::AllFalse(D(), hn::Ge(u, cumulative))); ++k) {
    next(k);
  }
  return count;
}

// Runs the wavefront: at each tick, a step of `work` for the lanes of G vectors.
template <int G, class Work>
void Wave(const Pass& pass, std::size_t lowest, Work& work) {
  constexpr std::size_t kWide = static_cast<std::size_t>(G) * kLanes;
  const D d;
  const hn::RebindToUnsigned<D> du;
  const BoostRule& rule = pass.rule;
  const RoundKeys keys(rule.seed);
  const std::size_t rows = pass.examples->rows();
  const std::size_t idle = kBlock - pass.learners;  // lanes below this one are idle
  const std::size_t idle_here = idle > lowest ? idle - lowest : 0;

  alignas(64) std::array<std::int64_t, kLanes> rotation;
  for (std::size_t i = 0; i < kLanes; ++i) {
    rotation[i] = static_cast<std::int64_t>((i + 1) % kLanes);
  }
  const auto rotate = hn::SetTableIndices(d, rotation.data());
  const M top = hn::Eq(hn::Iota(d, 0), At(static_cast<double>(kLanes - 1)));

  Group<V, G> lambda, correct, wrong, lane;
  Group<VU, G> stream;
  Group<M, G> busy;
  Each<G>([&](std::size_t g) KERNEL_INLINE {
    const std::size_t at = lowest + g * kLanes;
    lambda[g] = At(1);
    correct[g] = hn::Load(d, pass.correct + at);
    wrong[g] = hn::Load(d, pass.wrong + at);
    lane[g] = hn::Iota(d, static_cast<double>(g * kLanes));
    busy[g] = hn::Ge(lane[g], At(static_cast<double>(idle_here)));
    // Lane l is learner kBlock - 1 - l of the block.
    stream[g] = hn::Set(du, std::uint64_t{pass.stream} + kBlock - 1 - at) - hn::Iota(du, 0);
  });
  const V floor = At(rule.error_floor), ceiling = At(1 - rule.error_floor);
  const V prior = At(rule.prior_weight), prior_twice = At(2 * rule.prior_weight);
  work.template Begin<G>(lowest);

  const std::size_t ticks = rows + kWide - 1 - idle_here;
  for (std::size_t tick = 0; tick < ticks; ++tick) {
    // Example `at` + l is in lane l.
    const std::ptrdiff_t at =
        static_cast<std::ptrdiff_t>(tick) - static_cast<std::ptrdiff_t>(kWide - 1);
    const V first = At(static_cast<double>(-at)),
            end = At(static_cast<double>(static_cast<std::ptrdiff_t>(rows) - at));
    Group<V, G> weight;
    Group<M, G> valid, positive, vote;
    // Each lane passes its example to the lane below.
    Each<G>([&](std::size_t g)
                KERNEL_INLINE { weight[g] = hn::TableLookupLanes(lambda[g], rotate); });
    Each<G>([&](std::size_t g) KERNEL_INLINE {
      const V from_above =
          g + 1 < G ? weight[(g + 1) % G] : At(tick < rows ? pass.lambda[tick] : 1.0);
      lambda[g] = hn::IfThenElse(top, from_above, weight[g]);
    });
    Each<G>([&](std::size_t g) KERNEL_INLINE {
      valid[g] = hn::And(busy[g], hn::And(hn::Ge(lane[g], first), hn::Lt(lane[g], end)));
      positive[g] = hn::Gt(
          hn::LoadU(d, pass.examples->labels() + at + static_cast<std::ptrdiff_t>(g * kLanes)),
          At(0.5));
      weight[g] = hn::IfThenElseZero(valid[g], lambda[g]);
    });
    if (rule.resample) {
      Each<G>([&](std::size_t g) KERNEL_INLINE {
        const VU index =
            hn::Set(du, pass.first + static_cast<std::uint64_t>(at) + g * kLanes) + hn::Iota(du, 0);
        const V u = Uniform(d, keys, stream[g], index);
        const M large = hn::Ge(weight[g], At(kLargePoisson));
        const V count = SmallPoisson(hn::IfThenZeroElse(large, weight[g]), u);
        if (HWY_LIKELY(hn::AllFalse(d, large))) {
          weight[g] = count;
          return;
        }
        alignas(64) std::array<double, kLanes> means, counts;
        alignas(64) std::array<std::uint64_t, kLanes> streams, indices;
        hn::Store(weight[g], d, means.data());
        hn::Store(count, d, counts.data());
        hn::Store(stream[g], du, streams.data());
        hn::Store(index, du, indices.data());
        for (std::size_t i = 0; i < kLanes; ++i) {
          if (means[i] < kLargePoisson) continue;
          Rng rng(rule.seed, static_cast<std::uint32_t>(streams[i]), indices[i]);
          counts[i] = static_cast<double>(rng.poisson(means[i]));
        }
        weight[g] = hn::Load(d, counts.data());
      });
      // Invalid lanes have mean 0 and therefore draw 0.
    }
    work.template Step<G>(at, weight, valid, positive, vote);
    Each<G>([&](std::size_t g) KERNEL_INLINE {
      M tested = valid[g];
      if (rule.resample && !rule.test_unseen)
        tested = hn::And(tested, hn::Gt(weight[g], hn::Zero(d)));
      const M right = hn::Not(hn::Xor(vote[g], positive[g]));
      const V added = hn::IfThenElseZero(tested, lambda[g]);
      correct[g] = correct[g] + hn::IfThenElseZero(right, added);
      wrong[g] = wrong[g] + hn::IfThenZeroElse(right, added);
      const V total = (wrong[g] + correct[g]) + prior_twice;
      const V share = (wrong[g] + prior) / total;
      const V eps = hn::IfThenElse(hn::Eq(total, hn::Zero(d)), At(0.5),
                                   hn::Min(hn::Max(share, floor), ceiling));
      const V odds = hn::IfThenElse(right, At(1) - eps, eps);
      const V passed_on =
          hn::Min(hn::Max(lambda[g] / (At(2) * odds), At(kMinLambda)), At(rule.weight_cap));
      lambda[g] = hn::IfThenElse(tested, passed_on, lambda[g]);
    });
    if (at >= 0 && idle_here == 0) pass.lambda[at] = hn::GetLane(lambda[0]);
  }
  work.template End<G>();
  Each<G>([&](std::size_t g) KERNEL_INLINE {
    hn::Store(correct[g], d, pass.correct + lowest + g * kLanes);
    hn::Store(wrong[g], d, pass.wrong + lowest + g * kLanes);
  });
}

// Two vectors of AVX2 fill a cache line; more would exceed the number of registers. One vector of AVX-512 is a block.
// Without vectors, which is rare, one learner at a time is slower but compiles faster.
constexpr bool kNoVectors = HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128;
constexpr std::size_t kMostVectors = kLanes == kBlock || kNoVectors ? 1 : 2;

// Calls use(lowest) for each vector of lanes with learners of the block, starting with the first learner.
template <class Use>
HWY_INLINE void EachVector(std::size_t learners, const Use& use) {
  for (std::size_t done = 0; done < learners; done += kLanes) use(kBlock - done - kLanes);
}

// Calls use.operator()<2>(lowest) for pairs of vectors, if kMostVectors is 2, and use.operator()<1>(lowest) for others.
template <class Use>
HWY_INLINE void EachPair(std::size_t learners, const Use& use) {
  std::size_t done = 0;
  if constexpr (kMostVectors == 2) {
    for (; done + kLanes < learners; done += 2 * kLanes) {
      use.template operator()<2>(kBlock - done - 2 * kLanes);
    }
  }
  for (; done < learners; done += kLanes) use.template operator()<1>(kBlock - done - kLanes);
}

template <class Work>
void AllWaves(const Pass& pass, Work& work) {
  if (pass.examples->rows() < kBlock) {
    // With few rows, the shorter ramp-up of a single vector outweighs the latency.
    EachVector(pass.learners,
               [&](std::size_t lowest) KERNEL_INLINE { Wave<1>(pass, lowest, work); });
  } else {
    EachPair(pass.learners,
             [&]<int G>(std::size_t lowest) KERNEL_INLINE { Wave<G>(pass, lowest, work); });
  }
}

// Writes the margins of one row, from the lanes from `lowest` on, to margins[learner * stride].
HWY_INLINE void PutMargins(V row_margins, std::size_t lowest, std::size_t learners, double* margins,
                           std::size_t stride) {
  alignas(64) std::array<double, kLanes> lanes;
  hn::Store(row_margins, D(), lanes.data());
  for (std::size_t i = 0; i < kLanes; ++i) {
    const std::size_t learner = kBlock - 1 - (lowest + i);
    if (learner < learners) margins[learner * stride] = lanes[i];
  }
}

}  // namespace plumbline::inline v0::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // once for each instruction set

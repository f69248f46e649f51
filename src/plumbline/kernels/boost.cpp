#include "plumbline/kernels/boost.h"

#include <numbers>
#include <utility>

#include "plumbline/core/rng.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plumbline/kernels/boost.cpp"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"
#include "plumbline/kernels/elementary-inl.h"

// For lambdas: part of the function around them, with its instruction set.
#undef KERNEL_INLINE
#define KERNEL_INLINE __attribute__((always_inline)) HWY_ATTR

HWY_BEFORE_NAMESPACE();
namespace plumbline::kernels::HWY_NAMESPACE {

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;
using VU = hn::Vec<hn::RebindToUnsigned<D>>;

constexpr std::size_t kLanes = hn::MaxLanes(D());
static_assert(kBlock % kLanes == 0);

// One value for each vector of a group, in registers.
template <class T, int G>
using Group = std::array<T, static_cast<std::size_t>(G)>;

template <int G, class F>
HWY_INLINE void Each(const F& f) {
  [&]<std::size_t... g>(std::index_sequence<g...>) KERNEL_INLINE { (f(g), ...); }
  (std::make_index_sequence<static_cast<std::size_t>(G)>());
}

HWY_INLINE V At(double value) { return hn::Set(D(), value); }

// Poisson draws by inversion, as Rng::poisson makes them; lanes of 10 and more are the caller's.
HWY_INLINE V SmallPoisson(V lambda, V u) {
  V term = Exp(D(), hn::Neg(lambda)), cumulative = term, count = hn::Zero(D());
  const auto next = [&](double k) KERNEL_INLINE {
    count = count + hn::IfThenElseZero(hn::Ge(u, cumulative), At(1));
    term = term * (lambda * At(1 / k));
    cumulative = cumulative + term;
  };
  // A loop that ends at once when all lanes are done would be guessed wrong at most ticks.
  next(1);
  next(2);
  next(3);
  next(4);
  next(5);
  for (double k = 6; k <= 100 && HWY_UNLIKELY(!hn::AllFalse(D(), hn::Ge(u, cumulative))); ++k) {
    next(k);
  }
  return count;
}

// The wave: `work.Vote` and `work.Learn` of the lanes of G vectors, at each tick.
template <int G, class Work>
void Wave(const Pass& pass, std::size_t lowest, Work& work) {
  constexpr std::size_t kWide = static_cast<std::size_t>(G) * kLanes;
  const D d;
  const hn::RebindToUnsigned<D> du;
  const BoostRule& rule = pass.rule;
  const RoundKeys keys(rule.seed);
  const std::size_t rows = pass.examples->rows();
  const std::size_t idle = kBlock - pass.learners;  // lanes below this one
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
    // Each lane hands its example on to the lane below.
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
        const M large = hn::Ge(weight[g], At(10));
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
          if (means[i] < 10) continue;
          Rng rng(rule.seed, static_cast<std::uint32_t>(streams[i]), indices[i]);
          counts[i] = static_cast<double>(rng.poisson(means[i]));
        }
        weight[g] = hn::Load(d, counts.data());
      });
      // The others begin with mean 0, and so are 0.
    }
    work.template Step<G>(at, weight, positive, vote);
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

// The learners from the first on, in groups of vectors that do not wait for each other. Two of them make
// full lines of the cache, and more would need more of it than there is.
constexpr std::size_t kMostVectors = 2;

template <class Work>
void AllWaves(const Pass& pass, Work& work) {
  std::size_t left = (pass.learners + kLanes - 1) / kLanes;
  for (std::size_t end = kBlock; left > 0;) {
    const std::size_t group = std::min(left, kMostVectors), lowest = end - group * kLanes;
    group == 1 ? Wave<1>(pass, lowest, work) : Wave<2>(pass, lowest, work);
    end = lowest;
    left -= group;
  }
}

// ---- Naive Bayes

constexpr double kMaxDistance = 1e290;
// A product of so many mantissas is still finite.
constexpr std::size_t kMostFactors = 512;
// Squares of weights within these bounds, and their quotients, are finite and not 0.
constexpr double kLeastWeight = 1e-70, kMostWeight = 1e70;

// The product of factors from 1 on, as mantissa in [1, 2) and exponent.
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
  // After at most kMostFactors factors.
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
  // Of class 1.
  HWY_INLINE V Share() const {
    const V all = weight[0] + weight[1];
    return hn::IfThenElseZero(hn::Gt(weight[1], hn::Zero(D())), weight[1] / all);
  }
  // Where a class was never seen the other one wins.
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

// The least variance over `variance_floor`, of a feature with these moments.
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
  HWY_INLINE void Step(std::ptrdiff_t at, const Group<V, G>& weight, const Group<M, G>& positive,
                       Group<M, G>& vote) {
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
    Group<Product, G> product, other;  // the second of class 0, if both are needed
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

// Votes that are known; the weights are noted.
class KnownWork {
 public:
  KnownWork(std::size_t rows, std::size_t learners, const double* margins, std::size_t stride,
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
                       Group<M, G>& vote) {
    constexpr std::size_t kWide = static_cast<std::size_t>(G) * kLanes;
    alignas(64) std::array<double, kWide> said{}, noted;
    for (std::size_t i = 0; i < kWide; ++i) {
      const std::ptrdiff_t row = at + static_cast<std::ptrdiff_t>(i);
      const std::size_t learner = kBlock - 1 - (lowest_ + i);
      if (row < 0 || row >= rows_ || learner >= learners_) continue;
      said[i] = margins_[learner * stride_ + static_cast<std::size_t>(row)];
    }
    Each<G>([&](std::size_t g) KERNEL_INLINE {
      vote[g] = hn::Gt(hn::Load(D(), said.data() + g * kLanes), hn::Zero(D()));
      hn::Store(weight[g], D(), noted.data() + g * kLanes);
    });
    for (std::size_t i = 0; i < kWide; ++i) {
      const std::ptrdiff_t row = at + static_cast<std::ptrdiff_t>(i);
      if (row < 0 || row >= rows_) continue;
      weights_[static_cast<std::size_t>(row) * kBlock + lowest_ + i] = noted[i];
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

void BoostKnown(const Pass& pass, const double* margins, std::size_t stride, double* weights) {
  KnownWork work(pass.examples->rows(), pass.learners, margins, stride, weights);
  AllWaves(pass, work);
}

void LearnNb(const Examples& examples, const double* weights, std::size_t learners,
             const NbBlock& block) {
  const D d;
  for (std::size_t end = kBlock; end + learners > kBlock; end -= kLanes) {
    const std::size_t lowest = end - kLanes;
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
    if (lowest == 0) break;
  }
}

void RefreshNb(std::size_t learners, const NbBlock& block) {
  const D d;
  const V inverse_floor = At(1 / block.floor);
  const RelativeFloor relative(block);
  const bool is_relative = block.relative_floor > 0;
  for (std::size_t end = kBlock; end + learners > kBlock; end -= kLanes) {
    const std::size_t lowest = end - kLanes;
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
    if (lowest == 0) break;
  }
}

template <bool kClamp, int R>
HWY_INLINE void MarginsOfRows(const Batch& batch, std::size_t row, std::size_t lowest,
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
    alignas(64) std::array<double, kLanes> said;
    hn::Store(totals.Margin(distance[r]), d, said.data());
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::size_t learner = kBlock - 1 - (lowest + i);
      if (learner < learners) margins[learner * stride + row + r] = said[i];
    }
  });
}

template <bool kClamp>
void MarginsNbWith(const Batch& batch, std::size_t learners, const NbBlock& block, double* margins,
                   std::size_t stride) {
  for (std::size_t end = kBlock; end + learners > kBlock; end -= kLanes) {
    const std::size_t lowest = end - kLanes;
    Totals totals;
    totals.Load(block.totals + lowest);
    std::size_t row = 0;
    for (; row + 4 <= batch.rows; row += 4)
      MarginsOfRows<kClamp, 4>(batch, row, lowest, learners, totals, block, margins, stride);
    for (; row < batch.rows; ++row)
      MarginsOfRows<kClamp, 1>(batch, row, lowest, learners, totals, block, margins, stride);
    if (lowest == 0) break;
  }
}

void MarginsNb(const Batch& batch, std::size_t learners, const NbBlock& block, double* margins,
               std::size_t stride) {
  block.clamp ? MarginsNbWith<true>(batch, learners, block, margins, stride)
              : MarginsNbWith<false>(batch, learners, block, margins, stride);
}

}  // namespace plumbline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumbline::kernels {

HWY_EXPORT(BoostNb);
HWY_EXPORT(BoostKnown);
HWY_EXPORT(LearnNb);
HWY_EXPORT(RefreshNb);
HWY_EXPORT(MarginsNb);

void Columns::assign(const Examples& examples, bool with_features) {
  const std::size_t features = with_features ? examples.x.columns : 0;
  rows_ = examples.size();
  // Not a multiple of 128 bytes, so that features do not compete for the same places of a cache.
  stride_ = (rows_ + 2 * kBlock) / 16 * 16 + 24;
  values_.assign((features + 1) * stride_, 0);
  labels_.assign(stride_, 0);
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::span<const double> row = examples.x.row(i);
    double* const to = &values_[kBlock + i];
    for (std::size_t j = 0; j < features; ++j) to[j * stride_] = row[j];
    labels_[kBlock + i] = examples.y[i];
  }
}

void boost_nb(const Pass& pass, VoteTime time, const NbBlock& block) {
  HWY_DYNAMIC_DISPATCH(BoostNb)(pass, time, block);
}
void boost_known(const Pass& pass, const double* margins, std::size_t stride, double* weights) {
  HWY_DYNAMIC_DISPATCH(BoostKnown)(pass, margins, stride, weights);
}
void learn_nb(const Examples& examples, const double* weights, std::size_t learners,
              const NbBlock& block) {
  HWY_DYNAMIC_DISPATCH(LearnNb)(examples, weights, learners, block);
}
void refresh_nb(std::size_t learners, const NbBlock& block) {
  HWY_DYNAMIC_DISPATCH(RefreshNb)(learners, block);
}
void margins_nb(const Batch& batch, std::size_t learners, const NbBlock& block, double* margins,
                std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(MarginsNb)(batch, learners, block, margins, stride);
}

}  // namespace plumbline::kernels
#endif

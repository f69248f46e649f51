// Linear classifiers (sgd_linear.h), for kernels.cpp. This file is included once for each instruction set, so it has no
// ordinary include guard.
#if defined(PLUMBLINE_KERNELS_SGD_LINEAR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMBLINE_KERNELS_SGD_LINEAR_INL_H_
#undef PLUMBLINE_KERNELS_SGD_LINEAR_INL_H_
#else
#define PLUMBLINE_KERNELS_SGD_LINEAR_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "plumbline/kernels/sgd_linear.h"
#include "plumbline/kernels/wavefront-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumbline::inline v0::kernels::HWY_NAMESPACE {

HWY_INLINE V Bounded(V weight) {
  return hn::Min(hn::Max(weight, At(-SgdRule::kMaxWeight)), At(SgdRule::kMaxWeight));
}

HWY_INLINE V Gradient(SgdLoss loss, V margin, V y) {
  const V z = y * margin;
  if (loss == SgdLoss::logistic) {
    const V most = At(SgdRule::kMostLogit);
    return hn::Neg(y) / (At(1) + Exp(D(), hn::Min(hn::Max(z, hn::Neg(most)), most)));
  }
  return hn::IfThenElseZero(hn::Le(z, At(loss == SgdLoss::hinge ? 1 : 0)), hn::Neg(y));
}

// Vector forms of SgdRule's after_l1 and paid_l1.
struct L1 {
  bool forgets;
  V sign;

  explicit HWY_INLINE L1(const SgdRule& rule)
      : forgets(rule.penalty == SgdPenalty::l1_forgetful), sign(At(forgets ? -1 : 1)) {}

  HWY_INLINE V After(V weight, V due, V paid) const {
    const V zero = hn::Zero(D());
    return hn::IfThenElse(hn::Gt(weight, zero),
                          hn::Max(zero, weight - hn::Max(zero, due + sign * paid)),
                          hn::Min(zero, weight + hn::Max(zero, due - paid)));
  }
  HWY_INLINE V Paid(V before, V after, V due, V paid) const {
    return forgets ? due : Bounded((paid + after) - before);
  }
};

// The sums over even and odd features, for G vectors.
template <int G>
struct Dot {
  Group<V, G> even, odd;

  HWY_INLINE Dot() {
    Each<G>([&](std::size_t g) KERNEL_INLINE { even[g] = odd[g] = hn::Zero(D()); });
  }
};

// Calls feature(j, sum) for each feature, with the sum to which it belongs.
template <int G, class Feature>
HWY_INLINE void EachFeature(std::size_t features, Dot<G>& dot, const Feature& feature) {
  std::size_t j = 0;
  for (; j + 2 <= features; j += 2) {
    feature(j, dot.even);
    feature(j + 1, dot.odd);
  }
  if (j < features) feature(j, dot.even);
}

// The work of a wavefront. `X` locates the examples: x.At(at, j, g) is feature j of the examples in the
// lanes of vector g.
template <bool kL1, bool kClamp, VoteTime kTime, class X>
class SgdWork {
 public:
  SgdWork(const X& x, const SgdBlock& block) : x_(x), block_(block), l1_(block.rule) {}

  template <int G>
  HWY_INLINE void Begin(std::size_t lowest) {
    lowest_ = lowest;
    EachTotal<G>([](V& value, double* at) KERNEL_INLINE { value = hn::Load(D(), at); });
  }
  template <int G>
  HWY_INLINE void End() {
    EachTotal<G>([](V& value, double* at) KERNEL_INLINE { hn::Store(value, D(), at); });
  }

  template <int G>
  HWY_INLINE void Step(std::ptrdiff_t at, const Group<V, G>& weight, const Group<M, G>& valid,
                       const Group<M, G>& positive, Group<M, G>& vote) {
    const D d;
    Dot<G> before;
    EachFeature(block_.features, before, [&](std::size_t j, Group<V, G>& sum) KERNEL_INLINE {
      Each<G>([&](std::size_t g) KERNEL_INLINE {
        double* const of = block_.weights + j * kBlock + lowest_ + g * kLanes;
        const V x = x_.At(at, j, g);
        V w = hn::Load(d, of);
        if (kL1) {
          double* const of_paid = block_.l1_paid + j * kBlock + lowest_ + g * kLanes;
          const M some = hn::Ne(x, hn::Zero(d));
          const V paid = hn::Load(d, of_paid), due = totals_[g].due;
          const V after = l1_.After(w, due, paid);
          hn::Store(hn::IfThenElse(some, l1_.Paid(w, after, due, paid), paid), d, of_paid);
          w = hn::IfThenElse(some, after, w);
          hn::Store(w, d, of);
        }
        sum[g] = sum[g] + w * x;
      });
    });
    Group<V, G> along;
    Each<G>([&](std::size_t g) KERNEL_INLINE {
      Totals& totals = totals_[g];
      const V margin = totals.scale * (before.even[g] + before.odd[g]) + totals.intercept;
      if (kTime == VoteTime::before) vote[g] = hn::Gt(margin, hn::Zero(d));
      const V alpha = At(block_.rule.alpha);
      const V eta = block_.rule.eta0 > 0
                        ? At(block_.rule.eta0)
                        : At(1) / (alpha * (At(block_.rule.t0) + totals.step - At(1)));
      const V gradient =
          Gradient(block_.rule.loss, margin, hn::IfThenElse(positive[g], At(1), At(-1)));
      const V update = hn::IfThenElseZero(valid[g], hn::Neg(eta) * gradient * weight[g]);
      if (!kL1 && block_.rule.penalty == SgdPenalty::l2) {
        const V shrink = hn::Max(hn::Zero(d), At(1) - eta * alpha);
        totals.scale = hn::IfThenElse(valid[g], totals.scale * shrink, totals.scale);
        const M least = hn::Lt(totals.scale, At(SgdRule::kLeastScale));
        if (HWY_UNLIKELY(!hn::AllFalse(d, least))) MultiplyOut(g, least);
      }
      along[g] = update / totals.scale;
      totals.intercept = Bounded(totals.intercept + update);
      if (kL1) {
        totals.due = hn::IfThenElse(valid[g], Bounded(totals.due + eta * alpha), totals.due);
      }
      totals.step = totals.step + hn::IfThenElseZero(valid[g], At(1));
    });
    Dot<G> after;
    EachFeature(block_.features, after, [&](std::size_t j, Group<V, G>& sum) KERNEL_INLINE {
      Each<G>([&](std::size_t g) KERNEL_INLINE {
        double* const of = block_.weights + j * kBlock + lowest_ + g * kLanes;
        const V x = x_.At(at, j, g);
        V w = hn::Load(d, of) + along[g] * x;
        if (kClamp) w = Bounded(w);
        hn::Store(w, d, of);
        if (kTime != VoteTime::after) return;
        if (kL1) {
          const V paid = hn::Load(d, block_.l1_paid + j * kBlock + lowest_ + g * kLanes);
          w = l1_.After(w, totals_[g].due, paid);
        }
        sum[g] = sum[g] + w * x;
      });
    });
    if (kTime != VoteTime::after) return;
    Each<G>([&](std::size_t g) KERNEL_INLINE {
      const Totals& totals = totals_[g];
      vote[g] =
          hn::Gt(totals.scale * (after.even[g] + after.odd[g]) + totals.intercept, hn::Zero(d));
    });
  }

 private:
  struct Totals {
    V scale, intercept, step, due;
  };

  template <int G, class F>
  HWY_INLINE void EachTotal(const F& f) {
    Each<G>([&](std::size_t g) KERNEL_INLINE {
      double* const at = block_.totals + lowest_ + g * kLanes;
      f(totals_[g].scale, at + SgdBlock::scale * kBlock);
      f(totals_[g].intercept, at + SgdBlock::intercept * kBlock);
      f(totals_[g].step, at + SgdBlock::step * kBlock);
      f(totals_[g].due, at + SgdBlock::l1_due * kBlock);
    });
  }

  // Multiplies the weights of these lanes by their scale, which becomes 1.
  HWY_NOINLINE void MultiplyOut(std::size_t g, M lanes) {
    const D d;
    V& scale = totals_[g].scale;
    for (std::size_t j = 0; j < block_.features; ++j) {
      double* const of = block_.weights + j * kBlock + lowest_ + g * kLanes;
      const V w = hn::Load(d, of);
      hn::Store(hn::IfThenElse(lanes, w * scale + hn::Zero(d), w), d, of);
    }
    scale = hn::IfThenElse(lanes, At(1), scale);
  }

  const X x_;
  const SgdBlock& block_;
  const L1 l1_;
  std::size_t lowest_ = 0;
  Totals totals_[kMostVectors];
};

// Neighbouring examples in the lanes, as in a wavefront.
class InColumns {
 public:
  explicit InColumns(const Columns& columns)
      : first_(columns.feature(0)), stride_(columns.stride()) {}
  HWY_INLINE V At(std::ptrdiff_t at, std::size_t j, std::size_t g) const {
    return hn::LoadU(D(), first_ + at + static_cast<std::ptrdiff_t>(j * stride_ + g * kLanes));
  }

 private:
  const double* first_;
  std::size_t stride_;
};

// The same example in all lanes.
class InRow {
 public:
  explicit InRow(const Batch& batch) : first_(batch.values.data()), columns_(batch.columns) {}
  HWY_INLINE V At(std::ptrdiff_t at, std::size_t j, std::size_t) const {
    return hn::Set(D(), first_[static_cast<std::size_t>(at) * columns_ + j]);
  }

 private:
  const double* first_;
  std::size_t columns_;
};

// Calls use(work) with the work that fits this block and these examples.
template <VoteTime kTime, class X, class Use>
HWY_INLINE void WithWork(const X& x, const SgdBlock& block, const Use& use) {
  if (block.rule.is_l1()) {
    SgdWork<true, true, kTime, X> work(x, block);
    use(work);
  } else if (block.clamp) {
    SgdWork<false, true, kTime, X> work(x, block);
    use(work);
  } else {
    SgdWork<false, false, kTime, X> work(x, block);
    use(work);
  }
}

void BoostSgd(const Pass& pass, VoteTime time, const SgdBlock& block) {
  const InColumns x(*pass.examples);
  const auto boost = [&](auto& work) KERNEL_INLINE { AllWaves(pass, work); };
  if (time == VoteTime::before) {
    WithWork<VoteTime::before>(x, block, boost);
  } else {
    WithWork<VoteTime::after>(x, block, boost);
  }
}

template <int G, class Work>
HWY_INLINE void LearnRows(const Examples& examples, const double* weights, std::size_t lowest,
                          std::size_t learners, Work& work) {
  Group<M, G> valid;
  Each<G>([&](std::size_t g) KERNEL_INLINE {
    const V lane = hn::Iota(D(), static_cast<double>(lowest + g * kLanes));
    valid[g] = hn::Ge(lane, At(static_cast<double>(kBlock - learners)));
  });
  work.template Begin<G>(lowest);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    Group<V, G> weight;
    Group<M, G> positive, vote;
    Each<G>([&](std::size_t g) KERNEL_INLINE {
      weight[g] = hn::Load(D(), weights + i * kBlock + lowest + g * kLanes);
      positive[g] = hn::Gt(At(examples.y[i]), At(0.5));
    });
    work.template Step<G>(static_cast<std::ptrdiff_t>(i), weight, valid, positive, vote);
  }
  work.template End<G>();
}

void LearnSgd(const Examples& examples, const double* weights, std::size_t learners,
              const SgdBlock& block) {
  WithWork<VoteTime::before>(InRow(examples.x), block, [&](auto& work) KERNEL_INLINE {
    EachPair(learners, [&]<int G>(std::size_t lowest) KERNEL_INLINE {
      LearnRows<G>(examples, weights, lowest, learners, work);
    });
  });
}

void SettleSgd(const SgdBlock& block, double* settled) {
  const D d;
  const L1 l1(block.rule);
  for (std::size_t lowest = 0; lowest < kBlock; lowest += kLanes) {
    const V due = hn::Load(d, block.totals + SgdBlock::l1_due * kBlock + lowest);
    for (std::size_t j = 0; j < block.features; ++j) {
      const std::size_t at = j * kBlock + lowest;
      hn::Store(l1.After(hn::Load(d, block.weights + at), due, hn::Load(d, block.l1_paid + at)), d,
                settled + at);
    }
  }
}

template <int R>
HWY_INLINE void SgdMarginsOfRows(const Batch& batch, std::size_t row, std::size_t lowest,
                                 std::size_t learners, const SgdBlock& block, double* margins,
                                 std::size_t stride) {
  const D d;
  Dot<R> dot;
  Group<const double*, R> x;
  Each<R>([&](std::size_t r) KERNEL_INLINE { x[r] = batch.row(row + r).data(); });
  EachFeature(block.features, dot, [&](std::size_t j, Group<V, R>& sum) KERNEL_INLINE {
    const V w = hn::Load(d, block.weights + j * kBlock + lowest);
    Each<R>([&](std::size_t r) KERNEL_INLINE { sum[r] = sum[r] + w * At(x[r][j]); });
  });
  const V scale = hn::Load(d, block.totals + SgdBlock::scale * kBlock + lowest);
  const V intercept = hn::Load(d, block.totals + SgdBlock::intercept * kBlock + lowest);
  Each<R>([&](std::size_t r) KERNEL_INLINE {
    PutMargins(scale * (dot.even[r] + dot.odd[r]) + intercept, lowest, learners, margins + row + r,
               stride);
  });
}

void MarginsSgd(const Batch& batch, std::size_t learners, const SgdBlock& block, double* margins,
                std::size_t stride) {
  EachVector(learners, [&](std::size_t lowest) KERNEL_INLINE {
    std::size_t row = 0;
    for (; row + 4 <= batch.rows; row += 4)
      SgdMarginsOfRows<4>(batch, row, lowest, learners, block, margins, stride);
    for (; row < batch.rows; ++row)
      SgdMarginsOfRows<1>(batch, row, lowest, learners, block, margins, stride);
  });
}

}  // namespace plumbline::inline v0::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // once for each instruction set

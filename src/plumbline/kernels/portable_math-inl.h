// Vector forms of math/portable_math.h and math/rng.h, for the kernels' translation units. This file is included
// once for each instruction set, so it has no ordinary include guard.
#if defined(PLUMBLINE_KERNELS_ELEMENTARY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMBLINE_KERNELS_ELEMENTARY_INL_H_
#undef PLUMBLINE_KERNELS_ELEMENTARY_INL_H_
#else
#define PLUMBLINE_KERNELS_ELEMENTARY_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "plumbline/math/portable_math.h"
#include "plumbline/math/rng.h"

HWY_BEFORE_NAMESPACE();
namespace plumbline::inline v0::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#include "plumbline/math/exp_log_series-inl.h"

// For lanes in [-700, 700].
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Exp(D d, V x) {
  const hn::RebindToUnsigned<D> du;
  const auto c = [d](double value) HWY_ATTR { return hn::Set(d, value); };
  const V rounded = x * c(kLog2E) + c(kRounder), n = rounded - c(kRounder);
  const V r = (x - n * c(kLn2High)) - n * c(kLn2Low);
  const auto power =
      hn::ShiftLeft<kExponentShift>(hn::BitCast(du, rounded)) + hn::Set(du, kOneBits);
  return exp_series(r, c) * hn::BitCast(d, power);
}

// Converts integers below 2^52 to doubles.
template <class D, class VU>
HWY_INLINE hn::Vec<D> SmallToDouble(D d, VU whole) {
  const hn::RebindToUnsigned<D> du;
  const auto two52 = hn::Set(d, kTwo52);
  return hn::BitCast(d, hn::Or(whole, hn::BitCast(du, two52))) - two52;
}

// For lanes of positive normal numbers.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Log(D d, V x) {
  const hn::RebindToUnsigned<D> du;
  const auto c = [d](double value) HWY_ATTR { return hn::Set(d, value); };
  const auto bits = hn::BitCast(du, x);
  const auto exponent = hn::ShiftRight<kExponentShift>(bits + hn::Set(du, kSplit));
  const V e = SmallToDouble(d, exponent) - c(1023);
  const V f =
      hn::BitCast(d, bits - hn::ShiftLeft<kExponentShift>(exponent) + hn::Set(du, kOneBits)) - c(1);
  const V s = f / (f + c(2)), z = s * s;
  return e * c(kLn2High) + ((s + s) + (s * z * log_series(z, c) + e * c(kLn2Low)));
}

// The keys of Philox's rounds for a seed (math/rng.h).
struct RoundKeys {
  explicit RoundKeys(std::uint64_t seed) {
    auto low = static_cast<std::uint32_t>(seed), high = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < kPhiloxRounds; ++round) {
      keys[round][0] = low;
      keys[round][1] = high;
      low += kPhiloxWeyl[0];
      high += kPhiloxWeyl[1];
    }
  }
  std::uint64_t keys[kPhiloxRounds][2];
};

// The first uniform() of Rng(seed, stream, index) in each lane.
template <class D, class VU>
HWY_INLINE hn::Vec<D> Uniform(D d, const RoundKeys& round_keys, VU stream, VU index) {
  const hn::RebindToUnsigned<D> du;
  const auto product = [&](VU factor, VU lanes) HWY_ATTR {
#if HWY_TARGET == HWY_SCALAR
    return hn::Set(du, hn::GetLane(factor) * (hn::GetLane(lanes) & 0xFFFFFFFF));
#else
    const hn::Repartition<std::uint32_t, decltype(du)> d32;
    return hn::MulEven(hn::BitCast(d32, factor), hn::BitCast(d32, lanes));
#endif
  };
  const VU multiplier0 = hn::Set(du, kPhiloxMultipliers[0]),
           multiplier1 = hn::Set(du, kPhiloxMultipliers[1]);
  // 32-bit words in the lower halves of the lanes; the upper halves are ignored.
  VU word0 = hn::Zero(du), word1 = stream, word2 = index, word3 = hn::ShiftRight<32>(index);
  for (const auto& keys : round_keys.keys) {
    const VU product0 = product(multiplier0, word0), product1 = product(multiplier1, word2);
    word0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(product1), word1), hn::Set(du, keys[0]));
    word2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(product0), word3), hn::Set(du, keys[1]));
    word1 = product1;
    word3 = product0;
  }
  const VU low = hn::And(word0, hn::Set(du, 0xFFFFFFFF));
  const VU bits = hn::ShiftRight<11>(hn::Or(hn::ShiftLeft<32>(word1), low));
  // 53 bits in two parts, each exact.
  const auto high = SmallToDouble(d, hn::ShiftRight<21>(bits));
  const auto rest = SmallToDouble(d, hn::And(bits, hn::Set(du, (1u << 21) - 1)));
  return (high * hn::Set(d, 0x1p21) + rest) * hn::Set(d, 0x1p-53);
}

}  // namespace plumbline::inline v0::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // once for each instruction set

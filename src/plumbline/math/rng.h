// Counter-based random numbers: a pure function of the seed, the stream, the index and the draw.
//
// Philox4x32-10 (Salmon et al. 2011) maps (seed; stream, index, block) to 128 bits. A generator is
// made where it is needed, for one stream (a learner, the policy) and one index (the example or
// the round), and discarded. There is no state to save: a resumed run draws the numbers of the
// uninterrupted run, and the order in which threads draw does not matter.
// The distributions are implemented here because those of the standard library differ between
// platforms. Cost: about 10 ns per 128 bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace plumbline::inline v0 {

// Streams of draws. Learner t of an ensemble uses `kLearnerStream + t`.
inline constexpr std::uint32_t kPolicyStream = 1;
inline constexpr std::uint32_t kGeneratorStream = 2;
inline constexpr std::uint32_t kShuffleStream = 3;
inline constexpr std::uint32_t kGeneratorSetupStream = 4;  // the index is the concept's number
inline constexpr std::uint32_t kDriftStream = 5;
inline constexpr std::uint32_t kMulticlassStream = 6;  // the index is the binary model's number
inline constexpr std::uint32_t kLabelStream = 7;       // the index is the row's number
inline constexpr std::uint32_t kLearnerStream = 1u << 16;
// Tree t of a forest uses `kForestStream + t`; the index is the number of rows it drew candidates from.
inline constexpr std::uint32_t kForestStream = 1u << 20;

class Rng {
 public:
  Rng(std::uint64_t seed, std::uint32_t stream, std::uint64_t index);

  std::uint64_t bits();
  // In [0, 1), a multiple of 2^-53.
  double uniform();
  // In {0, …, n - 1}, each equally likely; n >= 1.
  std::uint64_t below(std::uint64_t n);
  // Standard normal (Box-Muller).
  double normal();
  // Poisson with mean lambda in [0, 1e12]: inversion below 10, Hörmann's transformed rejection
  // (PTRS, 1993) above. Exact in distribution up to the 2^-53 grid of uniform().
  std::uint64_t poisson(double lambda);

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint64_t, 2> block_{};
  std::size_t left_ = 0;  // number of unused words of block_
};

// Constants shared with the vector forms of these draws (kernels/portable_math-inl.h, kernels/wavefront-inl.h).
inline constexpr int kPhiloxRounds = 10;
inline constexpr std::array<std::uint32_t, 2> kPhiloxMultipliers{0xD2511F53, 0xCD9E8D57};
inline constexpr std::array<std::uint32_t, 2> kPhiloxWeyl{0x9E3779B9, 0xBB67AE85};
// Poisson variates with at least this mean are drawn by rejection.
inline constexpr double kLargePoisson = 10;
// A bound on the terms of the inversion. Its sum reaches 1 - 2^-53 long before; the bound guards against rounding.
inline constexpr int kMostPoissonTerms = 100;

// The block function, exposed for tests against published vectors.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

// A uniformly random permutation of the items (Fisher-Yates).
void shuffle(std::span<std::size_t> items, Rng& rng);

}  // namespace plumbline::inline v0

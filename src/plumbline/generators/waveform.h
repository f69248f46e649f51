// The waveform generator of Breiman et al. (CART, 1984): one of the paper's ten data sets.
//
// A class is a mixture of two of three triangular waves with a uniform u, u h_a + (1-u) h_b, at 21
// points, plus N(0, 1) noise. The waves peak at 7, 11 and 15; numbered as in the UCI file, class 0
// mixes 7 and 15, class 1 mixes 7 and 11, class 2 mixes 11 and 15. Columns of pure noise follow.
// The task is class 1 (positive) against class 0 or against both others, balanced as in the paper:
// either label has probability 1/2. Example i is a pure function of the seed and i; the stream has
// no end.
#pragma once

#include <cstdint>

#include "plumbline/generators/generator.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class Waveform : public Generator {
 public:
  enum class Against { class_0, rest };

  struct Params {
    std::int64_t noise_features = 19;
    Against against = Against::class_0;
    void visit(OptionVisitor& visitor);
  };

  Waveform(const Params& params, std::uint64_t seed);

 private:
  Label draw(Rng& rng, std::uint64_t i, std::span<double> x) override;
  Params params_;
};

}  // namespace plumbline::inline v0

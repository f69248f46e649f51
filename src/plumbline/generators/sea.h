// The SEA concepts of Street & Kim ("A streaming ensemble algorithm (SEA) for large-scale
// classification", KDD 2001).
//
// Three features, uniform on [0, 10); an example is positive if x1 + x2 <= theta, and x3 is
// irrelevant. The four concepts have theta = 8, 9, 7 and 9.5, so a share theta^2 / 200 of their
// examples is positive. Noise then inverts a label with the given probability (10 % in the paper).
// A stream has one concept; drift.h joins two. Example i is a pure function of the seed and i, and its
// features do not depend on the concept; the stream has no end. Cost: four draws per example.
#pragma once

#include <cstdint>

#include "plumbline/generators/generator.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class Sea : public Generator {
 public:
  struct Params {
    std::int64_t concept_number = 1;
    double noise = 0.1;
    void visit(OptionVisitor& visitor);
  };

  Sea(const Params& params, std::uint64_t seed);

 private:
  Label draw(Rng& rng, std::uint64_t i, std::span<double> x) override;
  Params params_;
};

}  // namespace plumbline::inline v0

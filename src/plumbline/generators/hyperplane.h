// The rotating hyperplane of Hulten, Spencer & Domingos ("Mining time-changing data streams", KDD
// 2001), in the form that became usual with Wang et al. (KDD 2003) and MOA.
//
// Features are uniform on [0, 1); an example is positive if sum_j w_j x_j >= w_0 with w_0 = 1/2
// sum_j w_j. The plane thus always passes through the middle of the cube, and the classes are balanced
// for any weights. Noise inverts a label with the given probability. After each example every changing
// weight moves by `magnitude` in its direction, which is upwards at first, and then the direction is
// reversed with probability `reversal`.
//
// Hulten et al. start from equal weights, label by alternating strips on both sides of the plane, and
// move the weights only every so many examples. Here, as in MOA, the initial weights are uniform on
// [0, 1), there is one cut, and weights move with each example. They may leave [0, 1).
//
// The features, the noise and the reversals at example i are pure functions of the seed and i. The
// weights are a running state of the size of one row. The stream has no end. Cost: one draw per
// feature and per changing weight.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plumbline/generators/generator.h"
#include "plumbline/math/rng.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class Hyperplane : public Generator {
 public:
  struct Params {
    std::int64_t concept_number = 1;
    std::int64_t features = 10;
    std::int64_t changing = 2;
    double magnitude = 0.001;
    double reversal = 0.1;
    double noise = 0.05;
    void visit(OptionVisitor& visitor);
  };

  Hyperplane(const Params& params, std::uint64_t seed);

  // The weights that label the next example.
  std::span<const double> weights() const { return weights_; }

 private:
  Label draw(Rng& rng, std::uint64_t i, std::span<double> x) override;
  void rotate(Rng& rng);

  Params params_;
  std::vector<double> weights_;
  std::vector<double> steps_;  // per changing weight: the magnitude, up or down
};

}  // namespace plumbline::inline v0

#include "plumbline/generators/hyperplane.h"

#include <algorithm>

namespace plumbline::inline v0 {

void Hyperplane::Params::visit(OptionVisitor& visitor) {
  visitor.integer("concept", concept_number, Range::closed(1, 1e9),
                  "index of the seed's set of random initial weights");
  visitor.integer("features", features, Range::closed(1, 1e6), "number of features");
  visitor.integer("changing", changing, Range::closed(0, 1e6),
                  "number of weights that change, at most all of them");
  visitor.real("magnitude", magnitude, Range::closed(0, 1),
               "step of a changing weight after each example; 0 is no drift");
  visitor.real("reversal", reversal, Range::closed(0, 1),
               "probability, after each example, that a changing weight reverses");
  visitor.real("noise", noise, Range::closed(0, 1), "probability that a label is inverted");
}

Hyperplane::Hyperplane(const Params& params, std::uint64_t seed)
    : Generator(Schema::numeric(static_cast<std::size_t>(params.features)), seed),
      params_(params),
      weights_(schema().size()),
      steps_(static_cast<std::size_t>(std::min(params.changing, params.features)),
             params.magnitude) {
  Rng rng(seed, kGeneratorSetupStream, static_cast<std::uint64_t>(params.concept_number));
  for (double& weight : weights_) weight = rng.uniform();
}

Label Hyperplane::draw(Rng& rng, std::uint64_t, std::span<double> x) {
  double above = 0;  // sum_j w_j x_j - w_0
  for (std::size_t j = 0; j < x.size(); ++j) {
    x[j] = rng.uniform();
    above += weights_[j] * (x[j] - 0.5);
  }
  const bool inverted = rng.uniform() < params_.noise;
  rotate(rng);
  return static_cast<Label>((above >= 0) != inverted);
}

void Hyperplane::rotate(Rng& rng) {
  for (std::size_t j = 0; j < steps_.size(); ++j) {
    weights_[j] += steps_[j];
    if (rng.uniform() < params_.reversal) steps_[j] = -steps_[j];
  }
}

}  // namespace plumbline::inline v0

#include "plumbline/generators/random_rbf.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace plumbline::inline v0 {
namespace {

// Writes a vector of this length in the direction of a uniform point of the cube [-1, 1)^d.
void draw_offset(std::span<double> offset, double length, Rng& rng) {
  double squares = 0;
  for (double& value : offset) {
    value = 2 * rng.uniform() - 1;
    squares += value * value;
  }
  // The center of the cube has no direction and gives no offset.
  const double scale = squares > 0 ? length / std::sqrt(squares) : 0;
  for (double& value : offset) value *= scale;
}

RandomRbf::Centroid draw_centroid(std::size_t features, double speed, Rng& rng) {
  RandomRbf::Centroid centroid;
  centroid.centre.resize(features);
  for (double& value : centroid.centre) value = rng.uniform();
  centroid.label = static_cast<Label>(rng.below(2));
  centroid.deviation = rng.uniform();
  centroid.weight = rng.uniform();
  centroid.velocity.resize(features);
  draw_offset(centroid.velocity, speed, rng);
  return centroid;
}

}  // namespace

void RandomRbf::Params::visit(OptionVisitor& visitor) {
  visitor.integer("concept", concept_number, Range::closed(1, 1e9),
                  "index of the seed's random set of centroids");
  visitor.integer("features", features, Range::closed(1, 1e4), "number of features");
  visitor.integer("centroids", centroids, Range::closed(1, 1e4), "number of centroids");
  visitor.integer("moving", moving, Range::closed(0, 1e4),
                  "number of centroids that move, at most all of them");
  visitor.real("speed", speed, Range::closed(0, 1),
               "distance that a moving centroid moves with each example; 0 is no drift");
}

double RandomRbf::Centroid::at(std::uint64_t i, std::size_t j) const {
  const double straight = centre[j] + static_cast<double>(i) * velocity[j];
  // Reflections at 0 and 1 repeat with period 2.
  const double folded = std::fmod(std::abs(straight), 2.0);
  return std::min(folded, 2 - folded);
}

RandomRbf::RandomRbf(const Params& params, std::uint64_t seed)
    : Generator(Schema::numeric(static_cast<std::size_t>(params.features)), seed), params_(params) {
  Rng rng(seed, kGeneratorSetupStream, static_cast<std::uint64_t>(params.concept_number));
  double sum = 0;
  for (std::int64_t k = 0; k < params.centroids; ++k) {
    const double speed = k < params.moving ? params.speed : 0;
    centroids_.push_back(draw_centroid(schema().size(), speed, rng));
    cumulative_.push_back(sum += centroids_.back().weight);
  }
}

Label RandomRbf::draw(Rng& rng, std::uint64_t i, std::span<double> x) {
  const Centroid& centroid = pick(rng.uniform());
  draw_offset(x, rng.normal() * centroid.deviation, rng);
  for (std::size_t j = 0; j < x.size(); ++j) x[j] += centroid.at(i, j);
  return centroid.label;
}

const RandomRbf::Centroid& RandomRbf::pick(double u) const {
  const auto found = std::ranges::upper_bound(cumulative_, u * cumulative_.back());
  // The end is reached only if u times the sum is rounded to the sum.
  const auto index = static_cast<std::size_t>(found - cumulative_.begin());
  return centroids_[std::min(index, centroids_.size() - 1)];
}

}  // namespace plumbline::inline v0

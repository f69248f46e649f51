// Random radial basis functions, as in MOA (Bifet et al., "MOA: massive online analysis", JMLR
// 2010; RandomRBFGenerator and RandomRBFGeneratorDrift).
//
// A concept is a set of centroids, each with a centre uniform on [0, 1)^d, a class, a standard
// deviation and a weight, the last two uniform on [0, 1). An example selects a centroid with
// probability proportional to its weight and has its class. Its distance from the centre is drawn from
// N(0, deviation^2), in the direction of a uniform point of the cube [-1, 1)^d. The classes of the
// centroids are fair coin tosses, so the balance of the classes depends on the weights, and a concept
// of a few centroids may have one class only.
//
// With a speed above 0 the first `moving` centroids move by that distance per example, in a random
// direction, and bounce off the walls of the unit cube. MOA stops a centre at the wall for one example
// and first moves all of them upwards. Here a bounce is a reflection and the first direction is random,
// so that the centre at example i has a closed form. Example i is therefore a pure function of the seed
// and i, and only the selected centroid is moved; the stream has no end.
// Cost: O(d + log(centroids)) per example.
#pragma once

#include <cstdint>
#include <vector>

#include "plumbline/generators/generator.h"
#include "plumbline/math/rng.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class RandomRbf : public Generator {
 public:
  struct Params {
    std::int64_t concept_number = 1;
    std::int64_t features = 10;
    std::int64_t centroids = 50;
    std::int64_t moving = 50;
    double speed = 0;
    void visit(OptionVisitor& visitor);
  };

  struct Centroid {
    std::vector<double> centre;    // at example 0
    std::vector<double> velocity;  // per example
    Label label = 0;
    double deviation = 0;
    double weight = 0;

    // Coordinate j of the centre at example i.
    double at(std::uint64_t i, std::size_t j) const;
  };

  RandomRbf(const Params& params, std::uint64_t seed);

  const std::vector<Centroid>& centroids() const { return centroids_; }

 private:
  Label draw(Rng& rng, std::uint64_t i, std::span<double> x) override;
  const Centroid& pick(double u) const;

  Params params_;
  std::vector<Centroid> centroids_;
  std::vector<double> cumulative_;  // cumulative weights
};

}  // namespace plumbline::inline v0

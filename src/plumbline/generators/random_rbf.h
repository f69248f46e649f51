// Random radial basis functions, as in MOA (Bifet et al., "MOA: massive online analysis", JMLR
// 2010; RandomRBFGenerator and RandomRBFGeneratorDrift).
//
// A concept is a set of centroids, each with a centre uniform on [0, 1)^d, a class, a standard
// deviation and a weight, the last two uniform on [0, 1). An example picks a centroid with
// probability proportional to its weight, takes its class, and lies off its centre by a length
// drawn from N(0, deviation^2) in the direction of a uniform point of the cube [-1, 1)^d. The
// classes of the centroids are fair coins: the stream is as balanced as the weights make it, and a
// concept of a few centroids may have one class only.
//
// With a speed above 0 the first `moving` centroids go straight on by that much per example, in a
// random direction, and bounce off the walls of the unit cube. MOA stops a centre at the wall for
// one example and sends all of them upwards first; here the bounce is a mirror and any direction
// may come first, so that the centre at example i has a closed form. Example i is therefore a pure
// function of the seed and i, and only the chosen centroid need be moved; the stream has no end.
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
  std::vector<double> cumulative_;  // sums of the weights
};

}  // namespace plumbline::inline v0

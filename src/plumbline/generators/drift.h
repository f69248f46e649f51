// A stream that drifts from one concept to another, abruptly or gradually, once or repeatedly
// (Bifet et al., "New ensemble methods for evolving data streams", KDD 2009).
//
// Example i is example i of the second stream with probability
//
//   p(i) = 1 / (1 + exp(-4 (i - position) / width)),
//
// and otherwise example i of the first: an equal mixture at `position`, with most of the change within
// width / 2 on either side. A width of 0 or 1 is an abrupt drift: the second stream from `position` on.
// With a `period` the concept changes back at position + period, again at position + 2 period, and so
// on, each time in the same way; the width should be well below the period. Examples count from 0
// (MOA: from 1).
//
// The concepts may be any two streams of the same schema, for instance generators made from
// `sea:concept=1` and `sea:concept=3`. Both are read in step and one of the two rows is used, so the
// sequence of concepts is a pure function of the seed and i, and a concept's own drift continues while
// the other is used. (In MOA each stream continues where it was left.) To drift to a third concept,
// make a Drift of a Drift with another seed.
// Cost: that of both streams and one draw per example.
#pragma once

#include <cstdint>
#include <memory>

#include "plumbline/generators/generator.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class Drift : public Generator {
 public:
  struct Params {
    std::int64_t position = 5000;
    std::int64_t width = 0;
    std::int64_t period = 0;
    void visit(OptionVisitor& visitor);
  };

  // Throws a configuration error if the schemas differ.
  Drift(const Params& params, std::unique_ptr<Generator> first, std::unique_ptr<Generator> second,
        std::uint64_t seed);

  // The p(i) above.
  double probability_of_second(std::uint64_t i) const;

 private:
  Label draw(Rng& rng, std::uint64_t i, std::span<double> x) override;

  Params params_;
  std::unique_ptr<Generator> first_, second_;
  std::vector<double> other_;  // the example that is not used
};

}  // namespace plumbline::inline v0

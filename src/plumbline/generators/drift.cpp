#include "plumbline/generators/drift.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plumbline/error.h"
#include "plumbline/math/rng.h"

namespace plumbline::inline v0 {

void Drift::Params::visit(OptionVisitor& visitor) {
  visitor.integer("position", position, Range::closed(0, 1e15),
                  "example at which both concepts are equally likely, counted from 0");
  visitor.integer("width", width, Range::closed(0, 1e15),
                  "number of examples that the change takes; 0 or 1 is abrupt");
  visitor.integer("period", period, Range::closed(0, 1e15),
                  "number of examples until the concept changes back, and again; 0 is never");
}

Drift::Drift(const Params& params, std::unique_ptr<Generator> first,
             std::unique_ptr<Generator> second, std::uint64_t seed)
    : Generator(first->schema(), seed),
      params_(params),
      first_(std::move(first)),
      second_(std::move(second)),
      other_(second_->schema().size()) {
  if (first_->schema() != second_->schema()) {
    throw Error(ErrorKind::config,
                "the two concepts of a drift must have the same features and label; use the same "
                "generator and number of features for both");
  }
}

double Drift::probability_of_second(std::uint64_t i) const {
  double since = static_cast<double>(i) - static_cast<double>(params_.position);
  bool back = false;  // true if the nearest change is one back to the first concept
  if (params_.period > 0) {
    const auto period = static_cast<double>(params_.period);
    const double nearest = std::max(0.0, std::floor(since / period + 0.5));
    since -= nearest * period;
    back = std::fmod(nearest, 2.0) == 1;
  }
  const double forth = params_.width <= 1
                           ? (since >= 0 ? 1.0 : 0.0)
                           : 1 / (1 + std::exp(-4 * since / static_cast<double>(params_.width)));
  return back ? 1 - forth : forth;
}

Label Drift::draw(Rng&, std::uint64_t i, std::span<double> x) {
  const Label first = first_->example(i, x), second = second_->example(i, other_);
  if (Rng(seed(), kDriftStream, i).uniform() >= probability_of_second(i)) return first;
  std::ranges::copy(other_, x.begin());
  return second;
}

}  // namespace plumbline::inline v0

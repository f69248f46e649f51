#include "plumbline/policies/schedule.h"

#include <algorithm>

namespace plumbline::inline v0 {

TrainOrNot::TrainOrNot(std::span<const Action> actions, std::string_view who) {
  const auto either = [&](Action preferred, Action other) {
    const bool has = std::ranges::find(actions, preferred) != actions.end();
    return index_of(has ? preferred : other, actions, who);
  };
  train = either(Action::both, Action::train);
  otherwise = either(Action::calibrate, Action::skip);
}

void Schedule::Params::visit(OptionVisitor& visitor) {
  visitor.integer("first", first, Range::closed(0, 1e15), "number of first rounds that train");
  visitor.integer("every", every, Range::closed(1, 1e15), "rounds of a period after them");
  visitor.integer("train", train, Range::closed(0, 1e15),
                  "number of rounds that train at the beginning of each period");
}

Schedule::Schedule(const Params& params, std::span<const Action> actions, std::uint64_t)
    : first_(static_cast<std::uint64_t>(params.first)),
      every_(static_cast<std::uint64_t>(params.every)),
      train_(static_cast<std::uint64_t>(params.train)),
      arms_(actions, "policy 'schedule'") {}

std::size_t Schedule::choose(const Round& round) const {
  const bool trains = round.number <= first_ || (round.number - 1 - first_) % every_ < train_;
  return trains ? arms_.train : arms_.otherwise;
}

}  // namespace plumbline::inline v0

#include "plumbline/policies/fixed.h"

namespace plumbline::inline v0 {

void Fixed::Params::visit(OptionVisitor& visitor) {
  visitor.integer("every", every, Range::closed(2, 1e9),
                  "calibrate on the rounds divisible by this (N_c), train on the others");
  visitor.integer(
      "from", from, Range::closed(0, 1),
      "number of the first round; if 0, every=2 calibrates on the third minibatch first");
}

Fixed::Fixed(const Params& params, std::span<const Action> actions, std::uint64_t)
    : every_(static_cast<std::uint64_t>(params.every)),
      from_(static_cast<std::uint64_t>(params.from)),
      train_(index_of(Action::train, actions, "policy 'fixed'")),
      calibrate_(index_of(Action::calibrate, actions, "policy 'fixed'")) {}

std::size_t Fixed::choose(const Round& round) const {
  return (round.number - 1 + from_) % every_ == 0 ? calibrate_ : train_;
}

AlwaysTrain::AlwaysTrain(const Params&, std::span<const Action> actions, std::uint64_t)
    : train_(index_of(Action::train, actions, "policy 'always_train'")) {}

void Always::Params::visit(OptionVisitor& visitor) {
  visitor.choice("action", action,
                 {{name_of(Action::train), Action::train},
                  {name_of(Action::calibrate), Action::calibrate},
                  {name_of(Action::both), Action::both},
                  {name_of(Action::skip), Action::skip}},
                 "action on every minibatch");
}

Always::Always(const Params& params, std::span<const Action> actions, std::uint64_t)
    : action_(index_of(params.action, actions, "policy 'always'")) {}

}  // namespace plumbline::inline v0

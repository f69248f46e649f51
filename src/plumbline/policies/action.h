// What a minibatch can be spent on. A policy chooses from a list of these.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline {

enum class Action {
  train,      // the ensemble learns from it
  calibrate,  // the calibrator learns from it
  both,       // the calibrator learns from its out-of-sample scores, then the ensemble learns
  skip,       // nobody does
};
inline constexpr std::size_t kActionCount = 4;

using Actions = std::vector<Action>;

// Whether it takes the ensemble, or the calibrator, to learn.
constexpr bool trains(Action action) { return action == Action::train || action == Action::both; }
constexpr bool calibrates(Action action) {
  return action == Action::calibrate || action == Action::both;
}

std::string_view name(Action action);
// Throws a configuration error that lists the known actions.
Action action_named(std::string_view name);
// The place of an action in the list. `who` needs it there: else a configuration error says so.
std::size_t index_of(Action action, std::span<const Action> actions, std::string_view who);

}  // namespace plumbline

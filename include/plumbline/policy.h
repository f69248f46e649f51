// A policy chooses the action for each minibatch and learns from rewards.
//
// Rounds count from 1. The first round always trains (Algorithm 2, line 5), so a policy chooses from
// round 2 on. A policy refers to its actions as arms, by their index in the list. Its random draws
// depend only on the seed and the round.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/api.h"
#include "plumbline/archive.h"
#include "plumbline/registry.h"

PLUMBLINE_BEGIN_NAMESPACE

// The possible uses of a minibatch. A policy chooses from a list of actions.
enum class Action {
  train,      // the ensemble learns from it
  calibrate,  // the calibrator learns from it
  both,       // the calibrator learns from its out-of-sample scores, then the ensemble learns
  skip,       // neither learns
};
inline constexpr std::size_t kActionCount = 4;

using Actions = std::vector<Action>;

// True if the ensemble learns.
constexpr bool trains(Action action) { return action == Action::train || action == Action::both; }
// True if the calibrator learns.
constexpr bool calibrates(Action action) {
  return action == Action::calibrate || action == Action::both;
}

// The action without its training.
constexpr Action without_training(Action action) {
  if (action == Action::both) return Action::calibrate;
  return action == Action::train ? Action::skip : action;
}

std::string_view name_of(Action action);
// Throws a configuration error that lists the actions if the name is unknown.
Action action_named(std::string_view name);
// The index of an action in the list. Throws a configuration error that names `who` as the component that needs the
// action, if the list lacks it.
std::size_t index_of(Action action, std::span<const Action> actions, std::string_view who);

// ---- The context: features of a round for contextual policies, each in [-1, 1]. The model computes them only if
// Policy::needs_context.

enum ContextIndex : std::size_t {
  kSinceCalibration,  // rounds since the last calibration: 0 for none, towards 1 for many
  kCalibrationError,  // of recent predictions, in [0, 1]
  kLossTrend,         // above 0 if the loss has been rising
  kDrift,             // 1 after an upward drift of the loss, -1 after a downward one; decays
  kContextSize,
};

using Context = std::array<double, kContextSize>;

inline constexpr std::array<std::string_view, kContextSize> kContextNames{
    "since_calibration", "calibration_error", "loss_trend", "drift"};

// A list with at most one entry for each action, without heap memory.
template <class T>
class PerAction {
 public:
  void push_back(const T& entry) {
    assert(size_ < kActionCount);
    entries_[size_++] = entry;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](std::size_t index) const { return entries_[index]; }
  const T* begin() const { return entries_.data(); }
  const T* end() const { return entries_.data() + size_; }

 private:
  std::array<T, kActionCount> entries_{};
  std::size_t size_ = 0;
};

// ---- The policy

struct Round {
  std::uint64_t number = 0;
  // The reward that each action would earn on this minibatch; empty unless `needs_trials`.
  std::span<const double> trial_rewards{};
  // Zeros unless `needs_context`.
  Context context{};
  // The mean entropy of the minibatch's predictions in nats: the log-loss that they expect. 0 unless
  // `needs_uncertainty`.
  double uncertainty = 0;
  // The share of minibatches that may be trained (ModelConfig::learn_budget), and the number of those that may be
  // trained now. Below 1, actions that train are replaced by `without_training`.
  double learn_budget = 1;
  double saved = 1;
};

// The state of one arm, for inspection.
struct ArmView {
  double pulls;  // discounted, if the policy discounts
  double mean;   // mean reward, or posterior mean
};

class Policy {
 public:
  virtual ~Policy() = default;

  // Sees each round before its choice, from the second on.
  virtual void observe(const Round& /*round*/) {}
  // The arm to pull: an index into the list of actions.
  virtual std::size_t choose(const Round& round) const = 0;
  // True if each action must be tried on the minibatch before the choice.
  virtual bool needs_trials() const { return false; }
  // True if the context must be computed.
  virtual bool needs_context() const { return false; }
  // True if the uncertainty must be computed.
  virtual bool needs_uncertainty() const { return false; }
  // True if `reward` must be called; computing rewards takes time.
  virtual bool needs_rewards() const { return false; }
  // The reward of the last chosen arm, unless the learn budget replaced its action. No other choice is made in between.
  virtual void reward(std::size_t /*arm*/, double /*reward*/) {}
  // The reward together with the context of the choice, for policies that learn from both. Models call
  // this function; by default it calls `reward`.
  virtual void reward_in(const Context& /*context*/, std::size_t arm, double earned) {
    reward(arm, earned);
  }
  // One entry for each action; empty for a policy without estimates.
  virtual PerAction<ArmView> arms() const { return {}; }

  virtual void archive(Archive& /*archive*/) {}
};

// The constructor arguments are the list of actions and the seed.
using PolicyRegistry = Registry<Policy, NoTraits, std::span<const Action>, std::uint64_t>;
// The built-in policies.
const PolicyRegistry& policies();

// Reward functions; docs/components.md lists them.
class Reward;
using RewardRegistry = Registry<Reward, NoTraits>;
const RewardRegistry& rewards();

PLUMBLINE_END_NAMESPACE

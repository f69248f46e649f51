// A policy decides on every round what the minibatch is spent on, and learns from the rewards.
//
// The first round always trains (Algorithm 2, line 5) and is not a policy's to decide; rounds count
// from 1, so a policy is asked from round 2 on. A policy sees its actions as arms, by their place
// in the list. Its random draws are a function of the seed and the round alone.
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

// What a minibatch can be spent on. A policy chooses from a list of these.
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

// ---- What a policy may know of a round besides its number: how things have been going. Each number is
// from -1 to 1, and the model computes them only for a policy that asks (Policy::needs_context).

// The places of the numbers.
enum ContextPlace : std::size_t {
  kSinceCalibration,  // rounds since the calibrator learned: 0 for none, towards 1 for many
  kCalibrationError,  // of the last predictions: 0 to 1
  kLossTrend,         // above 0 if the loss has been rising lately
  kDrift,             // 1 when the loss has risen to a new level, -1 when it fell to one; fades
  kContextSize,
};

using Context = std::array<double, kContextSize>;

inline constexpr std::array<std::string_view, kContextSize> kContextNames{
    "since_calibration", "calibration_error", "loss_trend", "drift"};

// A list with at most one entry for each action; it needs no heap.
template <class T>
class PerAction {
 public:
  void push_back(const T& entry) {
    assert(size_ < kActionCount);
    entries_[size_++] = entry;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](std::size_t place) const { return entries_[place]; }
  const T* begin() const { return entries_.data(); }
  const T* end() const { return entries_.data() + size_; }

 private:
  std::array<T, kActionCount> entries_{};
  std::size_t size_ = 0;
};

// ---- The policy

struct Round {
  std::uint64_t number = 0;
  // What each action would earn on this minibatch; empty unless `needs_trials`.
  std::span<const double> trial_rewards{};
  // How things have been going; zeros unless `needs_context`.
  Context context{};
};

// What inspection shows of one arm.
struct ArmView {
  double pulls;  // discounted, if the policy discounts
  double mean;   // of the rewards, or of the posterior
};

class Policy {
 public:
  virtual ~Policy() = default;

  // The place in the list of actions of the one to take.
  virtual std::size_t choose(const Round& round) const = 0;
  // Whether each action must be tried on the minibatch before the choice.
  virtual bool needs_trials() const { return false; }
  // Whether the context is to be computed.
  virtual bool needs_context() const { return false; }
  // Whether `reward` is to be called; it takes time to find out what an action earned.
  virtual bool needs_rewards() const { return false; }
  // What the last chosen arm earned. No other choice is made in between.
  virtual void reward(std::size_t /*arm*/, double /*reward*/) {}
  // The same with the context that it was chosen in, for a policy that learns from that too. This
  // is what models call.
  virtual void reward_in(const Context& /*context*/, std::size_t arm, double earned) {
    reward(arm, earned);
  }
  // One for each action, or none for a policy without estimates.
  virtual PerAction<ArmView> arms() const { return {}; }

  virtual void archive(Archive& /*archive*/) {}
};

// Policies are made for a list of actions and a seed.
using PolicyRegistry = Registry<Policy, NoTraits, std::span<const Action>, std::uint64_t>;
// Those of the library.
const PolicyRegistry& policies();

// What policies are paid: see `plumbline config` for those that there are.
class Reward;
using RewardRegistry = Registry<Reward, NoTraits>;
const RewardRegistry& rewards();

PLUMBLINE_END_NAMESPACE

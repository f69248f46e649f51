// A policy decides on every round what the minibatch is spent on, and learns from the rewards.
//
// The first round always trains (Algorithm 2, line 5) and is not a policy's to decide; rounds count
// from 1, so a policy is asked from round 2 on. A policy sees its actions as arms, by their place
// in the list. Its random draws are a function of the seed and the round alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plumbline/base/archive.h"
#include "plumbline/policies/action.h"
#include "plumbline/policies/context.h"
#include "plumbline/policies/per_action.h"

namespace plumbline {

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

}  // namespace plumbline

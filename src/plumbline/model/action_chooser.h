// Chooses an action (plumbline/policy.h) for each minibatch of a model that is not ours, of which only the loss is known:
// that of its calibrated predictions, before anything was learned from the minibatch. The first round trains. An action
// is rewarded in the next round, by the relative decrease of the loss from its round to that one, clamped to at least -1. A learn budget (model/budget.h)
// replaces actions that train beyond it, which are not rewarded.
#pragma once

#include <cstdint>
#include <memory>

#include "plumbline/archive.h"
#include "plumbline/components.h"
#include "plumbline/model/budget.h"
#include "plumbline/options.h"
#include "plumbline/policies/reward.h"
#include "plumbline/policy.h"

namespace plumbline::inline v0 {

class ActionChooser {
 public:
  // Throws a configuration error for a policy that needs more than losses: `greedy` tries actions, and `lin_ucb` needs a
  // context.
  ActionChooser(const Spec& policy, Actions actions, std::uint64_t seed, double learn_budget = 1,
                const Components& components = Components::builtin());

  // True if `choose` depends on the loss.
  bool needs_loss() const { return policy_->needs_rewards(); }
  // True if it depends on the mean entropy of the predictions.
  bool needs_uncertainty() const { return policy_->needs_uncertainty(); }
  Action choose(double loss, double uncertainty = 0);
  std::uint64_t rounds() const { return rounds_; }
  void archive(Archive& archive);

 private:
  Actions actions_;
  std::unique_ptr<Policy> policy_;
  std::unique_ptr<Reward> reward_;
  Budget budget_;
  std::uint64_t rounds_ = 0;
  double last_loss_ = 0;
  std::uint64_t last_arm_ = 0;  // of the last round, if that was not the first
  bool replaced_ = false;       // true if the budget replaced its action
};

}  // namespace plumbline::inline v0

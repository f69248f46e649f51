#include "plumbline/model/action_chooser.h"

#include <utility>

#include <fmt/format.h>

#include "plumbline/error.h"

namespace plumbline::inline v0 {

ActionChooser::ActionChooser(const Spec& policy, Actions actions, std::uint64_t seed,
                             double learn_budget, const Components& components)
    : actions_(std::move(actions)), budget_(learn_budget) {
  if (!(learn_budget > 0 && learn_budget <= 1)) {
    throw Error(ErrorKind::config,
                fmt::format("'learn_budget' must be above 0 and at most 1, not {}", learn_budget));
  }
  if (actions_.empty()) throw Error(ErrorKind::config, "there is no action to choose from");
  policy_ = components.policies.make(policy, actions_, seed);
  reward_ = components.rewards.make("log_loss:on=next_batch,lowest=-1");
  if (policy_->needs_trials() || policy_->needs_context()) {
    throw Error(ErrorKind::config,
                fmt::format("the policy '{}' cannot choose for another model: "
                            "it needs {}",
                            policy.name,
                            policy_->needs_trials() ? "to try actions and undo them"
                                                    : "the context of its rounds"));
  }
}

Action ActionChooser::choose(double loss, double uncertainty) {
  ++rounds_;
  if (rounds_ > 2 && needs_loss() && !replaced_) {
    const Action last = actions_[last_arm_];
    const double gained = reward_->relative_decrease(last_loss_, loss);
    policy_->reward_in({}, last_arm_, reward_->after_costs(gained, trains(last), calibrates(last)));
  }
  last_loss_ = loss;
  Action action = Action::train;
  if (rounds_ > 1) {
    const Round round{.number = rounds_,
                      .uncertainty = uncertainty,
                      .learn_budget = budget_.share(),
                      .saved = budget_.saved(rounds_)};
    policy_->observe(round);
    last_arm_ = policy_->choose(round);
    action = actions_[last_arm_];
    replaced_ = trains(action) && !budget_.allows(rounds_);
    if (replaced_) action = without_training(action);
  }
  if (trains(action)) budget_.spend();
  return action;
}

void ActionChooser::archive(Archive& archive) {
  archive.value("rounds", rounds_);
  archive.value("last_loss", last_loss_);
  archive.value("last_arm", last_arm_);
  if (last_arm_ >= actions_.size()) archive.refuse("last_arm", "is not an action");
  budget_.archive(archive, rounds_, "trained");
  if (budget_.limited()) archive.value("replaced", replaced_);
  archive.require_within("last_loss", {&last_loss_, 1}, 0, kMaxState);
  archive.scope("policy", [&](Archive& inner) { policy_->archive(inner); });
}

}  // namespace plumbline::inline v0

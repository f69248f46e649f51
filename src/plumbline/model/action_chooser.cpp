#include "plumbline/model/action_chooser.h"

#include <utility>

#include <fmt/format.h>

#include "plumbline/error.h"

namespace plumbline::inline v0 {

ActionChooser::ActionChooser(const Spec& policy, Actions actions, std::uint64_t seed,
                             const Components& components)
    : actions_(std::move(actions)) {
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

Action ActionChooser::choose(double loss) {
  ++rounds_;
  if (rounds_ > 2 && needs_loss()) {
    const Action last = actions_[last_arm_];
    const double gained = reward_->relative_decrease(last_loss_, loss);
    policy_->reward_in({}, last_arm_, reward_->after_costs(gained, trains(last), calibrates(last)));
  }
  last_loss_ = loss;
  if (rounds_ == 1) return Action::train;
  last_arm_ = policy_->choose({.number = rounds_});
  return actions_[last_arm_];
}

void ActionChooser::archive(Archive& archive) {
  archive.value("rounds", rounds_);
  archive.value("last_loss", last_loss_);
  archive.value("last_arm", last_arm_);
  if (last_arm_ >= actions_.size()) archive.refuse("last_arm", "is not an action");
  archive.require_within("last_loss", {&last_loss_, 1}, 0, kMaxState);
  archive.scope("policy", [&](Archive& inner) { policy_->archive(inner); });
}

}  // namespace plumbline::inline v0

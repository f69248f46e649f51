#include "plumbline/rewards/reward.h"

#include <algorithm>

namespace plumbline {

void Reward::Params::visit(OptionVisitor& visitor) {
  visitor.choice("on", on,
                 {{"same_batch", RewardOn::same_batch},
                  {"next_batch", RewardOn::next_batch},
                  {"running", RewardOn::running}},
                 "which losses are compared: this minibatch's before and after the action, this "
                 "round's and the next one's, or the running averages up to them");
  visitor.real("lowest", lowest, Range::closed(-1e6, 0), "the lowest reward of an action");
}

double Reward::relative_decrease(double before, double after) const {
  if (after == before) return 0;
  if (before == 0) return params_.lowest;
  return std::max(params_.lowest, 1 - after / before);
}

}  // namespace plumbline

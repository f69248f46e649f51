#include "plumbline/rewards/reward.h"

#include <algorithm>

namespace plumbline {

double relative_decrease(double before, double after) {
  constexpr double kLowest = -1e6;
  if (after == before) return 0;
  if (before == 0) return kLowest;
  return std::max(kLowest, 1 - after / before);
}

void visit_on(OptionVisitor& visitor, RewardOn& on) {
  visitor.choice("on", on,
                 {{"same_batch", RewardOn::same_batch},
                  {"next_batch", RewardOn::next_batch},
                  {"running", RewardOn::running}},
                 "which losses are compared: this minibatch's before and after the action, this "
                 "round's and the next one's, or the running averages up to them");
}

}  // namespace plumbline

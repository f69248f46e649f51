#include "plumbline/policies/reward.h"

#include <algorithm>

namespace plumbline::inline v0 {

void Reward::Params::visit(OptionVisitor& visitor) {
  visitor.choice("on", on,
                 {{"same_batch", RewardOn::same_batch},
                  {"next_batch", RewardOn::next_batch},
                  {"running", RewardOn::running}},
                 "losses that are compared: of this minibatch before and after the action, of this "
                 "round and the next, or the running averages up to them");
  visitor.real("lowest", lowest, Range::closed(-1e6, 0), "lowest reward of an action");
  visitor.flag("per_cost", per_cost,
               "divide gains by the cost of the action, in units of the cheaper one");
  visitor.real("price", price, Range::closed(0, 1),
               "relative decrease of the loss that is worth one unit of cost");
  const Range costs = Range::closed(0.001, 1000);
  visitor.real("train_cost", train_cost, costs, "cost of training");
  visitor.real("calibrate_cost", calibrate_cost, costs, "cost of calibrating");
}

double Reward::relative_decrease(double before, double after) const {
  if (after == before) return 0;
  if (before == 0) return params_.lowest;
  return std::max(params_.lowest, 1 - after / before);
}

double Reward::after_costs(double earned, bool trained, bool calibrated) const {
  const double cost =
      (trained ? params_.train_cost : 0) + (calibrated ? params_.calibrate_cost : 0);
  if (cost == 0) return earned;
  const double paid = std::max(params_.lowest, earned - params_.price * cost);
  if (!params_.per_cost || paid <= 0) return paid;
  return paid * (std::min(params_.train_cost, params_.calibrate_cost) / cost);
}

}  // namespace plumbline::inline v0

// The reward of an action: the relative decrease of a loss, X = 1 - L_after/L_before (section 5).
//
// Members differ in the loss; every member has these options:
//   on      which pair of losses is compared:
//             same_batch  the loss on this minibatch before and after the action
//             next_batch  the loss of this round's predictions and of the next round's
//             running     the average loss of all predictions up to this round and up to the next
//           The paper's text allows all three. The first is available at once, the others one round
//           later.
//   lowest  X is at most 1, but has no lower bound: on a minibatch that was predicted almost perfectly,
//           any action looks ruinous. X is clamped to at least this value.
//   costs   of the actions (below), so that a policy can save time
#pragma once

#include <span>

#include "plumbline/batch.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

enum class RewardOn { same_batch, next_batch, running };

class Reward {
 public:
  // The options of every member.
  struct Params {
    RewardOn on = RewardOn::same_batch;
    double lowest = -1e6;
    // An action costs C = train_cost if it trains, calibrate_cost if it calibrates, their sum if it
    // does both, and 0 if it skips. These are configured numbers, never measured times, so that a run
    // can be repeated. They change X in two ways, applied in this order:
    //   price     X - price C, at least `lowest`: an action that earns less than its price is worse
    //             than skipping
    //   per_cost  X C_min/C, the gain per unit of compute, where C_min is the lower of the two costs.
    //             Negative X is not changed: harm does not depend on cost.
    bool per_cost = false;
    double price = 0;
    double train_cost = 1;
    double calibrate_cost = 1;
    void visit(OptionVisitor& visitor);
  };

  explicit Reward(const Params& params) : params_(params) {}
  virtual ~Reward() = default;

  RewardOn on() const { return params_.on; }
  // The mean loss of a minibatch's predictions, finite and at least 0. `costs` are the examples'
  // misclassification costs, for a member that decides; if empty, it uses the costs of its options.
  virtual double loss(std::span<const double> probabilities, std::span<const Label> labels,
                      std::span<const Costs> costs) const = 0;
  // 1 - after/before, not below `lowest`; 0 if both are 0, `lowest` if only `before` is.
  double relative_decrease(double before, double after) const;
  // The reward after deducting the costs of what the action did.
  double after_costs(double earned, bool trained, bool calibrated) const;

 private:
  Params params_;
};

}  // namespace plumbline::inline v0

// What an action earned: the relative decrease of a loss, X = 1 - L_after/L_before (section 5).
//
// A member says which loss; every member has these options:
//   on      which pair of losses is compared:
//             same_batch  the loss on this minibatch before and after the action
//             next_batch  the loss of this round's predictions and of the next round's
//             running     the average loss of all predictions up to this round and up to the next
//           The paper's text allows all three. The first is known at once, the others a round
//           later.
//   lowest  X is at most 1, but has no lower bound: a minibatch that was predicted almost perfectly
//           makes any action look ruinous. X is kept from falling below this.
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
    // does both and nothing if it skips: configured numbers, never measured times, so that a run
    // can be repeated. They change X in two ways, the first before the second:
    //   price     X - price C, not below `lowest`: what earns less than its price loses to skipping
    //   per_cost  X C_min/C, the gain per unit of compute, C_min the lower of the two costs: what
    //             is cheap may gain less. What does harm does it at any cost, and stays as it is.
    bool per_cost = false;
    double price = 0;
    double train_cost = 1;
    double calibrate_cost = 1;
    void visit(OptionVisitor& visitor);
  };

  explicit Reward(const Params& params) : params_(params) {}
  virtual ~Reward() = default;

  RewardOn on() const { return params_.on; }
  // The mean loss of a minibatch's predictions: at least 0, and finite. `costs` are those of the
  // examples' wrong decisions, for a member that decides; it has its own where there are none.
  virtual double loss(std::span<const double> probabilities, std::span<const Label> labels,
                      std::span<const Costs> costs) const = 0;
  // 1 - after/before, not below `lowest`; 0 if both are 0, `lowest` if only `before` is.
  double relative_decrease(double before, double after) const;
  // What is left of that for an action that took these to learn.
  double after_costs(double earned, bool trained, bool calibrated) const;

 private:
  Params params_;
};

}  // namespace plumbline::inline v0

// What an action earned: the relative decrease of a loss, X = 1 - L_after/L_before (section 5).
//
// A member says which loss; every member has the option `on`, which pair of losses is compared:
//   same_batch  the loss on this minibatch before and after the action
//   next_batch  the loss of this round's predictions and of the next round's
//   running     the average loss of all predictions up to this round and up to the next one
// The paper's text allows all three. The first is known at once, the others a round later.
#pragma once

#include <span>

#include "plumbline/core/batch.h"
#include "plumbline/core/options.h"

namespace plumbline {

enum class RewardOn { same_batch, next_batch, running };

class Reward {
 public:
  explicit Reward(RewardOn on) : on_(on) {}
  virtual ~Reward() = default;

  RewardOn on() const { return on_; }
  // The mean loss of a minibatch's predictions: at least 0, and finite.
  virtual double loss(std::span<const double> probabilities,
                      std::span<const Label> labels) const = 0;

 private:
  RewardOn on_;
};

// 1 - after/before, and 0 if both are 0. At most 1; kept above -1e6, which only matters when a
// loss of (nearly) nothing was followed by one of something.
double relative_decrease(double before, double after);

void visit_on(OptionVisitor& visitor, RewardOn& on);

}  // namespace plumbline

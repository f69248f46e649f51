// Tries every action on the minibatch and keeps the one that helped most on that minibatch.
//
// The paper describes it (end of section 4.2) and rejects it: it has no memory, costs as much as
// all actions together, and nearly always calibrates. Rewards are always those of `same_batch`,
// less costs, whatever the reward's options. Ties go to the earlier action.
#pragma once

#include "plumbline/options.h"
#include "plumbline/policy.h"

namespace plumbline::inline v0 {

class Greedy : public Policy {
 public:
  struct Params {
    void visit(OptionVisitor&) {}
  };

  Greedy(const Params&, std::span<const Action>, std::uint64_t) {}
  std::size_t choose(const Round& round) const override;
  bool needs_trials() const override { return true; }
};

}  // namespace plumbline::inline v0

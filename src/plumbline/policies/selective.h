// Training where it should gain most: on the minibatches whose predictions are least certain, as far as the learn
// budget goes (uncertainty sampling; Lewis & Gale, "A sequential algorithm for training text classifiers", SIGIR 1994).
// With the budget b, the number s of minibatches that may be trained now, and the rank r of the minibatch's mean
// entropy among those of the last `window` rounds (policies/rank_window.h), it trains if
//   s >= 1 and r >= 1 - b s.
// At s = 1 it takes a share b of the minibatches, and with more saved it is less choosy.
// After a drift predictions become less certain, since the calibrator always learns: what was saved is spent then. The
// choice does not depend on labels, so it does not prefer rows whose labels are wrong.
// Actions are those of TrainOrNot (policies/schedule.h). The first 20 rounds train as the budget allows, and without a
// budget all do. Cost per round: a comparison for each round of the window.
#pragma once

#include "plumbline/options.h"
#include "plumbline/policies/rank_window.h"
#include "plumbline/policies/schedule.h"
#include "plumbline/policy.h"

namespace plumbline::inline v0 {

class Selective : public Policy {
 public:
  struct Params {
    std::int64_t window = 200;
    void visit(OptionVisitor& visitor);
  };

  Selective(const Params& params, std::span<const Action> actions, std::uint64_t seed);

  void observe(const Round& round) override;
  std::size_t choose(const Round& round) const override;
  bool needs_uncertainty() const override { return true; }
  void archive(Archive& archive) override;

 private:
  TrainOrNot arms_;
  RankWindow window_;
  double rank_ = 1;  // of the round that was observed last
};

}  // namespace plumbline::inline v0

// Policies with a fixed schedule.
//
// `fixed` (the paper's naive calibration) calibrates on every round divisible by `every` (N_c) and
// trains on the others. The paper does not say whether its rounds count from 1 or from 0 (`from`): with
// N_c = 2, the first calibration is on the second or on the third minibatch. `always_train` always trains,
// so that scores stay uncalibrated; `always` takes the same action on every round.
#pragma once

#include "plumbline/options.h"
#include "plumbline/policy.h"

namespace plumbline::inline v0 {

class Fixed : public Policy {
 public:
  struct Params {
    std::int64_t every = 2;
    std::int64_t from = 1;
    void visit(OptionVisitor& visitor);
  };

  Fixed(const Params& params, std::span<const Action> actions, std::uint64_t seed);
  std::size_t choose(const Round& round) const override;

 private:
  std::uint64_t every_, from_;
  std::size_t train_, calibrate_;
};

class AlwaysTrain : public Policy {
 public:
  struct Params {
    void visit(OptionVisitor&) {}
  };

  AlwaysTrain(const Params& params, std::span<const Action> actions, std::uint64_t seed);
  std::size_t choose(const Round&) const override { return train_; }

 private:
  std::size_t train_;
};

class Always : public Policy {
 public:
  struct Params {
    Action action = Action::train;
    void visit(OptionVisitor& visitor);
  };

  Always(const Params& params, std::span<const Action> actions, std::uint64_t seed);
  std::size_t choose(const Round&) const override { return action_; }

 private:
  std::size_t action_;
};

}  // namespace plumbline::inline v0

// A fixed schedule of training: the first `first` rounds, then the first `train` rounds of each period of `every`
// rounds. The action of these rounds is `both`, or `train` if the list lacks it; that of the others is `calibrate`, or
// `skip` if the list lacks it. Schedules of a given cost are what a policy for a learn budget must beat.
#pragma once

#include "plumbline/options.h"
#include "plumbline/policy.h"

namespace plumbline::inline v0 {

// The arms of the policies that only choose whether to train.
struct TrainOrNot {
  std::size_t train, otherwise;

  TrainOrNot(std::span<const Action> actions, std::string_view who);
};

class Schedule : public Policy {
 public:
  struct Params {
    std::int64_t first = 0;
    std::int64_t every = 5;
    std::int64_t train = 1;
    void visit(OptionVisitor& visitor);
  };

  Schedule(const Params& params, std::span<const Action> actions, std::uint64_t seed);
  std::size_t choose(const Round& round) const override;

 private:
  std::uint64_t first_, every_, train_;
  TrainOrNot arms_;
};

}  // namespace plumbline::inline v0

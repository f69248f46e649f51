// The inside of a model, for inspection and plots.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plumbline/calibrators/calibrator.h"
#include "plumbline/ensemble/online_boost.h"
#include "plumbline/policies/policy.h"

namespace plumbline {

// What happened on one round.
struct RoundRecord {
  std::uint64_t round = 0;  // from 1 on; 0 for an empty minibatch, which is no round
  Action action = Action::train;
  double loss = 0;  // of the predictions before the action, in the reward's loss
  bool rewarded = false;
  double reward = 0;  // if rewarded; with `next_batch` and `running` it comes a round later
};

// A policy's estimate of an action.
struct ArmEstimate {
  Action action;
  ArmView estimate;
};

struct BinaryView {
  struct CurvePoint {
    double score;
    double probability;
  };

  std::uint64_t rounds = 0;
  std::uint64_t examples = 0;
  std::vector<OnlineBoost::LearnerView> learners{};
  // The calibrator's map, at equally spaced scores that are the same in each column of scores.
  std::vector<CurvePoint> curve{};
  std::vector<Calibrator::Part> parts{};  // of the calibrator, if it has any
  PerAction<ArmEstimate> arms{};          // empty for a policy without estimates
  std::optional<Context> context{};       // of the last round, if the policy asks for it
  std::vector<RoundRecord> history{};     // the last rounds, oldest first
};

struct ModelView {
  // A binary model: class `of` against the class `against`, or against all others.
  struct Part {
    std::size_t of;
    std::optional<std::size_t> against;
    BinaryView view;
  };

  std::uint64_t rounds = 0;
  std::uint64_t examples = 0;
  std::vector<Part> parts{};  // one for two classes
  // Of several classes: examples of each, and the factor that sharpens coupled log-odds (1/temperature).
  std::vector<std::uint64_t> class_counts{};
  double sharpness = 1;

  bool several() const { return !class_counts.empty(); }
};

}  // namespace plumbline

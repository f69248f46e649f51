// The options of the boosted ensemble, and its state for inspection.
#pragma once

#include <cstdint>

#include "plumbline/api.h"
#include "plumbline/learner.h"
#include "plumbline/options.h"

PLUMBLINE_BEGIN_NAMESPACE

enum class ScoreKind { vote_fraction, logistic };

// The vote of a learner with beta_t < 0.
enum class NegativeVotes {
  keep,  // the formulas taken literally: it also lowers the sum of the votes
  drop,  // ignored
  flip,  // counts with weight |beta_t| for the other class
};

struct EnsembleOptions {
  enum class Resample { automatic, yes, weight, no };
  enum class UpdateBy { example, minibatch };

  std::int64_t size = 10;
  Resample resample = Resample::automatic;
  Correctness correctness = Correctness::after_update;
  UpdateBy update_by = UpdateBy::example;
  ScoreKind score = ScoreKind::vote_fraction;
  NegativeVotes negative_votes = NegativeVotes::keep;
  double error_floor = 1e-10;
  double weight_cap = 1e6;
  bool test_unseen = true;
  double prior_weight = 0;
  void visit(OptionVisitor& visitor);
};

// The state of one learner of the ensemble, for inspection.
struct BoostedLearner {
  double correct_weight;  // lambda_sc
  double wrong_weight;    // lambda_sw
  double error;           // eps_t
  double vote;            // beta_t
};

PLUMBLINE_END_NAMESPACE

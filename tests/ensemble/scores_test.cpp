#include "plumbline/ensemble/scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/ensemble/online_boost.h"
#include "plumbline/math/loss.h"
#include "plumbline/math/rng.h"

namespace plumbline::scores_test {
namespace {

// Errors and votes of a made-up ensemble on one row.
struct Votes {
  std::vector<double> errors;
  std::vector<double> margins;  // the sign is the vote
};

Votes random_votes(std::uint64_t seed, double largest_error) {
  Rng rng(seed, 0, 0);
  Votes votes;
  for (int t = 0; t < 7; ++t) {
    votes.errors.push_back(0.01 + (largest_error - 0.02) * rng.uniform());
    votes.margins.push_back(rng.uniform() < 0.5 ? -1 : 1);
  }
  return votes;
}

struct Tallied {
  double fraction, logistic, confidence;
};

Tallied tally(const Votes& votes, NegativeVotes negative = NegativeVotes::keep) {
  VoteTally tally;
  tally.begin(1, negative);
  for (std::size_t t = 0; t < votes.errors.size(); ++t) {
    tally.add(vote_weight(votes.errors[t]), {&votes.margins[t], 1});
  }
  return {tally.score(0, ScoreKind::vote_fraction), tally.score(0, ScoreKind::logistic),
          tally.confidence(0)};
}

TEST(Scores, VoteFractionIsTheShareOfTheVotesForThePositiveClass) {
  const Votes votes{{0.2, 0.3, 0.4}, {1, -1, 1}};
  const double b1 = std::log(4.0), b2 = std::log(0.7 / 0.3), b3 = std::log(1.5);
  EXPECT_NEAR(tally(votes).fraction, (b1 + b3) / (b1 + b2 + b3), 1e-15);
}

TEST(Scores, SurenessIsTheMeanMarginOfTheLearnersSquashed) {
  const Votes votes{{0.2, 0.3}, {5, -1}};
  const double b1 = std::log(4.0), b2 = std::log(0.7 / 0.3), mean = (5 * b1 - b2) / (b1 + b2);
  EXPECT_NEAR(tally(votes).confidence, (1 + mean) / (2 + mean), 1e-15);
  EXPECT_NEAR(tally({{0.2, 0.3}, {-5, 1}}).confidence, 1 / (2 + mean), 1e-15);
  // A learner worse than chance counts for the other side.
  EXPECT_NEAR(tally({{0.8}, {3}}).confidence, 1.0 / 5, 1e-15);
  EXPECT_NEAR(tally({{0.8}, {3}}, NegativeVotes::flip).confidence, 1.0 / 5, 1e-15);
  EXPECT_EQ(tally({{0.8}, {3}}, NegativeVotes::drop).confidence, 0.5);
  EXPECT_EQ(tally({{}, {}}).confidence, 0.5);
  EXPECT_LT(tally({{0.2}, {1e300}}).confidence, 1);  // its logit stays finite
}

// The identity under Eq. (scores): s = (1 + margin)/2 for y = 1, (1 - margin)/2 for y = -1, where
// margin(x, y) = y F / sum of beta.
TEST(Scores, VoteFractionIsHalfOfOnePlusTheMargin) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Votes votes = random_votes(seed, 0.5);
    double f = 0, sum = 0;
    for (std::size_t t = 0; t < votes.errors.size(); ++t) {
      const double beta = vote_weight(votes.errors[t]);
      f += votes.margins[t] * beta;
      sum += beta;
    }
    EXPECT_NEAR(tally(votes).fraction, 0.5 * (1 + f / sum), 1e-14);
  }
}

// Eq. (PoE_Ada), multiplied out as it is printed.
TEST(Scores, LogisticScoreIsTheProductOfExperts) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Votes votes = random_votes(seed, 1.0);
    double positive = 1, negative = 1;
    for (std::size_t t = 0; t < votes.errors.size(); ++t) {
      const double e = votes.errors[t];
      positive *= votes.margins[t] > 0 ? 1 - e : e;
      negative *= votes.margins[t] > 0 ? e : 1 - e;
    }
    EXPECT_NEAR(tally(votes).logistic, positive / (positive + negative), 1e-12);
  }
}

TEST(Scores, WithoutVotesTheScoreIsAHalf) {
  const Tallied none = tally({{}, {}});
  EXPECT_EQ(none.fraction, 0.5);
  EXPECT_EQ(none.logistic, 0.5);
  EXPECT_EQ(tally({{0.5}, {1}}).fraction, 0.5);
}

TEST(Scores, NegativeVotesAreKeptDroppedOrFlipped) {
  // One good learner says positive, one that is worse than chance says positive too.
  const Votes votes{{0.1, 0.8}, {1, 1}};
  const double good = std::log(9.0), bad = std::log(4.0);
  EXPECT_EQ(tally(votes, NegativeVotes::keep).fraction, 1);
  EXPECT_NEAR(tally(votes, NegativeVotes::keep).logistic, sigmoid(good - bad), 1e-15);
  EXPECT_EQ(tally(votes, NegativeVotes::drop).fraction, 1);
  EXPECT_NEAR(tally(votes, NegativeVotes::drop).logistic, sigmoid(good), 1e-15);
  EXPECT_NEAR(tally(votes, NegativeVotes::flip).fraction, good / (good + bad), 1e-14);
  EXPECT_NEAR(tally(votes, NegativeVotes::flip).logistic, sigmoid(good - bad), 1e-15);
}

TEST(Scores, KeptNegativeVotesNeverLeaveTheUnitInterval) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const NegativeVotes negative :
         {NegativeVotes::keep, NegativeVotes::drop, NegativeVotes::flip}) {
      const Tallied result = tally(random_votes(seed, 1.0), negative);
      EXPECT_GE(result.fraction, 0);
      EXPECT_LE(result.fraction, 1);
      EXPECT_FALSE(std::signbit(result.fraction));  // no "-0" in anybody's output
    }
  }
}

}  // namespace
}  // namespace plumbline::scores_test

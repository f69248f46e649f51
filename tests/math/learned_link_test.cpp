#include "plumbline/math/learned_link.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "plumbline/math/loss.h"
#include "plumbline/math/rng.h"
#include "tests/support.h"

namespace plumbline::learned_link_test {
namespace {

TEST(LearnedLink, IsTheIdentityBeforeTheFirstExample) {
  const LearnedLink link;
  for (const double margin : {-1e6, -3.0, 0.0, 0.1, 40.0})
    EXPECT_EQ(link.corrected(margin), margin);
}

// The definition in learned_link.h for examples at one knot: t = -1 + 2 k/24.
TEST(LearnedLink, MovesAKnotToTheFrequencyOfItsLabels) {
  const double t = -1 + 2 * 18.0 / 24, margin = 2 * t / (1 - t), q = sigmoid(margin);
  LearnedLink link;
  double weight = 0, positive = 0;
  for (int i = 0; i < 40; ++i) {
    const Label y = i % 4 == 0 ? 1 : 0;
    const double w = i % 3 == 0 ? 2 : 0.5;
    link.learn(margin, y, w);
    weight = weight * (1 - 1 / 5000.0) + w;
    positive = positive * (1 - 1 / 5000.0) + w * y;
  }
  const double p = (positive + 30 * q) / (weight + 30);
  // The position is rounded: a 1e-16th of the example counts for the neighboring knot.
  EXPECT_NEAR(link.corrected(margin), std::log(p / (1 - p)), 1e-9);
  // Halfway to the next knot, half of the correction; beyond it, none.
  const double half = t + 1.0 / 24, next = t + 2.0 / 24, margin_half = 2 * half / (1 - half),
               margin_next = 2 * next / (1 - next);
  EXPECT_NEAR(link.corrected(margin_half) - margin_half, (std::log(p / (1 - p)) - margin) / 2,
              1e-9);
  EXPECT_NEAR(link.corrected(margin_next), margin_next, 1e-9);
}

// Labels of which 10 % are wrong: far from the boundary, the probability is 0.9, whatever the margin. Knots
// are far apart where margins are rare, hence the tolerance.
TEST(LearnedLink, FollowsWrongLabels) {
  LearnedLink link;
  Rng rng(1, 0, 0);
  for (int i = 0; i < 20000; ++i) {
    const double margin = 3 * rng.normal();
    const bool wrong = rng.uniform() < 0.1;
    link.learn(margin, static_cast<Label>((margin > 0) != wrong), 1);
  }
  for (const double margin : {2.0, 3.0, 5.0}) {
    EXPECT_NEAR(sigmoid(link.corrected(margin)), 0.9, 0.04) << margin;
    EXPECT_NEAR(sigmoid(link.corrected(-margin)), 0.1, 0.04) << margin;
  }
}

TEST(LearnedLink, LeavesRightProbabilitiesAlone) {
  LearnedLink link;
  Rng rng(1, 0, 0);
  for (int i = 0; i < 20000; ++i) {
    const double margin = 2 * rng.normal();
    link.learn(margin, static_cast<Label>(rng.uniform() < sigmoid(margin)), 1);
  }
  for (const double margin : {-4.0, -1.0, 0.0, 2.0}) {
    EXPECT_NEAR(sigmoid(link.corrected(margin)), sigmoid(margin), 0.03) << margin;
  }
}

TEST(LearnedLink, ExtremeMarginsLeaveFiniteOnes) {
  LearnedLink link;
  for (int i = 0; i < 1000; ++i) {
    for (const double margin : {1e300, -1e300, 700.0, -700.0, 0.0}) {
      link.learn(margin, static_cast<Label>(i % 2), i % 5 == 0 ? 1e-300 : 1);
      EXPECT_TRUE(std::isfinite(link.corrected(margin)));
    }
  }
}

TEST(LearnedLink, IsSavedExactlyAndRefusesNegativeSums) {
  LearnedLink link, loaded;
  Rng rng(1, 0, 0);
  for (int i = 0; i < 500; ++i) link.learn(3 * rng.normal(), static_cast<Label>(rng.below(2)), 1);
  const Tensors tensors = save_state(link);
  load_state(loaded, tensors);
  for (double margin = -8; margin < 8; margin += 0.37) {
    EXPECT_EQ(link.corrected(margin), loaded.corrected(margin));
  }
  Tensors changed = tensors;
  changed[0].bytes[7] ^= std::byte{0x80};
  changed[0].bytes[12 * 24 + 7] ^= std::byte{0x80};
  EXPECT_THROW(load_state(loaded, changed), Error);
}

}  // namespace
}  // namespace plumbline::learned_link_test

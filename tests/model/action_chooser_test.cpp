#include "plumbline/model/action_chooser.h"

#include <gtest/gtest.h>

#include "plumbline/math/rng.h"
#include "tests/support.h"

namespace plumbline::action_chooser_test {
namespace {

const Actions kAll{Action::train, Action::calibrate, Action::both, Action::skip};

TEST(ActionChooser, TrainsInTheFirstRound) {
  ActionChooser both("always:action=both", kAll, 1), fixed("fixed:every=3", kAll, 1);
  EXPECT_EQ(both.choose(0.5), Action::train);
  EXPECT_EQ(both.choose(0.5), Action::both);
  EXPECT_FALSE(both.needs_loss());
  std::string chosen;
  for (int i = 0; i < 6; ++i) chosen += name_of(fixed.choose(1))[0];
  EXPECT_EQ(chosen, "ttcttc");
}

// The loss falls by half after a calibration, and doubles after training.
TEST(ActionChooser, RewardsAnActionWithTheLossOfTheNextRound) {
  ActionChooser chooser("ucb1", {Action::train, Action::calibrate}, 1);
  EXPECT_TRUE(chooser.needs_loss());
  double loss = 1;
  int calibrations = 0;
  for (int i = 0; i < 200; ++i) {
    const bool calibrated = chooser.choose(loss) == Action::calibrate;
    loss = std::clamp(loss * (calibrated ? 0.5 : 2), 1e-9, 1e9);
    calibrations += calibrated ? 1 : 0;
  }
  EXPECT_GT(calibrations, 150);
}

TEST(ActionChooser, KeepsToALearnBudget) {
  for (const char* policy : {"always:action=both", "selective", "ucb1"}) {
    ActionChooser whole(policy, kAll, 1, 0.2), part(policy, kAll, 1, 0.2);
    double trained = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
      Rng rng(1, 0, i);
      const double loss = rng.uniform(), uncertainty = 0.69 * rng.uniform();
      const Action action = whole.choose(loss, uncertainty);
      trained += trains(action) ? 1 : 0;
      ASSERT_LE(trained, 1 + 0.2 * static_cast<double>(i) + 1e-9) << policy;
      // Saved and loaded now and then.
      if (i % 30 == 7) {
        const Tensors state = save_state(part);
        part = ActionChooser(policy, kAll, 1, 0.2);
        load_state(part, state);
      }
      ASSERT_EQ(part.choose(loss, uncertainty), action) << policy << " " << i;
    }
    if (std::string(policy) != "ucb1") {
      EXPECT_GE(trained, 37) << policy;
    }
  }
  test::expect_error(ErrorKind::config, {"learn_budget"},
                     [] { ActionChooser("ucb1", kAll, 1, 0.0); });
}

TEST(ActionChooser, ResumesExactly) {
  ActionChooser whole("thompson", kAll, 7);
  auto part = std::make_unique<ActionChooser>("thompson", kAll, 7);
  for (std::uint64_t i = 0; i < 100; ++i) {
    const double loss = Rng(3, 0, i).uniform();
    auto next = std::make_unique<ActionChooser>("thompson", kAll, 7);
    load_state(*next, save_state(*part));
    part = std::move(next);
    EXPECT_EQ(part->choose(loss), whole.choose(loss));
  }
}

TEST(ActionChooser, RefusesPoliciesThatNeedMoreThanLosses) {
  for (const char* policy : {"greedy", "lin_ucb"}) {
    test::expect_error(ErrorKind::config, {policy, "cannot choose for another model"},
                       [&] { ActionChooser chooser(Spec(policy), kAll, 1); });
  }
  test::expect_error(ErrorKind::config, {"no action"}, [] { ActionChooser c("ucb1", {}, 1); });
}

}  // namespace
}  // namespace plumbline::action_chooser_test

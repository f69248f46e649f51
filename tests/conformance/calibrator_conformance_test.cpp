// What every calibrator promises by itself: for every registry row, every choice of its options,
// and some rows with their numbers at the edge of what is allowed.

#include <gtest/gtest.h>

#include <cctype>
#include <limits>

#include "plumbline/calibrator.h"
#include "plumbline/error.h"
#include "tests/calibrators/support.h"

namespace plumbline::calibrator_conformance_test {
namespace {

std::vector<std::string> specs() {
  std::vector<std::string> list;
  for (const auto& row : calibrators().rows()) {
    list.push_back(row.name);
    bool forgets = false;
    for (const OptionInfo& option : row.options) {
      for (const std::string& choice : option.choices) {
        list.push_back(row.name + ":" + option.name + "=" + choice);
      }
      forgets |= option.name == "forgetting";
    }
    if (forgets) list.push_back(row.name + ":forgetting=0.5");
  }
  list.insert(list.end(),
              {"platt_newton:forgetting=0.5,ridge=1e-6", "platt_newton:forgetting=1,ridge=1e-6",
               "beta:forgetting=0.5,ridge=1e-6", "beta:forgetting=1,ridge=1e-6",
               "histogram:forgetting=0.5,bins=1000,shrinkage=0.001",
               "isotonic:forgetting=0.5,cells=2,prior=0.001",
               "spline:forgetting=0.5,knots=15,ridge=1e-6,smoothness=0",
               "spline:forgetting=1,knots=2,ridge=1e-6,smoothness=1e6", "spline:reach=0.1",
               "mixture:rate=1,share=0", "mixture:rate=1,share=0.5"});
  return list;
}

// Those that learn any map, and know more than the last two labels: `residual` mends small faults only.
std::vector<std::string> remembering() {
  std::vector<std::string> list = specs();
  std::erase_if(list, [](const std::string& spec) {
    return spec == "none" || spec.starts_with("residual") ||
           spec.find("forgetting=0.5") != std::string::npos;
  });
  return list;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& test) {
  std::string name;
  for (const char c : test.param) name += std::isalnum(c) ? c : '_';
  return name;
}

class CalibratorConformance : public ::testing::TestWithParam<std::string> {
 protected:
  static std::unique_ptr<Calibrator> make() {
    return calibrators().make(Spec(std::string_view(GetParam())), 1);
  }

  // From 0 to 1, both included, and everything between that might be special.
  static std::vector<double> special_scores() {
    constexpr double kTiny = std::numeric_limits<double>::denorm_min();
    constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
    return {0, kTiny, 1e-300, 1e-15, 1e-6, 0.1, 0.5 - 1e-16, 0.5, 0.9, 1 - 1e-6, 1 - kEpsilon, 1};
  }

  static void learn(Calibrator& calibrator, std::uint64_t from, std::uint64_t to) {
    test::feed(
        calibrator, [](double z) { return sigmoid(0.5 * z + 1); }, from, to);
  }

  static std::vector<double> answers(const Calibrator& calibrator) {
    std::vector<double> scores = special_scores(), result(scores.size());
    calibrator.apply(scores, result);
    return result;
  }
};

class RememberingCalibrator : public CalibratorConformance {};

TEST_P(CalibratorConformance, PassesTheRawScoreThroughBeforeTheFirstCalibration) {
  const auto calibrator = make();
  calibrator->observe(std::vector<Label>{1, 0, 1});
  EXPECT_EQ(answers(*calibrator), special_scores());
}

TEST_P(CalibratorConformance, GivesAProbabilityForEveryScoreWhateverItLearned) {
  const std::vector<double> scores = special_scores();
  // Labels that agree with the scores, contradict them, and are all the same.
  for (const auto& label :
       {+[](std::size_t i) { return i >= 6; }, +[](std::size_t i) { return i < 6; },
        +[](std::size_t) { return false; }, +[](std::size_t) { return true; }}) {
    const auto calibrator = make();
    std::vector<Label> labels;
    for (std::size_t i = 0; i < scores.size(); ++i) labels.push_back(label(i) ? 1 : 0);
    for (int round = 0; round < 300; ++round) {
      test::calibrate(*calibrator, scores, labels);
      for (const double p : answers(*calibrator))
        ASSERT_TRUE(p >= 0 && p <= 1) << round << ": " << p;
    }
    const Tensors saved = save_state(*calibrator);  // refuses numbers that are not finite
    const auto copy = make();
    load_state(*copy, saved);
    EXPECT_EQ(save_state(*copy), saved);
  }
}

TEST_P(RememberingCalibrator, LearnsOneScoreThatComesForever) {
  for (const double score : {0.0, 0.5, 1.0}) {
    const auto calibrator = make();
    const std::vector<double> scores(50, score);
    double loss = 0;
    for (std::uint64_t round = 0; round < 40; ++round) {
      std::vector<Label> labels;
      Rng rng(8, 0, round);
      for (std::size_t i = 0; i < 50; ++i) labels.push_back(static_cast<Label>(rng.below(2)));
      if (round >= 20) loss += log_loss(test::apply(*calibrator, score), labels[0]) / 20;
      test::calibrate(*calibrator, scores, labels);
    }
    EXPECT_LT(loss, 0.75) << score;  // that of a coin is 0.69
  }
}

TEST_P(CalibratorConformance, ApplyMayWriteOverItsScores) {
  const auto calibrator = make();
  learn(*calibrator, 0, 100);
  std::vector<double> both = special_scores();
  calibrator->apply(both, both);
  EXPECT_EQ(both, answers(*calibrator));
}

TEST_P(CalibratorConformance, ResumesBitwise) {
  const auto whole = make();
  learn(*whole, 0, 150);
  const Tensors cut = save_state(*whole);
  const auto resumed = make();
  load_state(*resumed, cut);
  EXPECT_EQ(answers(*resumed), answers(*whole));
  learn(*whole, 150, 300);
  learn(*resumed, 150, 300);
  EXPECT_EQ(save_state(*resumed), save_state(*whole));
  EXPECT_EQ(answers(*resumed), answers(*whole));
}

TEST_P(CalibratorConformance, StateHasOneSize) {
  const auto calibrator = make();
  const Tensors before = save_state(*calibrator);
  learn(*calibrator, 0, 1000);
  const Tensors after = save_state(*calibrator);
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < after.size(); ++i) EXPECT_EQ(after[i].shape, before[i].shape);
}

TEST_P(CalibratorConformance, RefusesNumbersThatLearningNeverReaches) {
  const auto calibrator = make();
  learn(*calibrator, 0, 100);
  const Tensors good = save_state(*calibrator);
  for (std::size_t i = 0; i < good.size(); ++i) {
    if (good[i].type != TensorType::f64) continue;
    for (const double value : {1e200, -1e200}) {
      Tensors bad = good;
      test::overwrite(bad[i], 0, value);
      EXPECT_THROW(load_state(*make(), bad), Error) << good[i].name << " " << value;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, CalibratorConformance, ::testing::ValuesIn(specs()), test_name);
INSTANTIATE_TEST_SUITE_P(Every, RememberingCalibrator, ::testing::ValuesIn(remembering()),
                         test_name);

}  // namespace
}  // namespace plumbline::calibrator_conformance_test

#include "plumbline/evaluation/recorder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/session.h"
#include "tests/model/running.h"

namespace plumbline::recorder_test {
namespace {

using test::Running;
using test::small_config;
using test::stream_of;

// Of at most `limit` rows.
Recorder recorded(const std::string& labels, std::int64_t batch, std::uint64_t limit = 100,
                  std::int64_t label_delay = 0) {
  std::string text = "x,y\n";
  for (const char label : labels) text += std::string("0.5,") + label + "\n";
  Config config = small_config("gaussian_nb", batch);
  config.label_delay = label_delay;
  Running running(stream_of(text), config);
  Session session(running.stream, running.model, {.limit = limit});
  Recorder recorder;
  while (session.step()) recorder.add(session);
  return recorder;
}

TEST(Recorder, KnowsTheLastLabelOfTheMinibatchBefore) {
  // Predicted: a, a, b, a, b, a and a, a; b, b; b, b.
  EXPECT_DOUBLE_EQ(recorded("ababab", 1).last_label_accuracy(), 1.0 / 6);
  const Recorder pairs = recorded("ababab", 2);
  EXPECT_DOUBLE_EQ(pairs.last_label_accuracy(), 3.0 / 6);
  // After b: 1/2 each while nothing is counted, and as many a as b later.
  EXPECT_DOUBLE_EQ(pairs.last_label_log_loss(), std::log(2));
  EXPECT_DOUBLE_EQ(pairs.base_accuracy(), 3.0 / 6);
  EXPECT_DOUBLE_EQ(*pairs.kappa_temporal(), (pairs.accuracy() - 0.5) / 0.5);
}

TEST(Recorder, KnowsTheLastLabelOfAnEarlierRowIfLabelsComeLater) {
  // Predicted: a, a, a, b, a, b.
  const Recorder recorder = recorded("ababab", 1, 100, /*label_delay=*/1);
  EXPECT_DOUBLE_EQ(recorder.last_label_accuracy(), 5.0 / 6);
  EXPECT_EQ(recorder.actions(Action::train) + recorder.actions(Action::calibrate), 5u);
}

TEST(Recorder, KnowsTheLastLabelOfSeveralClasses) {
  const Recorder recorder = recorded("abbcccaa", 1);
  ASSERT_TRUE(recorder.several());
  EXPECT_DOUBLE_EQ(recorder.last_label_accuracy(), 5.0 / 8);  // all but the first b, c and later a
  EXPECT_DOUBLE_EQ(recorder.base_accuracy(), 3.0 / 8);
  EXPECT_DOUBLE_EQ(*recorder.kappa_temporal(), (recorder.accuracy() - 5.0 / 8) / (3.0 / 8));
}

TEST(Recorder, HasNoKappaIfTheLastLabelIsAlwaysRight) {
  const Recorder recorder = recorded("aaab", 1, 3);
  EXPECT_EQ(recorder.last_label_accuracy(), 1);
  EXPECT_FALSE(recorder.kappa_temporal().has_value());
  EXPECT_TRUE(recorded("aaab", 1).kappa_temporal().has_value());
}

}  // namespace
}  // namespace plumbline::recorder_test

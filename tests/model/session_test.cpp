#include "plumbline/session.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "plumbline/encoding/row_batch.h"
#include "plumbline/generators/registry.h"
#include "plumbline/model/binary_model.h"
#include "tests/model/running.h"
#include "tests/support.h"

namespace plumbline::session_test {
namespace {

using test::expect_error;
using test::Running;
using test::small_config;
using test::stream_of;

TEST(Session, RefusesAStreamOfOtherColumns) {
  const auto stream = generators().make("waveform", 1);
  Schema other = stream->schema();
  other.features[0] = "another";
  Model model(small_config("gaussian_nb"), other);
  expect_error(ErrorKind::data, {"column 'x1' is not one that the model knows"},
               [&] { Session(*stream, model); });
}

TEST(Session, EndsWithAShortMinibatchAndSeesEveryExampleOnce) {
  const auto stream = generators().make("waveform", 1);
  Model model(small_config("gaussian_nb", 50), stream->schema());
  Session session(*stream, model, {.limit = 120});
  std::vector<std::size_t> sizes;
  while (session.step()) sizes.push_back(session.rows().rows());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{50, 50, 20}));
  EXPECT_EQ(session.position(), 120u);
  EXPECT_EQ(model.view().examples, 120u);
}

TEST(Session, EndsWithTheStream) {
  std::string text = "a,y\n";
  for (int i = 0; i < 70; ++i) text += std::to_string(i) + "," + std::to_string(i % 2) + "\n";
  Running running(stream_of(text), small_config("gaussian_nb", 50));
  Session session(running.stream, running.model);
  std::vector<std::size_t> sizes;
  while (session.step()) sizes.push_back(session.rows().rows());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{50, 20}));
  EXPECT_EQ(session.position(), 70u);
  EXPECT_FALSE(session.step());  // the end stays the end
  EXPECT_EQ(running.model.view().examples, 70u);
}

TEST(Session, ShowsScoresAndProbabilitiesFromBeforeTheLearning) {
  const auto stream = generators().make("waveform", 1), again = generators().make("waveform", 1);
  Config config = small_config("gaussian_nb", 50);
  config.model.policy = "fixed:every=2";
  Model model(config, stream->schema()), by_hand(config, stream->schema());
  Session session(*stream, model, {.limit = 200});
  Minibatch batch(stream->schema().size());
  while (session.step()) {
    again->read(batch, 50);
    Predictions expected;
    by_hand.predict(batch.features(), expected);
    EXPECT_EQ(session.predictions().scores, expected.scores);
    EXPECT_EQ(session.predictions().probabilities, expected.probabilities);
    ASSERT_EQ(session.records().size(), 1u);
    EXPECT_EQ(session.records().front().round, by_hand.learn(batch.examples()).front().round);
  }
  EXPECT_EQ(model.to_bytes(), by_hand.to_bytes());
}

}  // namespace
}  // namespace plumbline::session_test

#include "plumbline/evaluation/prequential.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support.h"

namespace plumbline {
namespace {

using test::expect_error;

ModelConfig config_with(const Spec& policy) {
  ModelConfig config;
  config.ensemble.size = 3;
  config.policy = policy;
  return config;
}

TEST(Prequential, RefusesAStreamOfOtherColumnsAndAnEmptyMinibatch) {
  const auto stream = generators().make("waveform", 1);
  Schema other = stream->schema();
  other.features[0] = "another";
  BinaryModel model(config_with("ucb1"), other);
  expect_error(ErrorKind::data, {"other columns"}, [&] {
    prequential(model, *stream, {50, 100}, [](const auto&) {});
  });
  BinaryModel fitting(config_with("ucb1"), stream->schema());
  expect_error(ErrorKind::config, {"at least one example"}, [&] {
    prequential(fitting, *stream, {0, 100}, [](const auto&) {});
  });
}

TEST(Prequential, EndsWithAShortMinibatchAndSeesEveryExampleOnce) {
  const auto stream = generators().make("waveform", 1);
  BinaryModel model(config_with("ucb1"), stream->schema());
  std::vector<std::size_t> sizes;
  const auto done = prequential(model, *stream, {50, 120}, [&](const PrequentialStep& step) {
    sizes.push_back(step.examples.size());
  });
  EXPECT_EQ(done, 120u);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{50, 50, 20}));
}

// `count` examples of the waveform stream, and no more.
class Short : public Generator {
 public:
  explicit Short(std::size_t count) : left_(count) {}
  const Schema& schema() const override { return source_->schema(); }
  bool read(Minibatch& batch, std::size_t max_rows) override {
    batch.clear();
    if (left_ == 0) return false;
    const std::size_t rows = std::min(left_, max_rows);
    left_ -= rows;
    return source_->read(batch, rows);
  }

 private:
  std::unique_ptr<Generator> source_ = generators().make("waveform", 1);
  std::size_t left_;
};

TEST(Prequential, EndsWithTheStream) {
  Short stream(70);
  BinaryModel model(config_with("ucb1"), stream.schema());
  std::vector<std::size_t> sizes;
  const auto done = prequential(model, stream, {.batch = 50}, [&](const PrequentialStep& step) {
    ASSERT_LT(sizes.size(), 5u);
    sizes.push_back(step.examples.size());
  });
  EXPECT_EQ(done, 70u);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{50, 20}));
}

TEST(Prequential, ShowsScoresAndProbabilitiesFromBeforeTheLearning) {
  const auto stream = generators().make("waveform", 1), again = generators().make("waveform", 1);
  BinaryModel model(config_with("fixed:every=2"), stream->schema());
  BinaryModel by_hand(config_with("fixed:every=2"), stream->schema());
  Minibatch batch(stream->schema().size());
  prequential(model, *stream, {50, 200}, [&](const PrequentialStep& step) {
    again->read(batch, 50);
    std::vector<double> scores(50), probabilities(50);
    by_hand.predict(batch.features(), scores, probabilities);
    EXPECT_TRUE(std::ranges::equal(step.scores, scores));
    EXPECT_TRUE(std::ranges::equal(step.probabilities, probabilities));
    EXPECT_EQ(step.round.round, by_hand.learn(batch.examples()).round);
  });
  EXPECT_EQ(model.to_bytes(), by_hand.to_bytes());
}

}  // namespace
}  // namespace plumbline

// A model of rows with times: stopped and resumed, saved, and asked.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "plumbline/encoding/row_batch.h"
#include "plumbline/encoding/row_reader.h"
#include "tests/model/no_trace.h"
#include "tests/model/running.h"
#include "tests/support.h"

namespace plumbline::times_test {
namespace {

using test::copy_of;
using test::small_config;
using test::stream_of;

constexpr std::size_t kRows = 60, kBatch = 10;

std::string rows(std::size_t from, std::size_t to) {
  std::string text = "when,n,day,y\n";
  for (std::size_t i = from; i < to; ++i) {
    const std::size_t minutes = 50 * i + i * i % 7;
    const std::string day = fmt::format("2024-05-{:02}", 1 + minutes / 1440);
    const std::string time =
        i % 9 == 4 ? "" : fmt::format("{}T{:02}:{:02}", day, minutes / 60 % 24, minutes % 60);
    text += fmt::format("{},{},{},{}\n", time, Rng(7, 0, i).normal(), day, i % 2);
  }
  return text;
}

test::Running running() {
  return test::Running(stream_of(rows(0, kRows)), small_config("logistic", kBatch));
}

TEST(Times, AreFeaturesOfTheModel) {
  const test::Running one = running();
  EXPECT_EQ(one.model.schema().features,
            (std::vector<std::string>{"when.hour_sin", "when.hour_cos", "when.weekday_sin",
                                      "when.weekday_cos", "when.gap", "n", "day.weekday_sin",
                                      "day.weekday_cos", "day.gap"}));
}

TEST(Times, StoppingAndGoingOnIsBitwiseTheRunThatNeverStopped) {
  test::Running whole = running();
  Session session(whole.stream, whole.model);
  test::run(session);
  for (std::size_t cut = 0; cut < kRows; cut += kBatch) {
    test::Running first = running();
    Session until(first.stream, first.model, {.limit = cut});
    test::run(until);
    Model model = copy_of(first.model);
    EXPECT_TRUE(model.to_bytes() == first.model.to_bytes());
    const auto rest = stream_of(rows(cut, kRows));
    Session from(*rest, model);
    test::run(from);
    EXPECT_TRUE(model.to_bytes() == whole.model.to_bytes()) << cut;
  }
}

TEST(Times, PredictingChangesNothingAndDoesNotDependOnTheSizeOfBatches) {
  test::Running one = running();
  Session learning(one.stream, one.model);
  test::run(learning);
  const auto before = one.model.to_bytes();
  const Model& model = one.model;
  const auto said = [&](std::size_t size) {
    const auto stream = stream_of(rows(kRows, kRows + 20));
    Session session(*stream, model);
    std::vector<double> all;
    while (session.predict(size)) {
      const auto& p = session.predictions().probabilities;
      all.insert(all.end(), p.begin(), p.end());
    }
    return all;
  };
  const auto expected = said(100);
  ASSERT_EQ(expected.size(), 20u);
  for (const std::size_t size : {1u, 3u, 19u}) EXPECT_EQ(said(size), expected);
  EXPECT_TRUE(model.to_bytes() == before);
}

TEST(Times, LearningFollowsTheLastLearnedRowWhateverWasPredicted) {
  test::Running one = running(), other = running();
  Session learning(one.stream, one.model), twin(other.stream, other.model);
  test::run(learning, 2);
  test::run(twin, 2);
  ASSERT_TRUE(learning.predict(1));  // a row that is not learned
  const auto rest = stream_of(rows(21, kRows)), again = stream_of(rows(21, kRows));
  Session on(*rest, one.model), too(*again, other.model);
  test::run(on);
  test::run(too);
  EXPECT_TRUE(one.model.to_bytes() == other.model.to_bytes());
}

// In one session, too.
TEST(Times, AStepAfterAPredictionFollowsTheLastLearnedRow) {
  test::Running one = running(), other = running();
  Session session(one.stream, one.model);
  test::run(session, 2);
  ASSERT_TRUE(session.predict(5));
  ASSERT_TRUE(session.step());
  Session first(other.stream, other.model, {.limit = 20});
  test::run(first);
  const auto rest = stream_of(rows(25, 35));
  Session second(*rest, other.model);
  test::run(second);
  EXPECT_TRUE(one.model.to_bytes() == other.model.to_bytes());
}

TEST(Times, OfAnotherModelAreRefused) {
  test::Running two = running();
  test::Running none(stream_of("a,b,c,d,e,f,g,h,i,y\n1,2,3,4,5,6,7,8,9,0\n1,2,3,4,5,6,7,8,9,1\n"),
                     small_config("logistic", kBatch));
  ASSERT_EQ(none.model.schema().size(), two.model.schema().size());
  RowBatch batch;
  RowReader(two.stream, two.model.encoder(), Encoder::LabelUse::learn, {}).read(batch, 5);
  Predictions predictions;
  test::expect_unchanged(none.model, ErrorKind::data, {"features"},
                         [&] { none.model.step(batch, predictions); });
}

TEST(Times, OfAFileThatWasAlteredAreRefused) {
  test::Running one = running();
  Session session(one.stream, one.model);
  test::run(session);
  Tensors state = save_state(one.model);
  for (Tensor& tensor : state) {
    if (tensor.name != "encoder.longest_gaps") continue;
    const double wrong = -1;
    std::memcpy(tensor.bytes.data(), &wrong, sizeof wrong);
    Model copy = copy_of(one.model);
    test::expect_error(ErrorKind::model_file, {"longest_gaps", "-1"},
                       [&] { load_state(copy, state); });
    return;
  }
  ADD_FAILURE() << "there is no such state";
}

}  // namespace
}  // namespace plumbline::times_test

#include "kafka/partition_model.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "plumbline/config.h"
#include "plumbline/error.h"

namespace plumbline::kafka {
namespace {

constexpr bool kThrows = true;

Model new_model(std::int64_t batch = 1) {
  Config config = preset("fast");
  config.batch = batch;
  std::vector<std::pair<Fields, std::string>> rows;
  for (int i = 0; i < 20; ++i) {
    rows.push_back(
        {{{"a", fmt::format("{}", i)}, {"b", i % 3 == 0 ? "x" : "y"}}, i % 2 == 0 ? "1" : "0"});
  }
  const SampledStream stream(std::make_unique<SampleRows>("t", rows, "label"), rows.size());
  std::vector<Note> notes;
  return Model(config, stream, {.label = "label"}, notes);
}

Message row(std::int64_t offset, bool with_label = true) {
  const int a = static_cast<int>(offset * 7 % 20);
  return {.offset = offset,
          .time = 1000 * offset,
          .key = fmt::format("k{}", offset),
          .value = fmt::format(R"({{"a":{},"b":"{}"{}}})", a, offset % 3 == 0 ? "x" : "z",
                               with_label ? fmt::format(R"(,"label":{})", a % 2) : "")};
}

Message label(std::int64_t offset, std::int64_t of) {
  return {.offset = offset,
          .time = 1000 * of,
          .key = fmt::format("k{}", of),
          .value = of % 2 == 0 ? "1" : R"({"label":0})"};
}

PartitionModel::Options later() {
  return {.separate_labels = true, .window = 50'000, .max_waiting = 30};
}

TEST(PartitionModel, PredictsEachRowWhenItsMinibatchIsFull) {
  PartitionModel model(new_model(3), {});
  Outcome outcome;
  model.take_row(row(10), outcome, kThrows);
  model.take_row({.offset = 11, .value = "{"}, outcome, !kThrows);
  model.take_row(row(12), outcome, kThrows);
  EXPECT_TRUE(outcome.predictions.empty());
  EXPECT_TRUE(outcome.bad.empty());  // it waits for its minibatch too
  EXPECT_EQ(model.complete_up_to(13), 10);
  model.take_row(row(13), outcome, kThrows);
  ASSERT_EQ(outcome.predictions.size(), 3U);
  EXPECT_EQ(outcome.predictions[1].offset, 12);
  EXPECT_EQ(outcome.predictions[1].key, "k12");
  ASSERT_EQ(outcome.bad.size(), 1U);
  EXPECT_EQ(outcome.bad[0].message.offset, 11);
  EXPECT_EQ(model.complete_up_to(14), 14);
}

TEST(PartitionModel, ABadRowChangesNothing) {
  PartitionModel model(new_model(), {});
  Outcome outcome;
  model.take_row(row(1), outcome, kThrows);
  const auto before = model.model_at(2, 0).to_bytes();
  for (const char* value : {"{", R"({"a":1,"b":"x"})", R"({"a":"?!","b":"x","label":1})",
                            R"({"a":1,"c":"x","label":1})", R"({"a":1,"b":"x","label":"maybe"})"}) {
    EXPECT_THROW(model.take_row({.offset = 2, .value = value}, outcome, kThrows), Error) << value;
    EXPECT_EQ(model.model_at(2, 0).to_bytes(), before) << value;
  }
}

// The bytes after the messages from `from` on: rows by themselves and, after 5 other messages, their labels.
std::vector<std::byte> take_all(PartitionModel& model, std::int64_t from, std::int64_t to,
                                std::vector<std::string>& predictions) {
  Outcome outcome;
  for (std::int64_t i = from; i < to; ++i) {
    model.take_row(row(i, false), outcome, kThrows);
    if (i >= 5 && i % 4 != 0) model.take_label(label(i, i - 5), outcome, kThrows);
  }
  for (const auto& prediction : outcome.predictions) predictions.push_back(prediction.value);
  return model.model_at(to, to).to_bytes();
}

TEST(PartitionModel, GoesOnExactlyFromItsFile) {
  for (const std::int64_t batch : {1, 4}) {
    std::vector<std::string> whole, parts;
    PartitionModel model(new_model(batch), later());
    const auto expected = take_all(model, 0, 120, whole);
    for (const std::int64_t cut : {1, 37, 119}) {
      parts.clear();
      PartitionModel first(new_model(batch), later());
      const auto bytes = take_all(first, 0, cut, parts);
      PartitionModel second(Model::from_bytes(bytes, "the file"), later());
      EXPECT_EQ(take_all(second, cut, 120, parts), expected) << batch << ", cut at " << cut;
      EXPECT_EQ(parts, whole);
    }
  }
}

TEST(PartitionModel, ALabelIsLearnedOnceAndOnlyWithinTheWindow) {
  PartitionModel model(new_model(), later());
  Outcome outcome;
  model.take_row(row(0, false), outcome, kThrows);
  EXPECT_EQ(outcome.predictions.size(), 1U);
  EXPECT_EQ(outcome.learned, 0U);
  model.take_label(label(0, 0), outcome, kThrows);
  EXPECT_EQ(outcome.learned, 1U);
  ASSERT_EQ(outcome.measured.size(), 1U);
  EXPECT_EQ(outcome.measured[0].label, 1);
  model.take_label(label(1, 0), outcome, kThrows);  // again
  EXPECT_EQ(outcome.learned, 1U);
  EXPECT_EQ(outcome.unmatched_labels, 1U);
  model.take_row(row(1, false), outcome, kThrows);
  model.take_row(row(52, false), outcome, kThrows);  // 51 seconds later
  EXPECT_EQ(outcome.expired_rows, 1U);
  EXPECT_EQ(model.waiting(), 1U);
  model.take_label(label(2, 1), outcome, kThrows);
  EXPECT_EQ(outcome.unmatched_labels, 2U);
}

TEST(PartitionModel, FewRowsWait) {
  PartitionModel model(new_model(),
                       {.separate_labels = true, .window = 1'000'000'000, .max_waiting = 30});
  Outcome outcome;
  for (std::int64_t i = 0; i < 100; ++i) model.take_row(row(i, false), outcome, kThrows);
  EXPECT_EQ(model.waiting(), 30U);
  EXPECT_EQ(outcome.expired_rows, 70U);
}

}  // namespace
}  // namespace plumbline::kafka

#include "plumbline/encoding/time_column.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/io/libsvm.h"
#include "plumbline/math/cycle.h"
#include "plumbline/math/portable_math.h"
#include "tests/encoding/fitted.h"
#include "tests/support.h"

namespace plumbline::time_column_test {
namespace {

using test::any_advice;
using test::any_note;
using test::expect_error;
using test::fit;
using test::Fitted;
using test::read_all;
using test::row;
using Names = std::vector<std::string>;
using Values = std::vector<double>;

const Names kAll{"t.hour_sin", "t.hour_cos", "t.weekday_sin", "t.weekday_cos", "t.gap"};
const Names kDays{"t.weekday_sin", "t.weekday_cos", "t.gap"};

Names features(const std::string& text, const ColumnChoices& choices = {}) {
  return fit(text, choices).encoder.schema().features;
}

// A table of one column of times and a label.
std::string table(const std::vector<std::string>& times, const std::string& name = "t") {
  std::string text = name + ",y\n";
  for (std::size_t i = 0; i < times.size(); ++i) {
    text += times[i] + "," + std::to_string(i % 2) + "\n";
  }
  return text;
}

TEST(TimeColumn, IsFoundFromItsTexts) {
  EXPECT_EQ(features(table({"2024-05-31T12:30:05", "2024-05-31T12:31:05"})), kAll);
  EXPECT_EQ(features(table({"2024-05-31 12:30:05.25+02:00", "2024-05-31 12:31:05Z"})), kAll);
  EXPECT_EQ(features(table({"2024-05-31T12:30:05", "?", "NA", "2024-05-31T12:31:05"})), kAll);
  const Fitted fitted = fit(table({"2024-05-31T12:30:05", "2024-05-31T12:31:05"}));
  EXPECT_TRUE(
      any_note(fitted, "'t' is a time: hour of day, day of week, time since the previous row"));
  for (const Setting setting : {Setting::ignore, Setting::numeric, Setting::categorical}) {
    EXPECT_TRUE(any_advice(fitted, setting));
  }
  EXPECT_EQ(fitted.encoder.summary(), "1 time column (5 features)");
}

TEST(TimeColumn, HasTheFeaturesThatTellSomething) {
  EXPECT_EQ(features(table({"2024-05-31", "2024-06-01"})), kDays);
  EXPECT_EQ(features(table({"2024-05-31T00:00:00", "2024-06-01T00:00:00"})), kDays);
  // Rows that are not in the order of their times have no previous row that matters.
  EXPECT_EQ(features(table({"2024-06-01", "2024-05-31", "2024-06-02", "2024-05-30"})),
            (Names{"t.weekday_sin", "t.weekday_cos"}));
}

TEST(TimeColumn, OfNumbersNeedsANameThatSaysSoAndPlausibleValues) {
  for (const char* name : {"timestamp", "time", "ts", "created_at", "createdAt", "Event Time",
                           "unixtime", "epoch", "date", "last_update_dt"}) {
    EXPECT_EQ(features(table({"1717158605", "1717158665"}, name)).size(), 5u) << name;
    EXPECT_EQ(features(table({"1717158605000", "1717158665001"}, name)).size(), 5u) << name;
  }
  for (const char* name : {"amount", "salary", "attribute", "t", "hats", "cat", "x_tsa"}) {
    EXPECT_EQ(features(table({"1717158605", "1717158665"}, name)), Names{name});
  }
  // One before 2000, one after 2100, seconds beside milliseconds.
  for (const char* other : {"946684799", "4102444801", "1717158605000", "0.5"}) {
    EXPECT_EQ(features(table({"1717158605", other}, "time")), Names{"time"}) << other;
  }
}

TEST(TimeColumn, IsWhatTheUserSays) {
  const std::string text = table({"2024-05-31T12:30:05", "2024-05-31T12:31:05"});
  EXPECT_EQ(features(text, {.categorical = {"t"}}),
            (Names{"t=2024-05-31T12:30:05", "t=2024-05-31T12:31:05"}));
  EXPECT_EQ(features("a,t,y\n1,2024-05-31,0\n2,2024-06-01,1\n", {.ignore = {"t"}}), Names{"a"});
  Fitted seconds = fit(text, {.numeric = {"t"}});
  EXPECT_EQ(seconds.encoder.schema().features, Names{"t"});
  EXPECT_TRUE(any_note(seconds, "'t' is a time: seconds since 1970"));
  EXPECT_EQ(row(read_all(seconds), 1), Values{1717158665});
  // A number now and then is a bad row, not a sign of what the column is.
  std::vector<std::string> many(40, "2024-05-31T12:30:05");
  many[20] = "7";
  EXPECT_EQ(features(table(many)), kAll);
  EXPECT_EQ(features(table(many), {.numeric = {"t"}}), Names{"t"});
  expect_error(ErrorKind::data, {"line 22", "'7' in 't' is not a time"}, [&] {
    Fitted bad = fit(table(many), {.numeric = {"t"}});
    read_all(bad);
  });
  // Texts and numbers in one column.
  Fitted mixed = fit(table({"2024-05-31T12:30:05", "1717158665"}), {.time = {"t"}});
  EXPECT_EQ(row(read_all(mixed), 1).at(4), portable_log(61));
  // Numbers with any name, and from any time.
  EXPECT_EQ(features(table({"60", "120"}), {.time = {"t"}}), kAll);
  Fitted milliseconds = fit(table({"1717158605000", "1717158665000"}), {.time = {"t"}});
  EXPECT_EQ(row(read_all(milliseconds), 1).at(4), portable_log(61));
  expect_error(ErrorKind::data, {"'t' has no times", "'red'"}, [] {
    fit(table({"red", "blue"}), {.time = {"t"}});
  });
  expect_error(ErrorKind::config, {"'t' cannot be chosen"}, [] {
    test::fit_stream(std::make_unique<LibsvmReader>(source_from("1 1:1\n0 1:2\n", "a"), "a"),
                     {.time = {"t"}});
  });
}

TEST(TimeColumn, IsAPlaceInTheDayAndInTheWeekAndTheTimeSinceThePreviousRow) {
  // A Friday, and the Monday after it.
  Fitted fitted = fit(table({"2024-05-31T06:00:00", "2024-06-03T18:00:00"}));
  const RowBatch batch = read_all(fitted);
  Values first = row(batch, 0);
  EXPECT_TRUE(std::isnan(first.back()));  // there is no previous row
  first.pop_back();
  EXPECT_EQ(first, (Values{1, 0, cycle(4.0 / 7).sine, cycle(4.0 / 7).cosine}));
  EXPECT_EQ(row(batch, 1), (Values{-1, 0, 0, 1, portable_log(1 + 3.5 * 86400)}));
}

TEST(TimeColumn, IsInUtc) {
  Fitted fitted = fit(table({"2024-06-03T01:00:00+02:00", "2024-06-02T23:00:00Z"}));
  const RowBatch batch = read_all(fitted);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(row(batch, 0)[j], row(batch, 1)[j]);
  EXPECT_EQ(row(batch, 1).at(4), 0);
}

TEST(TimeColumn, AMissingTimeHasMissingFeaturesAndIsNoPreviousRow) {
  Fitted fitted =
      fit(table({"2024-05-31T06:00:00", "", "2024-05-31T06:00:09"}), {.missing = {"soon"}});
  const RowBatch batch = read_all(fitted);
  for (const double value : row(batch, 1)) EXPECT_TRUE(std::isnan(value));
  EXPECT_EQ(row(batch, 2).at(4), portable_log(10));
  const auto more = test::csv(table({"2024-05-31T06:00:03", "soon", "2024-05-31T06:00:04"}));
  const RowBatch next = test::read(*more, fitted.encoder);
  EXPECT_TRUE(std::isnan(row(next, 0).at(4)));  // back in time
  EXPECT_TRUE(std::isnan(row(next, 1).at(0)));
  EXPECT_EQ(row(next, 2).at(4), portable_log(2));
}

TEST(TimeColumn, AGapIsAtMostTheLongestThatWasLearned) {
  Fitted fitted = fit(table({"2024-05-31T06:00:00", "2024-05-31T06:00:09", "2024-05-31T06:00:10"}));
  read_all(fitted);
  const auto gaps = [&](const std::string& time) {
    const auto stream = test::csv(table({time}));
    return row(test::read(*stream, fitted.encoder), 0).at(4);
  };
  EXPECT_EQ(gaps("2024-05-31T06:00:18"), portable_log(9));
  EXPECT_EQ(gaps("2025-05-31T06:00:10"), portable_log(10));  // as the longest so far
  EXPECT_EQ(gaps("2025-06-30T06:00:10"), portable_log(1 + 30 * 86400.0));
}

TEST(TimeColumn, OfRowsThatArePredictedFollowsTheLastLearnedRow) {
  Fitted fitted = fit(table({"2024-05-31T06:00:00", "2024-05-31T07:00:00"}));
  read_all(fitted);
  for (int times = 0; times < 2; ++times) {  // nothing changes
    const auto stream = test::csv(table({"2024-05-31T07:00:09", "2024-05-31T07:00:12"}));
    const RowBatch batch = test::read_unlabeled(*stream, fitted.encoder);
    EXPECT_EQ(row(batch, 0).at(4), portable_log(10));
    EXPECT_EQ(row(batch, 1).at(4), portable_log(4));
  }
}

TEST(TimeColumn, TakesTextsWhereNumbersHaveBeen) {
  Fitted fitted = fit(table({"1717158605", "1717158665"}, "time"));
  read_all(fitted);
  const auto stream = test::csv(table({"2024-05-31T12:31:14"}, "time"));
  EXPECT_EQ(row(test::read(*stream, fitted.encoder), 0).at(4), portable_log(10));
}

TEST(TimeColumn, RefusesWhatIsNoTime) {
  Fitted fitted = fit(table({"2024-05-31T12:30:05", "2024-05-31T12:31:05"}));
  for (const char* text : {"soon", "17", "2024-02-30"}) {
    const auto stream = test::csv(table({text}));
    expect_error(ErrorKind::data, {"line 2, column 1", text, "in 't' is not a time"},
                 [&] { test::read(*stream, fitted.encoder); });
  }
}

TEST(TimeColumn, NamesOfFeaturesAreNotTakenTwice) {
  EXPECT_EQ(features("t.gap,t,y\n1,2024-05-31,0\n2,2024-06-01,1\n"),
            (Names{"t.gap", "t.weekday_sin", "t.weekday_cos", "t.gap'"}));
}

}  // namespace
}  // namespace plumbline::time_column_test

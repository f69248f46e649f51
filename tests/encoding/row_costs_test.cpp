#include "plumbline/encoding/row_costs.h"

#include <gtest/gtest.h>

#include "plumbline/encoding/row_batch.h"
#include "plumbline/encoding/row_reader.h"
#include "plumbline/io/libsvm.h"
#include "plumbline/io/source.h"
#include "tests/encoding/fitted.h"
#include "tests/support.h"

namespace plumbline::row_costs_test {
namespace {

using test::csv;
using test::expect_error;
using test::fit;
using test::row;
constexpr auto kLearn = Encoder::LabelUse::learn;

constexpr const char* kText = "a,amount,fee,y\n1,10,2,0\n2,0,3,1\n3,5.5,1e3,1\n4,7,1,0\n";

TEST(RowCosts, AreFixedOrColumns) {
  const auto reader = csv(kText);
  const RowCosts fixed({.fixed = {2, 9}}, *reader);
  const RowCosts both({.false_positive_column = "fee", .false_negative_column = "2"}, *reader);
  const RowCosts mixed({.fixed = {2, 9}, .false_negative_column = "amount"}, *reader);
  EXPECT_TRUE(fixed.columns().empty());
  EXPECT_EQ(both.columns(), (std::vector<std::string>{"fee", "amount"}));
  ASSERT_TRUE(reader->next());
  EXPECT_EQ(fixed.read(*reader), (Costs{2, 9}));
  EXPECT_EQ(both.read(*reader), (Costs{2, 10}));
  EXPECT_EQ(mixed.read(*reader), (Costs{2, 10}));
  ASSERT_TRUE(reader->next());
  EXPECT_EQ(both.read(*reader), (Costs{3, 0}));
}

TEST(RowCosts, AFalseAlarmAboutAKeptNegativeStandsForSeveral) {
  const auto reader = csv(kText);
  const RowCosts costs({.fixed = {2, 9}, .false_positive_column = "fee", .negatives_kept = 0.25},
                       *reader);
  ASSERT_TRUE(reader->next());
  EXPECT_EQ(costs.read(*reader), (Costs{8, 9}));
}

TEST(RowCosts, RefusesWhatIsNoCostWithItsPlace) {
  for (const char* bad : {"-1", "nan", "", "?", "inf", "1e13", "ten"}) {
    const auto reader = csv(std::string("a,amount,y\n1,10,0\n2,") + bad + ",1\n");
    const RowCosts costs({.false_negative_column = "amount"}, *reader);
    ASSERT_TRUE(reader->next());
    EXPECT_EQ(costs.read(*reader).false_negative, 10);
    ASSERT_TRUE(reader->next());
    expect_error(ErrorKind::data, {"a.csv, line 3, column 2", "'amount'", "from 0 to 1e+12"},
                 [&] { costs.read(*reader); });
  }
}

TEST(RowCosts, RefusesColumnsThatAreNotThere) {
  const auto reader = csv(kText);
  expect_error(ErrorKind::config, {"unknown column 'amont'", "did you mean 'amount'"},
               [&] { RowCosts({.false_negative_column = "amont"}, *reader); });
  LibsvmReader named(source_from("1 1:2\n", "a.svm"), "a.svm");
  expect_error(ErrorKind::config, {"'amount'", "no columns"},
               [&] { RowCosts({.false_negative_column = "amount"}, named); });
}

TEST(RowReader, GivesEachRowItsCosts) {
  const Encoder encoder = fit(kText, {.ignore = {"amount", "fee"}}).encoder;
  EXPECT_EQ(encoder.schema().features, std::vector<std::string>{"a"});
  const auto reader = csv(kText);
  RowReader rows(*reader, encoder, kLearn,
                 {.costs = RowCosts::Options{.false_positive_column = "fee",
                                             .false_negative_column = "amount"}});
  RowBatch batch;
  ASSERT_TRUE(rows.read(batch, 3));
  ASSERT_EQ(batch.examples().costs.size(), 3u);
  EXPECT_EQ(batch.examples().costs[2], (Costs{1000, 5.5}));
  ASSERT_TRUE(rows.read(batch, 3));
  ASSERT_EQ(batch.examples().costs.size(), 1u);
  EXPECT_EQ(batch.examples().costs[0], (Costs{1, 7}));
}

TEST(RowReader, TheLabelIsNoCost) {
  const Encoder encoder = fit(kText).encoder;
  const auto reader = csv(kText);
  expect_error(ErrorKind::config, {"label 'y' cannot be a cost"}, [&] {
    RowReader(*reader, encoder, kLearn, {.costs = RowCosts::Options{.false_negative_column = "4"}});
  });
}

TEST(RowReader, ABadCostIsABadRow) {
  const std::string text = "a,amount,y\n1,10,0\n2,-3,1\n3,5,1\n";
  const Encoder encoder = fit(text, {.ignore = {"amount"}}).encoder;
  const auto reader = csv(text);
  RowReader rows(
      *reader, encoder, kLearn,
      {.skip_bad_rows = true, .costs = RowCosts::Options{.false_negative_column = "amount"}});
  RowBatch batch;
  ASSERT_TRUE(rows.read(batch, 10));
  EXPECT_EQ(batch.rows(), 2u);
  EXPECT_EQ(batch.examples().costs.size(), 2u);
  EXPECT_EQ(batch.examples().costs[1].false_negative, 5);
  EXPECT_EQ(rows.bad_rows(), 1u);
}

TEST(RowReader, ACostMayBeAColumnThatTheModelDoesNotKnowOrOneThatItLearnsFrom) {
  const RowCosts::Options amount{.false_negative_column = "amount"};
  // Unknown to the model.
  const Encoder without = fit("a,fee,y\n1,2,0\n2,3,1\n").encoder;
  const auto reader = csv(kText);
  RowReader rows(*reader, without, kLearn, {.costs = amount});
  RowBatch batch;
  ASSERT_TRUE(rows.read(batch, 10));
  EXPECT_EQ(row(batch, 0)[1], 2);
  EXPECT_EQ(batch.examples().costs[0].false_negative, 10);
  // A feature too.
  const Encoder with = fit(kText).encoder;
  const auto again = csv(kText);
  RowReader features(*again, with, kLearn, {.costs = amount});
  RowBatch wide;
  ASSERT_TRUE(features.read(wide, 10));
  EXPECT_EQ(row(wide, 0)[1], 10);
  EXPECT_EQ(wide.examples().costs[0].false_negative, 10);
}

}  // namespace
}  // namespace plumbline::row_costs_test

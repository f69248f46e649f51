#include "paper/published.h"

#include <gtest/gtest.h>

#include "paper/claims.h"
#include "paper/data_sets.h"
#include "paper/tables.h"

namespace plumbline::paper::published_test {
namespace {

TEST(Published, HasEveryNumberOfTheTenTables) {
  std::size_t rows = 0;
  for (const Table& table : tables()) {
    for (const std::string& set : table.data_sets) {
      ++rows;
      for (const auto column : kColumns) {
        const auto number = published(table.name, set, column);
        ASSERT_TRUE(number) << table.name << " " << set << " " << column;
        EXPECT_GT(number->log_loss, 0.05);
        EXPECT_GT(number->ci95, 0);
      }
    }
  }
  EXPECT_EQ(rows, 66u);
}

// Read off the paper's tables.
TEST(Published, NumbersStandWhereThePaperHasThem) {
  EXPECT_EQ(published("NB10_stationary", "landsat", "ucb1_improved")->log_loss, 0.071);
  EXPECT_EQ(published("LR10_stationary", "splice", "discounted_ucb1_improved")->log_loss, 1.155);
  EXPECT_EQ(published("NB10_nonstationary", "forest", "uncalibrated")->ci95, 0.010);
  EXPECT_FALSE(published("NB10_stationary", "forest", "ucb1"));
  EXPECT_FALSE(published("NB10_stationary", "landsat", "fixed_2"));
}

// The counts that the paper's tables give; any misread number would change one of them.
TEST(Claims, AreCountedInThePublishedRows) {
  Results rows;
  for (const Table& table : tables()) {
    for (const std::string& set : table.data_sets) rows.push_back({&table, set, {}});
  }
  std::vector<std::size_t> holds;
  for (const Claim& claim : claims(rows)) {
    if (claim.theirs) holds.push_back(claim.theirs->holds);
    EXPECT_EQ(claim.ours.rows, 0u);
  }
  EXPECT_EQ(holds, (std::vector<std::size_t>{64, 60, 63, 49, 55, 3, 4}));
}

Cell cell(const char* policy, double low, double high) {
  return {policy,
          {{.log_loss = low, .calibrated = 0, .trace{}},
           {.log_loss = high, .calibrated = 1, .trace{}}}};
}

TEST(Claims, HoldSignificantlyWhereIntervalsDoNotOverlap) {
  const Table& table = tables().front();
  // With two runs the interval is 6.35 times as wide as the runs are apart.
  Results results{{&table,
                   "landsat",
                   {cell("uncalibrated", 0.9, 0.9), cell("fixed_2", 0.3, 0.3),
                    cell("fixed_14", 0.5, 0.5), cell("ucb1", 0.2, 0.21)}},
                  {&table,
                   "splice",
                   {cell("uncalibrated", 0.5, 0.5), cell("fixed_2", 0.5, 0.5),
                    cell("fixed_8", 0.4, 0.4), cell("ucb1", 0.2, 0.4)}}};
  const auto list = claims(results);
  EXPECT_EQ(list[0].ours.rows, 2u);
  EXPECT_EQ(list[0].ours.holds, 1u);  // equal is not better
  EXPECT_EQ(list[0].ours.significant, 1u);
  EXPECT_EQ(list[1].ours.holds, 2u);  // UCB1
  EXPECT_EQ(list[1].ours.significant, 1u);
  EXPECT_EQ(list[7].ours.holds, 1u);  // every 2nd or 4th is best
  EXPECT_EQ(list[8].ours.holds, 1u);  // every 12th or 14th is worst
}

TEST(Results, FindTheBestAndTheWorstFixedPolicyByTheirMeans) {
  const ResultRow row{&tables().front(),
                      "landsat",
                      {cell("fixed_2", 0.1, 0.9), cell("fixed_4", 0.4, 0.5),
                       cell("fixed_6", 0.2, 0.9), cell("ucb1", 0.1, 0.1)}};
  EXPECT_EQ(row.column("best_fixed")->policy, "fixed_4");
  EXPECT_EQ(row.column("worst_fixed")->policy, "fixed_6");
  EXPECT_EQ(row.column("ucb1")->log_loss().mean, 0.1);
  EXPECT_EQ(row.column("gts"), nullptr);
  // A preset stands beside the lowest of the paper's nine; a single fixed policy beside nothing.
  EXPECT_EQ(published_beside(row, "auto")->log_loss, 0.071);
  EXPECT_FALSE(published_beside(row, "fixed_4"));
}

TEST(DataSets, TheTasksAreThoseOfTheTables) {
  EXPECT_EQ(data_sets().size(), 10u);
  EXPECT_EQ(task_text(data_set("landsat")),
            "class 3 against class 0, balanced, shuffled for each run");
  EXPECT_EQ(task_text(data_set("forest")), "class 2 against the rest, all rows in their order");
  EXPECT_EQ(run_options(data_set("forest")), "--positive 2");
  EXPECT_EQ(run_options(data_set("musk2")), "");
}

}  // namespace
}  // namespace plumbline::paper::published_test

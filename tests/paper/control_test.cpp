#include "paper/control.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "paper/control_report.h"
#include "paper/run_cache.h"
#include "plumbline/json/json.h"
#include "tests/paper/small_data.h"

namespace plumbline::paper::control_test {
namespace {

Cell cell(const char* policy, std::initializer_list<double> losses, double calibrated = 0.5) {
  Cell result{policy, {}};
  for (const double loss : losses) {
    result.runs.emplace_back();
    result.runs.back().log_loss = loss;
    result.runs.back().calibrated = calibrated;
  }
  return result;
}

const Condition& condition(const std::string& name) {
  return *std::ranges::find(conditions(), name, &Condition::name);
}

ModelConfig config_in(const std::string& name, const std::string& policy) {
  const auto& rows = condition(name).policies;
  const auto found = std::ranges::find(rows, policy, &PolicyRow::name);
  return config_of({.model = preset("paper").model}, tables().front(), *found);
}

const Comparison& of_policy(const std::vector<Comparison>& list, const std::string& policy) {
  return *std::ranges::find(list, policy, &Comparison::policy);
}

TEST(Comparison, IsWithTheBestFixedPolicyOfEachRow) {
  const Table &naive = table("NB10_stationary"), &linear = table("LR10_stationary");
  const Results results{{&naive,
                         "landsat",
                         {cell("uncalibrated", {9, 9}), cell("fixed_2", {4, 4}),
                          cell("fixed_4", {2, 2}), cell("ucb1", {1, 1}, 0.25)}},
                        {&naive,
                         "splice",
                         {cell("uncalibrated", {9, 9}), cell("fixed_2", {1, 1}),
                          cell("fixed_4", {2, 2}), cell("ucb1", {8, 8}, 0.75)}},
                        {&linear,
                         "landsat",
                         {cell("uncalibrated", {9, 9}), cell("fixed_2", {1, 1}),
                          cell("fixed_4", {2, 2}), cell("ucb1", {0.5, 0.5}, 0.5)}}};
  const auto list = compare_with_best_fixed(results, {&naive, &linear});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].policy, "ucb1");
  ASSERT_EQ(list[0].by_table.size(), 2u);
  EXPECT_DOUBLE_EQ(list[0].by_table[0], 2);     // of 1/2 and 8
  EXPECT_DOUBLE_EQ(list[0].by_table[1], 0.5);   // of 1/2
  EXPECT_DOUBLE_EQ(list[0].all, std::cbrt(2));  // of 1/2, 8 and 1/2
  EXPECT_DOUBLE_EQ(list[0].to_second, 1);       // of 1/4, 8 and 1/2
  EXPECT_DOUBLE_EQ(list[0].calibrated, 0.5);
  EXPECT_EQ(list[0].rows, 3u);
  EXPECT_EQ(list[0].below, 2u);
  EXPECT_EQ(list[0].clearly_below, 2u);
  EXPECT_EQ(list[0].clearly_above, 1u);
}

// The log-losses of the runs differ much, but each run's bandit is below its fixed policy.
TEST(Comparison, IsClearByPairsOfRuns) {
  const Table& one = tables().front();
  const auto compared = [&](std::initializer_list<double> fixed,
                            std::initializer_list<double> bandit) {
    return compare_with_best_fixed(
        {{&one, "landsat", {cell("fixed_2", fixed), cell("ucb1", bandit)}}}, {&one})[0];
  };
  const Comparison paired = compared({1, 2, 3}, {0.9, 1.8, 2.8});
  EXPECT_EQ(paired.clearly_below, 1u);
  EXPECT_EQ(paired.clearly_above, 0u);
  const Comparison mixed = compared({1, 2, 3}, {2.8, 0.9, 1.8});
  EXPECT_EQ(mixed.below, 1u);
  EXPECT_EQ(mixed.clearly_below, 0u);
  EXPECT_EQ(compared({0.9, 1.8, 2.8}, {1, 2, 3}).clearly_above, 1u);
  // A single run shows nothing clearly.
  EXPECT_EQ(compared({2}, {1}).below, 1u);
  EXPECT_EQ(compared({2}, {1}).clearly_below, 0u);
}

// As the claims count them (published_test.cpp), where no bandit equals the best fixed policy.
TEST(Comparison, OfThePublishedNumbers) {
  Results rows;
  std::vector<const Table*> all;
  for (const Table& table : tables()) {
    all.push_back(&table);
    for (const std::string& set : table.data_sets) rows.push_back({&table, set, {}});
  }
  const auto list = compare_published(rows, all);
  ASSERT_EQ(list.size(), 6u);
  const Comparison& improved = of_policy(list, "ucb1_improved");
  EXPECT_EQ(improved.rows, 66u);
  EXPECT_EQ(improved.clearly_below, 40u);
  EXPECT_LE(improved.below, 63u);
  EXPECT_GT(improved.below, 55u);
  // landsat, splice, … of the first table, from the paper: 71/81, 229/280, …
  const double expected = std::pow(
      71.0 / 81 * 229 / 280 * 332 / 343 * 472 / 488 * 334 / 361 * 483 / 532 * 335 / 358, 1.0 / 7);
  EXPECT_NEAR(improved.by_table[0], expected, 1e-12);
}

TEST(Conditions, ChangeWhatTheySay) {
  EXPECT_EQ(to_json(config_in("baseline", "ucb1")),
            to_json(config_of({.model = preset("paper").model}, tables().front(),
                              {"ucb1", "UCB1", "ucb1"})));
  EXPECT_EQ(config_in("bandits_fitted", "ucb1").first_round, FirstRound::train_then_calibrate);
  EXPECT_EQ(config_in("bandits_fitted", "fixed_2").first_round, FirstRound::train);
  EXPECT_EQ(config_in("all_fitted", "fixed_2").first_round, FirstRound::train_then_calibrate);
  EXPECT_EQ(config_in("all_fitted", "uncalibrated").first_round, FirstRound::train);
  EXPECT_EQ(config_in("late_fixed", "fixed_2").policy.text(), "fixed:every=2,from=0");
  EXPECT_EQ(config_in("late_fixed", "gts").actions.front(), Action::calibrate);
  EXPECT_EQ(config_in("memory", "fixed_4").calibrator.name, "platt_newton");
  EXPECT_EQ(config_in("both", "fixed_4").actions, (Actions{Action::train, Action::calibrate}));
  EXPECT_EQ(config_in("both", "coin").actions, (Actions{Action::both, Action::train}));
  EXPECT_EQ(config_in("both", "always_both").policy.text(), "always:action=both");
}

// Settings that a policy ignores do not distinguish its runs.
TEST(RunKey, HasTheSettingsThatMatter) {
  const DataSet& set = data_set("landsat");
  const auto key = [&](const char* policy, const auto& change) {
    ModelConfig config;
    config.policy = policy;
    change(config);
    return run_key(set, {}, complete(config), 0);
  };
  const auto same = [](ModelConfig&) {};
  const auto reward = [](ModelConfig& c) { c.reward = "log_loss:on=running"; };
  const auto order = [](ModelConfig& c) { c.actions = {Action::calibrate, Action::train}; };
  const auto seed = [](ModelConfig& c) { c.seed = 7; };
  for (const char* policy : {"fixed:every=4", "always_train"}) {
    EXPECT_EQ(key(policy, same), key(policy, reward));
    EXPECT_EQ(key(policy, same), key(policy, order));
    EXPECT_NE(key(policy, same), key(policy, seed));
  }
  for (const char* policy : {"ucb1", "greedy"}) {
    EXPECT_NE(key(policy, same), key(policy, reward));
    EXPECT_NE(key(policy, same), key(policy, order));
  }
  std::set<std::string> keys{run_key(set, {}, complete(ModelConfig{}), 0),
                             run_key(set, {}, complete(ModelConfig{}), 1),
                             run_key(set, {.balance = Balance::random}, complete(ModelConfig{}), 0),
                             run_key(set, {.standardise = true}, complete(ModelConfig{}), 0)};
  DataSet other = set;
  other.negative = "5";
  keys.insert(run_key(other, {}, complete(ModelConfig{}), 0));
  other = set;
  other.batch = 7;
  keys.insert(run_key(other, {}, complete(ModelConfig{}), 0));
  EXPECT_EQ(keys.size(), 6u);
}

using ControlPlan = small_data::PaperPlan;

TEST_F(ControlPlan, ACacheGivesTheSameResultsWithoutRunningAgain) {
  Plan plan = small_plan();
  const std::string without = results_json(execute(plan, nullptr, {}, nullptr));
  RunCache cache;
  EXPECT_EQ(results_json(execute(plan, nullptr, {}, nullptr, &cache)), without);
  const std::size_t runs = cache.size();
  EXPECT_EQ(runs, 4u * 14 * 2);
  EXPECT_EQ(results_json(execute(plan, nullptr, {}, nullptr, &cache)), without);
  EXPECT_EQ(cache.size(), runs);
  // Only the six bandits use the order of the actions.
  plan.reading.model.actions = {Action::calibrate, Action::train};
  const std::string swapped = results_json(execute(plan, nullptr, {}, nullptr, &cache));
  EXPECT_EQ(cache.size(), runs + 4 * 6 * 2);
  EXPECT_EQ(results_json(execute(plan, nullptr, {}, nullptr)), swapped);
}

TEST_F(ControlPlan, ComparesUnderEachCondition) {
  const Plan plan = small_plan();
  double last_share = 0;
  const Control control = run_control({.tables = plan.tables,
                                       .data_sets = plan.data_sets,
                                       .data = plan.data,
                                       .runs = 2,
                                       .threads = 1,
                                       .on_progress = [&](double share, std::size_t, std::size_t) {
                                         EXPECT_GE(share, last_share);
                                         last_share = share;
                                       }});
  EXPECT_DOUBLE_EQ(last_share, 1);
  ASSERT_EQ(control.outcomes.size(), conditions().size());
  std::map<std::string, const Control::Outcome*> by_name;
  for (const auto& outcome : control.outcomes) {
    by_name[outcome.condition->name] = &outcome;
    ASSERT_EQ(outcome.results.size(), 4u);
    EXPECT_EQ(outcome.distance.has_value(), outcome.condition->of_paper);
  }
  const auto loss = [&](const char* name, const char* policy) {
    return by_name.at(name)->results.front().column(policy)->log_loss().mean;
  };
  EXPECT_EQ(loss("baseline", "fixed_2"), loss("bandits_fitted", "fixed_2"));
  EXPECT_NE(loss("baseline", "ucb1"), loss("bandits_fitted", "ucb1"));
  EXPECT_EQ(loss("all_fitted", "ucb1"), loss("bandits_fitted", "ucb1"));
  EXPECT_NE(loss("all_fitted", "fixed_2"), loss("bandits_fitted", "fixed_2"));
  EXPECT_EQ(loss("all_fitted", "uncalibrated"), loss("baseline", "uncalibrated"));
  EXPECT_EQ(loss("memory", "best_fixed"), loss("both", "best_fixed"));
  // The reference is the plan of the reproduction itself.
  EXPECT_EQ(loss("baseline", "gts"),
            execute(plan, nullptr, {}, nullptr).front().find("gts")->log_loss().mean);

  const Json json = parse_json(control_json(control));
  EXPECT_EQ(json.at("conditions").size(), conditions().size());
  EXPECT_EQ(json.at("conditions")[0].at("policies")[0].at("to_best_fixed"),
            control.outcomes[0].comparisons[0].all);
  const std::string text = control_text(control);
  for (const Condition& one : conditions()) {
    EXPECT_NE(text.find(one.text), std::string::npos) << one.text;
  }
  const report::Chart chart = control_chart(control);
  EXPECT_EQ(chart.x.names.size(), conditions().size() + 1);
  EXPECT_EQ(chart.series.back().name, "Always both");
  EXPECT_EQ(chart.series.back().x, (std::vector<double>{static_cast<double>(conditions().size())}));
}

}  // namespace
}  // namespace plumbline::paper::control_test

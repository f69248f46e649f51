// The control experiment for the paper's main claim, that bandits beat the best fixed policy.
//
// Each condition compares the bandits, and a coin that learns nothing, with the best of its own fixed policies, in the rows of
// the paper's tables. Conditions differ in one thing: who begins with a fitted sigmoid, when policies calibrate first, what
// the calibrator remembers, which actions there are. The best fixed policy is that of the lowest mean over the same runs,
// as in the paper.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "paper/plan.h"

namespace plumbline::paper {

struct Condition {
  std::string name;
  std::string text;
  std::vector<PolicyRow> policies;
  bool of_paper =
      true;  // the paper's system: its distance from the published numbers means something
};

// The preset `paper` comes first, with the greedy policy, which the paper describes and leaves out.
const std::vector<Condition>& conditions();

// One policy compared with the best fixed one.
struct Comparison {
  std::string policy;
  std::vector<double> by_table;  // the geometric mean of log-loss/best fixed in each table
  double all = 1;                // over all rows
  double to_second = 1;          // compared with N_c = 2 instead; 1 for the published numbers
  std::size_t rows = 0;
  std::size_t below = 0;  // rows with a mean log-loss below the best fixed policy's
  // Rows in which the mean of ln(log-loss/best fixed) over the runs is below or above 0, with a 95 % interval that excludes
  // 0. In published rows: the intervals of the two log-losses do not overlap.
  std::size_t clearly_below = 0, clearly_above = 0;
  double calibrated = 0;  // the mean share of minibatches; 0 for the published numbers
};

// The policies that are not fixed, in all rows of the results; `tables` are those of `by_table`.
std::vector<Comparison> compare_with_best_fixed(const Results& results,
                                                const std::vector<const Table*>& tables);
// The same from the published numbers of these rows.
std::vector<Comparison> compare_published(const Results& results,
                                          const std::vector<const Table*>& tables);

struct Control {
  struct Outcome {
    const Condition* condition;
    Results results;
    std::vector<Comparison> comparisons;
    std::optional<double> distance;  // mean |ln(ours/published)|
  };
  std::vector<const Table*> tables;
  std::vector<Comparison> published;
  std::vector<Outcome> outcomes;
  std::size_t runs = 0, forest_runs = 0;
};

struct ControlOptions {
  std::vector<const Table*> tables;      // all if empty
  std::vector<std::string> data_sets{};  // all if empty
  std::string data{};
  std::size_t runs = 10;
  std::size_t forest_runs = 2;  // at most `runs`; forest takes most of the time
  std::size_t threads = 0;
  const std::atomic<bool>* interrupted = nullptr;
  OnProgress on_progress{};  // of all conditions together
};

Control run_control(const ControlOptions& options);
std::string control_json(const Control& control);

}  // namespace plumbline::paper

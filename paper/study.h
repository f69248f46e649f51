// The fidelity study: finds the reading of the paper that comes closest to its published numbers.
//
// Each open point has a few choices. Starting from the literal reading, the study changes one point at a
// time to the choice with the smallest mean |ln(ours/theirs)| over half of the data sets, until no
// change helps, and measures the result on the other half, which the search does not use. It uses the
// tables of all four learners, the l1 tables of the two strongest penalties, and the streams that change,
// except forest, which would take most of the time.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "paper/plan.h"

namespace plumbline::paper {

struct OpenPoint {
  struct Choice {
    std::string text;
    std::function<void(Reading&)> apply;
  };
  std::string name;
  std::string question;
  std::vector<Choice> choices;  // the most literal one first
};

const std::vector<OpenPoint>& open_points();

// A reading, given by the index of the choice for each open point.
using Choices = std::vector<std::size_t>;
Reading make_reading(const Choices& choices);
// The first choice everywhere; its model is the preset `literal`.
Reading literal_reading();
// The choices of the preset `paper`.
Choices paper_choices();

struct Study {
  struct Measured {
    double search = 0;  // the mean distance over the data sets of the search
    double check = 0;   // over the others
    // The share of minibatches that the policy `greedy` spends on calibrating, over the data sets of the search. The paper
    // says that it always calibrated.
    double greedy_calibrates = 0;
    // The geometric mean, over the rows of all data sets and the four bandits that win in the paper, of log-loss/that of the
    // best fixed policy.
    double bandits_to_best = 0;
  };

  Choices found;
  Measured literal, paper, best;                  // the start, the preset, the result
  std::vector<std::vector<Measured>> one_by_one;  // each choice, with the others as in `found`
};

struct StudyOptions {
  std::string data{};
  std::size_t runs = 2;
  std::size_t threads = 0;
  bool search = true;  // if false, the preset is taken as found
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(std::size_t done)> on_progress{};  // before each measurement
};

const std::vector<std::string>& search_data_sets();
const std::vector<std::string>& check_data_sets();

Study run_study(const StudyOptions& options);
std::string study_json(const Study& study);
std::string study_text(const Study& study);

}  // namespace plumbline::paper

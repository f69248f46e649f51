// What each ingredient of the preset `auto` gives: the preset without it, beside the preset itself,
// in two settings:
//   rows    the 66 rows of the paper's tables, with the learner and the minibatches of each row
//   own     all ten data sets, with the preset's own learners and minibatches
// The preset `paper` with UCB1 stands beside them, for the time that each takes.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "paper/plan.h"
#include "plumbline/math/stats.h"

namespace plumbline::paper {

// A variant of the preset.
struct Variant {
  std::string name;
  std::string text;
  std::function<void(Reading&)> change;
  bool in_rows = true;  // else it matters with the preset's own learners only
};

// The preset itself comes first, the paper's system last.
const std::vector<Variant>& variants();

struct AblationRow {
  // Of one setting. Over the data sets, so that one in many rows counts as much as another.
  struct Setting {
    bool ran = false;
    MeanInterval to_auto;  // mean of ln(log-loss/the preset's)
    // In the rows: the same to the paper's best published policy, and how many rows are at most it.
    double to_paper = 0;
    std::size_t at_most_paper = 0, rows = 0;
    double seconds = 0;  // of processor time
  };
  const Variant* variant;
  Setting in_rows, own;
};

struct AblationOptions {
  std::string data{};
  std::vector<std::string> data_sets{};  // only these, if any
  std::size_t runs = 3;
  std::size_t threads = 0;
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(std::size_t done, std::size_t all)> on_progress{};  // before each variant
};

std::vector<AblationRow> run_ablation(const AblationOptions& options);
std::string ablation_json(const std::vector<AblationRow>& rows);
std::string ablation_text(const std::vector<AblationRow>& rows);

}  // namespace plumbline::paper

// The effect of each ingredient of the preset `auto`: the preset without it, compared with the preset
// itself, in two settings:
//   rows    the 66 rows of the paper's tables, with the learner and the minibatches of each row
//   own     all ten data sets, with the preset's own learners and minibatches
// The preset `paper` with UCB1 is included to compare run times.
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
  bool in_rows = true;  // if false, it affects only the preset's own learners
};

// The preset itself comes first, the paper's system last.
const std::vector<Variant>& variants();

struct AblationRow {
  // Results of one setting, averaged over data sets, so that each counts the same.
  struct Setting {
    bool ran = false;
    MeanInterval to_auto;  // mean of ln(log-loss/the preset's)
    // In the rows: the mean of ln(log-loss/the paper's best), and the number of rows that are at most the paper's best.
    double to_paper = 0;
    std::size_t at_most_paper = 0, rows = 0;
    double seconds = 0;  // of processor time
  };
  const Variant* variant;
  Setting in_rows, own;
};

struct AblationOptions {
  std::string data{};
  std::vector<std::string> data_sets{};  // all if empty
  std::size_t runs = 3;
  std::size_t threads = 0;
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(std::size_t done, std::size_t all)> on_progress{};  // before each variant
};

std::vector<AblationRow> run_ablation(const AblationOptions& options);
std::string ablation_json(const std::vector<AblationRow>& rows);
std::string ablation_text(const std::vector<AblationRow>& rows);

}  // namespace plumbline::paper

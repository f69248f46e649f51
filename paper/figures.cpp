#include "paper/figures.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace plumbline::paper {
namespace {

using report::Chart;
using report::Series;

const ResultRow* find_row(const Results& results, const std::string& table,
                          const std::string& data_set) {
  const auto found = std::ranges::find_if(results, [&](const ResultRow& row) {
    return row.table->name == table && row.data_set == data_set;
  });
  return found == results.end() ? nullptr : &*found;
}

bool traced(const Cell* cell) {
  return cell != nullptr && !cell->runs.empty() && !cell->runs.front().trace.minibatches.empty();
}

void add_point(Series& series, double x, const std::vector<double>& values) {
  const MeanInterval mean = mean_interval(values);
  series.x.push_back(x);
  series.y.push_back(mean.mean);
  series.low.push_back(mean.mean - mean.half_width);
  series.high.push_back(mean.mean + mean.half_width);
}

// The mean of a curve over the runs, with the interval of the mean.
Series mean_curve(const Cell& cell, std::string name, std::vector<double> Trace::*values) {
  Series series{.name = std::move(name)};
  const Trace& first = cell.runs.front().trace;
  for (std::size_t i = 0; i < first.minibatches.size(); ++i) {
    std::vector<double> at;
    for (const RunResult& run : cell.runs) at.push_back((run.trace.*values)[i]);
    add_point(series, first.minibatches[i], at);
  }
  return series;
}

// The mean per bin, over the runs that have predictions in the bin.
Series mean_reliability(const Cell& cell, std::string name) {
  Series series{.name = std::move(name)};
  const std::size_t bins = cell.runs.front().trace.reliability.size();
  for (std::size_t b = 0; b < bins; ++b) {
    std::vector<double> rates;
    double weight = 0, predicted = 0;
    for (const RunResult& run : cell.runs) {
      const Bin& bin = run.trace.reliability[b];
      if (bin.count == 0) continue;
      rates.push_back(bin.positive_rate);
      weight += static_cast<double>(bin.count);
      predicted += static_cast<double>(bin.count) * bin.mean_probability;
    }
    if (rates.empty()) continue;
    add_point(series, predicted / weight, rates);
    series.low.back() = std::max(0.0, series.low.back());
    series.high.back() = std::min(1.0, series.high.back());
  }
  return series;
}

Chart reliability_chart(const std::string& title) {
  return {.title = title,
          .x = {.title = "predicted probability", .low = 0, .high = 1},
          .y = {.title = "observed share of positives", .low = 0, .high = 1},
          .diagonal = true,
          .width = 460,
          .height = 400};
}

Chart score_chart(const Cell& cell, const std::string& title) {
  Series series{.kind = Series::Kind::bars};
  const std::vector<Bin>& first = cell.runs.front().trace.scores;
  for (std::size_t b = 0; b < first.size(); ++b) {
    std::vector<double> shares;
    for (const RunResult& run : cell.runs) {
      double all = 0;
      for (const Bin& bin : run.trace.scores) all += static_cast<double>(bin.count);
      shares.push_back(static_cast<double>(run.trace.scores[b].count) / all);
    }
    add_point(series, 0.5 * (first[b].low + first[b].high), shares);
  }
  series.low.clear();
  series.high.clear();
  series.x.clear();
  for (const Bin& bin : first) series.x.push_back(bin.low);
  series.x.push_back(first.back().high);
  return {.title = title,
          .x = {.title = "score", .low = 0, .high = 1},
          .y = {.title = "share of examples", .low = 0, .percent = true},
          .series = {std::move(series)},
          .width = 460,
          .height = 300};
}

Chart loss_chart(const std::string& title) {
  return {.title = title,
          .x = {.title = "minibatches"},
          .y = {.title = "log-loss so far", .log = true},
          .width = 460,
          .height = 340};
}

class Drawing {
 public:
  explicit Drawing(const Results& results) : results_(results) {}

  // Figures 1 and 2: Naive Bayes on two sample data sets.
  void reliability() {
    for (const std::string& set : {std::string("spambase"), std::string("waveform")}) {
      const ResultRow* const row = find_row(results_, "NB10_stationary", set);
      if (row == nullptr) continue;
      const Cell* const raw = row->find("uncalibrated");
      if (!traced(raw)) continue;
      Chart chart = reliability_chart(set + ", uncalibrated");
      chart.series.push_back(mean_reliability(*raw, "uncalibrated"));
      add("reliability_" + set, 1, chart,
          "How often an example was positive, against the score that it got. Perfect "
          "probabilities lie on the diagonal.");
      add("scores_" + set, 1, score_chart(*raw, set + ", scores"),
          "How the scores are distributed: boosting pushes them towards 0 and 1.");
    }
    for (const std::string& set : {std::string("spambase"), std::string("waveform")}) {
      const ResultRow* const row = find_row(results_, "NB10_stationary", set);
      if (row == nullptr || !traced(row->find("uncalibrated")) || !traced(row->find("fixed_2"))) {
        continue;
      }
      Chart chart = reliability_chart(set);
      chart.series.push_back(mean_reliability(*row->find("uncalibrated"), "uncalibrated"));
      chart.series.push_back(mean_reliability(*row->find("fixed_2"), "every 2nd calibrates"));
      add("calibrated_" + set, 2, chart,
          "The same, and with every second minibatch spent on calibrating.");
    }
  }

  // Figures 3 to 5: log-loss over time.
  void curves(int number, const std::string& table, const std::vector<std::string>& sets,
              const std::string& policy, bool with_uncalibrated) {
    for (const std::string& set : sets) {
      const ResultRow* const row = find_row(results_, table, set);
      if (row == nullptr) continue;
      const Cell* const best = row->best_fixed();
      const Cell* const worst = row->worst_fixed();
      const Cell* const bandit = row->find(policy);
      if (!traced(best) || !traced(bandit)) continue;
      Chart chart = loss_chart(fmt::format("{}, {}", set, policy_title(policy)));
      const auto draw = [&](const Cell& cell, const std::string& name) {
        chart.series.push_back(mean_curve(cell, name, &Trace::log_loss));
      };
      draw(*bandit, policy_title(policy));
      draw(*best, fmt::format("best fixed ({})", *fixed_every(best->policy)));
      draw(*worst, fmt::format("worst fixed ({})", *fixed_every(worst->policy)));
      if (with_uncalibrated && traced(row->find("uncalibrated"))) {
        draw(*row->find("uncalibrated"), "uncalibrated");
      }
      // The range excludes the first minibatches, which are predicted before any learning.
      double lowest = 1e300, highest = 0;
      for (const Series& series : chart.series) {
        for (std::size_t k = series.y.size() / 10; k < series.y.size(); ++k) {
          lowest = std::min(lowest, series.y[k]);
          highest = std::max(highest, series.y[k]);
        }
      }
      chart.y.low = 0.9 * lowest;
      chart.y.high = 1.1 * highest;
      add(fmt::format("curve_{}_{}_{}", table, set, policy), number, chart,
          fmt::format("{}, {} learners: mean log-loss of all predictions so far.",
                      row->table->title, row->table->size));
    }
  }

  // Not in the paper: the actions over time.
  void actions(const std::string& table, const std::vector<std::string>& sets) {
    for (const std::string& set : sets) {
      const ResultRow* const row = find_row(results_, table, set);
      if (row == nullptr) continue;
      Chart chart{.title = set,
                  .x = {.title = "minibatches"},
                  .y = {.title = "calibrated so far", .low = 0, .high = 1, .percent = true},
                  .width = 460,
                  .height = 340};
      for (const Cell& cell : row->cells) {
        if (fixed_every(cell.policy) || cell.policy == "uncalibrated" || !traced(&cell)) continue;
        Series series = mean_curve(cell, policy_title(cell.policy), &Trace::calibrated);
        series.low.clear();
        series.high.clear();
        chart.series.push_back(std::move(series));
      }
      if (chart.series.empty()) continue;
      add(fmt::format("actions_{}_{}", table, set), 0, chart,
          "The share of the minibatches so far that each policy spent on calibrating.");
    }
  }

  std::vector<PaperFigure> finish() { return std::move(figures_); }

 private:
  void add(const std::string& file, int number, Chart chart, const std::string& caption) {
    figures_.push_back({file, number, std::move(chart), caption});
  }

  const Results& results_;
  std::vector<PaperFigure> figures_;
};

}  // namespace

std::vector<PaperFigure> figures(const Results& results) {
  const std::vector<std::string> stationary{"krvskp", "landsat", "musk2", "mushroom"};
  const std::vector<std::string> changing{"weather", "electricity", "forest"};
  Drawing drawing(results);
  drawing.reliability();
  drawing.curves(3, "NB10_stationary", stationary, "ucb1_improved", true);
  drawing.curves(4, "LR10_stationary", stationary, "ucb1_improved", true);
  drawing.curves(5, "NB10_nonstationary", changing, "ucb1_improved", false);
  drawing.curves(5, "NB10_nonstationary", changing, "discounted_gts", false);
  drawing.actions("NB10_stationary", stationary);
  drawing.actions("NB10_nonstationary", changing);
  return drawing.finish();
}

std::vector<PaperFigure> consistency_figures(const Results& results) {
  std::vector<PaperFigure> list;
  std::set<std::string> drawn;
  for (const ResultRow& row : results) {
    const Cell& cell = row.cells.front();
    if (!cell.has_last_half() || !drawn.insert(row.data_set).second) continue;
    const Consistency& curve = *cell.runs.front().last_half;
    Chart chart = reliability_chart(row.data_set);
    Series band{.name = "band of a calibrated forecaster"};
    Series shares{.name = "this run", .kind = Series::Kind::points};
    for (const ConsistencyBin& one : curve.bins) {
      band.x.push_back(one.bin.mean_probability);
      band.y.push_back(one.bin.mean_probability);
      band.low.push_back(one.simultaneous.low);
      band.high.push_back(one.simultaneous.high);
      shares.x.push_back(one.bin.mean_probability);
      shares.y.push_back(one.bin.positive_rate);
    }
    chart.series = {std::move(band), std::move(shares)};
    list.push_back({"consistency_" + row.data_set, 0, std::move(chart),
                    fmt::format("{}, {} learners, run 1: {} of {} bins outside, calibration error "
                                "{:.4f}.",
                                row.table->title, row.table->size, curve.outside(),
                                curve.bins.size(), curve.calibration_error)});
  }
  return list;
}

}  // namespace plumbline::paper

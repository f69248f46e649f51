#include "cli/output/compare_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "cli/output/baselines.h"
#include "cli/output/class_results.h"
#include "cli/output/progress.h"
#include "cli/output/rate.h"
#include "cli/output/reliability_chart.h"
#include "plumbline/version.h"
#include "report/page.h"
#include "report/text.h"

namespace plumbline::cli {
namespace {

using report::Chart;
using report::Series;

constexpr std::size_t kMostCurves = 7;  // the number of colors

// The contenders in ascending order of log-loss.
std::vector<std::size_t> ranking(const std::vector<Contender>& contenders) {
  std::vector<std::size_t> order(contenders.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return contenders[a].mean(&Recorder::log_loss).mean <
           contenders[b].mean(&Recorder::log_loss).mean;
  });
  return order;
}

// The mean of the running log-loss over the runs, with its 95 % interval.
Series curve(const Contender& contender) {
  Series series{.name = contender.title};
  const auto& first = contender.runs.front().recorder->curve();
  for (std::size_t i = 0; i < first.size(); ++i) {
    std::vector<double> values;
    for (const ContenderRun& run : contender.runs) {
      if (i < run.recorder->curve().size()) {
        values.push_back(run.recorder->curve()[i].log_loss_so_far);
      }
    }
    const MeanInterval mean = mean_interval(values);
    series.x.push_back(first[i].end);
    series.y.push_back(mean.mean);
    if (contender.runs.size() > 1) {
      series.low.push_back(mean.mean - mean.half_width);
      series.high.push_back(mean.mean + mean.half_width);
    }
  }
  return series;
}

// Limits the range to the values after the first steps, which would dwarf the rest.
void focus(Chart& chart) {
  double low = 1e300, high = 0;
  for (const Series& series : chart.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (series.x[i] < 0.05 * series.x.back()) continue;
      low = std::min(low, series.low.empty() ? series.y[i] : series.low[i]);
      high = std::max(high, series.high.empty() ? series.y[i] : series.high[i]);
    }
  }
  chart.y.low = std::max(0.0, low - 0.1 * (high - low));
  chart.y.high = high + 0.1 * (high - low);
}

// The baselines, which are the same for all contenders.
void add_baselines(report::Table& table, const Contender& contender) {
  const double accuracy_of_last = contender.mean(&Recorder::last_label_accuracy).mean;
  const auto add = [&](const std::string& name, double log_loss, double accuracy) {
    table.rows.push_back({{name},
                          {report::fixed_text(log_loss, 4)},
                          {},
                          {},
                          {},
                          {report::fixed_text(accuracy, 4)},
                          {rate_text(kappa_temporal(accuracy, accuracy_of_last))}});
  };
  add(base_rate_name(*contender.runs.front().recorder),
      contender.mean(&Recorder::base_log_loss).mean, contender.mean(&Recorder::base_accuracy).mean);
  add(kLastLabel, contender.mean(&Recorder::last_label_log_loss).mean, accuracy_of_last);
}

report::Table results_table(const std::vector<Contender>& contenders,
                            const std::vector<std::size_t>& order) {
  report::Table table{.columns = {{"configuration", report::Align::left},
                                  {"log-loss"},
                                  {"± 95 %"},
                                  {"Brier"},
                                  {"ECE"},
                                  {"accuracy"},
                                  {"kappa-temporal"},
                                  {"calibrating"},
                                  {"examples/s"}},
                      .compact = true};
  const bool costs = have_costs(contenders);
  if (costs) {
    table.columns.push_back({"cost"});
    table.columns.push_back({"savings"});
  }
  const double best = contenders[order.front()].mean(&Recorder::log_loss).mean;
  const double worst = contenders[order.back()].mean(&Recorder::log_loss).mean;
  for (const std::size_t i : order) {
    const Contender& contender = contenders[i];
    const MeanInterval loss = contender.mean(&Recorder::log_loss);
    const bool is_best = i == order.front();
    const double shade = worst > best ? 1 - 2 * (loss.mean - best) / (worst - best) : 0;
    const auto number = [](double value) { return report::fixed_text(value, 4); };
    table.rows.push_back(
        {{contender.title, is_best},
         {number(loss.mean), is_best, shade},
         {number(loss.half_width)},
         {number(contender.mean(&Recorder::brier).mean)},
         {number(contender.mean(&Recorder::ece).mean)},
         {number(contender.mean(&Recorder::accuracy).mean)},
         {rate_text(contender.kappa_temporal())},
         {fmt::format("{:.0f} %", 100 * contender.mean(&Recorder::calibration_share).mean)},
         {count_text(static_cast<std::uint64_t>(contender.examples_per_second()))}});
    if (!costs) continue;
    table.rows.back().push_back({number(contender.mean(&Recorder::cost).mean)});
    table.rows.back().push_back({number(contender.mean(&Recorder::savings).mean)});
  }
  add_baselines(table, contenders.front());
  return table;
}

}  // namespace

MeanInterval Contender::mean(double (Recorder::*value)() const) const {
  std::vector<double> values;
  for (const ContenderRun& run : runs) values.push_back(((*run.recorder).*value)());
  return mean_interval(values);
}

std::optional<double> Contender::kappa_temporal() const {
  return plumbline::kappa_temporal(mean(&Recorder::accuracy).mean,
                                   mean(&Recorder::last_label_accuracy).mean);
}

double Contender::examples_per_second() const {
  double examples = 0, seconds = 1e-9;
  for (const ContenderRun& run : runs) {
    examples += static_cast<double>(run.recorder->examples());
    seconds += run.seconds;
  }
  return examples / seconds;
}

std::size_t best_of(const std::vector<Contender>& contenders) {
  return ranking(contenders).front();
}

bool have_costs(const std::vector<Contender>& contenders) {
  return contenders.front().runs.front().recorder->costs() != nullptr;
}

std::string compare_report(const std::vector<Contender>& contenders, const std::string& title,
                           const std::string& subtitle) {
  const std::vector<std::size_t> order = ranking(contenders);
  const std::size_t shown = std::min(order.size(), kMostCurves);
  report::Page page(title, subtitle);
  page.text(
      "Each minibatch was predicted first and learned from afterwards. Lower log-loss, Brier score "
      "and calibration error (ECE) are better.");
  page.section("Results");
  page.table(results_table(contenders, order),
             "Best first, with the 95 % interval of the mean over the runs, and two baselines.");
  page.text(baselines_text());
  page.section("Over time");
  Chart curves{.title = "Running log-loss",
               .x = {.title = "examples"},
               .y = {.title = "log-loss"},
               .width = report::kPageWidth};
  for (std::size_t k = 0; k < shown; ++k) curves.series.push_back(curve(contenders[order[k]]));
  focus(curves);
  page.chart(curves, shown < order.size() ? fmt::format("The best {} of {}.", shown, order.size())
                                          : std::string("Bands are 95 % intervals over the runs."));
  page.section("Reliability");
  const auto reliability = [&](std::size_t i) {
    const Recorder& recorder = *contenders[i].runs.front().recorder;
    if (recorder.several()) {
      const auto& names = contenders[i].runs.front().classes;
      return report::Figure{joint_reliability(contenders[i].title, names, recorder)};
    }
    return report::Figure{{.title = contenders[i].title,
                           .x = {.title = "predicted probability", .low = 0.0, .high = 1.0},
                           .y = {.title = "share of positives", .low = 0.0, .high = 1.0},
                           .series = {reliability_series("first run", recorder.reliability())},
                           .diagonal = true}};
  };
  std::vector<report::Figure> figures{reliability(order.front())};
  if (order.size() > 1) figures.push_back(reliability(order.back()));
  page.charts(figures);
  page.text("The best configuration, and the worst. Points on the diagonal are calibrated.");
  if (contenders.front().runs.front().recorder->several()) {
    page.text("The most frequent classes are shown, each against all others.");
  }
  page.text(fmt::format("Made by plumbline {}.", kVersion));
  return page.html();
}

}  // namespace plumbline::cli

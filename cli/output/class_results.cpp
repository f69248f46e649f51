#include "cli/output/class_results.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "cli/output/progress.h"
#include "cli/output/reliability_chart.h"
#include "report/text.h"

namespace plumbline::cli {
namespace {

// The indices of the most frequent classes, at most `most`, in ascending order.
std::vector<std::size_t> most_frequent(const MulticlassMetrics& metrics, std::size_t most) {
  std::vector<std::size_t> indices(metrics.classes());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  std::stable_sort(indices.begin(), indices.end(), [&](std::size_t a, std::size_t b) {
    return metrics.count(a) > metrics.count(b);
  });
  indices.resize(std::min(indices.size(), most));
  std::sort(indices.begin(), indices.end());
  return indices;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::uint64_t predicted(const MulticlassMetrics& metrics, std::size_t k) {
  std::uint64_t sum = 0;
  for (std::size_t truth = 0; truth < metrics.classes(); ++truth)
    sum += metrics.confusion(truth, k);
  return sum;
}

// The share of a class that was recognized, and the share of predictions of the class that were right.
double recall(const MulticlassMetrics& metrics, std::size_t k) {
  return share(metrics.confusion(k, k), metrics.count(k));
}

double precision(const MulticlassMetrics& metrics, std::size_t k) {
  return share(metrics.confusion(k, k), predicted(metrics, k));
}

report::Chart reliability_chart(const std::string& title, std::vector<report::Series> series) {
  return {.title = title,
          .x = {.title = "predicted probability", .low = 0.0, .high = 1.0},
          .y = {.title = "share of the class", .low = 0.0, .high = 1.0},
          .series = std::move(series),
          .diagonal = true};
}

// The note below a figure or table that shows only some classes.
std::string omitted(std::size_t shown, std::size_t all) {
  return shown == all ? "" : fmt::format(" The {} most frequent of {} classes.", shown, all);
}

}  // namespace

std::string long_name(Multiclass scheme) {
  return scheme == Multiclass::ovo ? "one-vs-one" : "one-vs-rest";
}

std::string class_lines(const Names& names, const MulticlassMetrics& metrics) {
  constexpr std::size_t kMost = 30, kWidth = 24;
  const std::vector<std::size_t> shown = most_frequent(metrics, kMost);
  std::size_t width = 5;
  for (const std::size_t k : shown) width = std::max(width, report::length(names[k]));
  width = std::min(width, kWidth);
  std::string text = fmt::format("  {:<{}} {:>12} {:>8} {:>8} {:>8} {:>10}\n", "class", width,
                                 "examples", "share", "ECE", "recall", "precision");
  for (const std::size_t k : shown) {
    const std::string name = fitted(names[k], width);
    text += fmt::format("  {}{} {:>12} {:>8.4f} {:>8.4f} {:>8.4f} {:>10.4f}\n", name,
                        std::string(width - report::length(name), ' '),
                        count_text(metrics.count(k)), share(metrics.count(k), metrics.examples()),
                        metrics.calibration_error(k), recall(metrics, k), precision(metrics, k));
  }
  if (shown.size() < metrics.classes()) {
    text += fmt::format("  … and {} more classes (--json lists all)\n",
                        metrics.classes() - shown.size());
  }
  return text;
}

Json classes_json(const Names& names, const MulticlassMetrics& metrics) {
  Json json = Json::array();
  for (std::size_t k = 0; k < metrics.classes(); ++k) {
    Json entry{{"name", names[k]},
               {"examples", metrics.count(k)},
               {"ece", metrics.calibration_error(k)},
               {"recall", recall(metrics, k)},
               {"precision", precision(metrics, k)}};
    entry["reliability"] = Json::array();
    for (const Bin& bin : metrics.reliability(k)) {
      if (bin.count == 0) continue;
      entry["reliability"].push_back({{"low", bin.low},
                                      {"high", bin.high},
                                      {"count", bin.count},
                                      {"mean_probability", bin.mean_probability},
                                      {"rate", bin.positive_rate}});
    }
    json.push_back(std::move(entry));
  }
  return json;
}

Json confusion_json(const MulticlassMetrics& metrics) {
  Json json = Json::array();
  for (std::size_t truth = 0; truth < metrics.classes(); ++truth) {
    Json row = Json::array();
    for (std::size_t k = 0; k < metrics.classes(); ++k) row.push_back(metrics.confusion(truth, k));
    json.push_back(std::move(row));
  }
  return json;
}

Json label_json(const Schema& schema) {
  if (!schema.classes.empty()) return {{"name", schema.label}, {"classes", schema.classes}};
  return {{"name", schema.label}, {"positive", schema.positive}, {"negative", schema.negative}};
}

report::Table class_table(const Names& names, const MulticlassMetrics& metrics) {
  report::Table table{.columns = {{"class", report::Align::left},
                                  {"examples"},
                                  {"share"},
                                  {"calibration error"},
                                  {"recall"},
                                  {"precision"}}};
  const auto number = [](double value) { return report::fixed_text(value, 4); };
  for (std::size_t k = 0; k < metrics.classes(); ++k) {
    table.rows.push_back({{names[k]},
                          {count_text(metrics.count(k))},
                          {number(share(metrics.count(k), metrics.examples()))},
                          {number(metrics.calibration_error(k))},
                          {number(recall(metrics, k))},
                          {number(precision(metrics, k))}});
  }
  return table;
}

report::Table confusion_table(const Names& names, const MulticlassMetrics& metrics) {
  constexpr std::size_t kMost = 20;
  const std::vector<std::size_t> shown = most_frequent(metrics, kMost);
  report::Table table{.columns = {{"true class", report::Align::left}}, .compact = true};
  for (const std::size_t k : shown) table.columns.push_back({names[k]});
  for (const std::size_t truth : shown) {
    std::vector<report::Cell> row{{names[truth]}};
    for (const std::size_t k : shown) {
      const std::uint64_t count = metrics.confusion(truth, k);
      const double part = share(count, metrics.count(truth));
      row.push_back({count_text(count), truth == k, truth == k ? part : -part});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<report::Figure> class_reliability(const Names& names,
                                              const MulticlassMetrics& calibrated,
                                              const std::vector<NamedMetrics>& scores) {
  constexpr std::size_t kMost = 12;
  const std::vector<std::size_t> shown = most_frequent(calibrated, kMost);
  std::vector<report::Figure> figures;
  for (const std::size_t k : shown) {
    std::vector<report::Series> series{reliability_series("calibrated", calibrated.reliability(k))};
    for (const auto& [name, metrics] : scores) {
      series.push_back(reliability_series(name, metrics->reliability(k)));
    }
    figures.push_back({reliability_chart(names[k], std::move(series))});
  }
  if (!figures.empty()) {
    figures.front().caption =
        "If the model predicts 80 % for a class, it should be that class 80 times in 100: points "
        "on the diagonal. Bars are 95 % intervals." +
        omitted(shown.size(), names.size());
  }
  return figures;
}

report::Chart joint_reliability(const std::string& title, const Names& names,
                                const Recorder& recorder) {
  constexpr std::size_t kMost = 4;  // more would overlap
  std::vector<report::Series> series;
  for (const std::size_t k : most_frequent(recorder.classes(), kMost)) {
    series.push_back(reliability_series(names[k], recorder.classes().reliability(k)));
  }
  return reliability_chart(title, std::move(series));
}

}  // namespace plumbline::cli

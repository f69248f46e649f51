#include "cli/output/calibration_report.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "cli/output/class_results.h"
#include "cli/output/json.h"
#include "cli/output/reliability_chart.h"
#include "plumbline/version.h"
#include "report/text.h"

namespace plumbline::cli {
namespace {

// The number of columns of one score.
std::size_t width_of_one(const OnlineCalibrator& calibrator) {
  return calibrator.width() / calibrator.options().scores;
}

std::string name_of_score(const OnlineCalibrator& calibrator, std::size_t m) {
  const std::size_t each = width_of_one(calibrator);
  const std::vector<std::string>& names = calibrator.options().columns;
  if (each == 1) return names[m];
  return fmt::format("{} … {}", names[m * each], names[(m + 1) * each - 1]);
}

bool is_probability(const OnlineCalibrator& calibrator, std::size_t m) {
  return calibrator.options().inputs[m] != ScoreInput::score;
}

std::string calibrator_words(const OnlineCalibratorOptions& options) {
  return options.classes == 2 ? "calibrator " + options.calibrator.name : "calibrated jointly";
}

std::string delay_words(const OnlineCalibratorOptions& options) {
  if (options.label_delay == 0) return "";
  return fmt::format(", labels {} row{} later", options.label_delay,
                     options.label_delay == 1 ? "" : "s");
}

report::Table weights_table(const std::string& title, const std::vector<Calibrator::Part>& parts) {
  report::Table table{.columns = {{title, report::Align::left}, {"weight"}}};
  for (const auto& part : parts) {
    table.rows.push_back({{part.name}, {report::fixed_text(part.weight, 4)}});
  }
  return table;
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t length = report::length(text);
  return length < width ? text + std::string(width - length, ' ') : text;
}

}  // namespace

CalibrationReport::CalibrationReport(const OnlineCalibrator& calibrator)
    : calibrator_(calibrator), scores_(calibrator.options().scores) {
  for (MulticlassMetrics& metrics : scores_) metrics.grow(calibrator.options().classes);
  calibrated_.grow(calibrator.options().classes);
}

std::span<const double> CalibrationReport::all(std::span<const double> probabilities) {
  if (probabilities.size() > 1) return probabilities;
  both_ = {1 - probabilities[0], probabilities[0]};
  return both_;
}

void CalibrationReport::add(std::span<const double> uncalibrated,
                            std::span<const double> calibrated, Label label) {
  const std::size_t outputs = calibrator_.outputs();
  for (std::size_t m = 0; m < scores_.size(); ++m) {
    scores_[m].observe(all(uncalibrated.subspan(m * outputs, outputs)), {&label, 1});
  }
  calibrated_.observe(all(calibrated), {&label, 1});
}

// As everywhere else, that of two classes counts the positive one only.
double CalibrationReport::brier(const MulticlassMetrics& metrics) const {
  return metrics.brier() / (calibrator_.outputs() == 1 ? 2 : 1);
}

std::string CalibrationReport::text(const Run& run) const {
  const OnlineCalibratorOptions& options = calibrator_.options();
  std::string text =
      fmt::format("{}: {} rows, {} score{} of {} classes, {}{}\n\n", run.source,
                  report::count_text(examples()), options.scores, options.scores == 1 ? "" : "s",
                  options.classes, calibrator_words(options), delay_words(options));
  std::size_t width = 12;
  for (std::size_t m = 0; m < options.scores; ++m) {
    width = std::max(width, report::length(name_of_score(calibrator_, m)));
  }
  const auto line = [&](const std::string& name, const MulticlassMetrics& metrics) {
    text += fmt::format("  {} {:>9.4f} {:>8.4f} {:>8.4f} {:>9.4f}\n", padded(name, width),
                        metrics.log_loss(), brier(metrics), metrics.calibration_error(),
                        metrics.accuracy());
  };
  text += fmt::format("  {}  log-loss    Brier      ECE  accuracy\n", padded("", width));
  for (std::size_t m = 0; m < options.scores; ++m) {
    const std::string name = name_of_score(calibrator_, m);
    // A number of unknown unit is no probability before it is calibrated.
    if (is_probability(calibrator_, m)) {
      line(name, scores_[m]);
    } else {
      text +=
          fmt::format("  {} {:>9} {:>8} {:>8} {:>9}\n", padded(name, width), "–", "–", "–", "–");
    }
  }
  line("calibrated", calibrated_);
  text += fmt::format("  {} {:>9.4f} {:>26.4f}\n\n", padded("base rate", width),
                      calibrated_.base_log_loss(), calibrated_.base_accuracy());
  if (run.bad_rows > 0) {
    text += fmt::format("  bad rows     {} skipped\n", report::count_text(run.bad_rows));
  }
  text += fmt::format("  time         {:.2f} s, {} examples/s\n", run.seconds,
                      report::count_text(static_cast<std::uint64_t>(
                          static_cast<double>(examples()) / std::max(run.seconds, 1e-9))));
  for (const auto& [what, path] : run.files) text += fmt::format("  {:<12} {}\n", what, path);
  return text;
}

std::string CalibrationReport::json(const Run& run) const {
  const OnlineCalibratorOptions& options = calibrator_.options();
  const auto metrics_json = [&](const MulticlassMetrics& metrics) {
    return Json{{"log_loss", metrics.log_loss()},
                {"brier", brier(metrics)},
                {"ece", metrics.calibration_error()},
                {"accuracy", metrics.accuracy()}};
  };
  Json json;
  json["plumbline"] = kVersion;
  json["source"] = run.source;
  json["examples"] = examples();
  json["bad_rows"] = run.bad_rows;
  json["rows_read"] = run.rows_read;
  json["interrupted"] = run.interrupted;
  json["calibrated"] = metrics_json(calibrated_);
  json["scores"] = Json::array();
  const std::size_t each = width_of_one(calibrator_);
  for (std::size_t m = 0; m < options.scores; ++m) {
    Json entry{
        {"columns", std::vector<std::string>(
                        options.columns.begin() + static_cast<std::ptrdiff_t>(m * each),
                        options.columns.begin() + static_cast<std::ptrdiff_t>((m + 1) * each))},
        {"input", name_of(options.inputs[m])}};
    entry["metrics"] = is_probability(calibrator_, m) ? metrics_json(scores_[m]) : Json();
    json["scores"].push_back(std::move(entry));
  }
  json["base_rate"] = {{"log_loss", calibrated_.base_log_loss()},
                       {"accuracy", calibrated_.base_accuracy()}};
  json["weights"] = Json::object();
  for (const auto& part : calibrator_.weights()) json["weights"][part.name] = part.weight;
  json["label"] = options.label;
  json["classes"] = options.class_names;
  json["calibrator"] = options.calibrator.text();
  if (options.label_delay > 0) json["label_delay"] = options.label_delay;
  json["seconds"] = run.seconds;
  json["examples_per_second"] = static_cast<double>(examples()) / std::max(run.seconds, 1e-9);
  return to_text(json);
}

std::string CalibrationReport::page(const Run& run) const {
  const OnlineCalibratorOptions& options = calibrator_.options();
  const bool several = calibrator_.outputs() > 1;
  report::Page page(
      std::filesystem::path(run.source).filename().string(),
      fmt::format("{} score{} of {} classes, {}{}", options.scores, options.scores == 1 ? "" : "s",
                  options.classes, calibrator_words(options), delay_words(options)));
  const auto number = [](double value) { return report::fixed_text(value, 4); };
  page.tiles({{"log-loss", number(log_loss()),
               fmt::format("base rate {}", number(calibrated_.base_log_loss()))},
              {"Brier score", number(brier())},
              {"calibration error", number(calibrated_.calibration_error())},
              {"accuracy", report::fixed_text(100 * calibrated_.accuracy(), 1) + " %"},
              {"examples", report::count_text(examples())}});
  page.text(fmt::format(
      "Each row was predicted from its scores before its label was learned. The run took {:.2f} s.",
      run.seconds));
  page.section("How good are the probabilities?");
  page.table(comparison(), "The scores as they are and the calibrated probabilities.");
  if (several) {
    std::vector<NamedMetrics> scores;
    for (const std::size_t m : probabilities()) {
      scores.emplace_back(name_of_score(calibrator_, m), &scores_[m]);
    }
    page.charts(class_reliability(options.class_names, calibrated_, scores));
  } else {
    std::vector<NamedBins> scores;
    for (const std::size_t m : probabilities()) {
      scores.emplace_back(name_of_score(calibrator_, m), scores_[m].reliability(1));
    }
    report::Chart chart = two_class_reliability(calibrated_.reliability(1), scores);
    chart.width = report::kPageWidth;
    page.chart(chart, kReliabilityCaption);
  }
  page.section("What did the calibrator learn?");
  page.table(weights_table("average of", calibrator_.weights()),
             "The result is an average of each score as it is and of the calibrator.");
  if (!calibrator_.parts().empty()) {
    page.table(weights_table("part", calibrator_.parts()), "The parts of the calibrator.");
  }
  page.text(fmt::format("Made by plumbline {}.", kVersion));
  return page.html();
}

// The scores of which the numbers are probabilities, at most as many as a chart can show.
std::vector<std::size_t> CalibrationReport::probabilities() const {
  constexpr std::size_t kMost = 4;
  std::vector<std::size_t> found;
  for (std::size_t m = 0; m < scores_.size() && found.size() < kMost; ++m) {
    if (is_probability(calibrator_, m)) found.push_back(m);
  }
  return found;
}

report::Table CalibrationReport::comparison() const {
  report::Table table{.columns = {{"", report::Align::left},
                                  {"log-loss"},
                                  {"Brier score"},
                                  {"calibration error"},
                                  {"accuracy"}}};
  const auto add = [&](const std::string& name, const MulticlassMetrics& metrics) {
    std::vector<report::Cell> row{{name}};
    for (const double value :
         {metrics.log_loss(), brier(metrics), metrics.calibration_error(), metrics.accuracy()}) {
      row.push_back({report::fixed_text(value, 4)});
    }
    table.rows.push_back(std::move(row));
  };
  for (std::size_t m = 0; m < scores_.size(); ++m) {
    const std::string name = name_of_score(calibrator_, m);
    if (is_probability(calibrator_, m)) {
      add(name, scores_[m]);
    } else {
      table.rows.push_back({{name}, {"–"}, {"–"}, {"–"}, {"–"}});
    }
  }
  add("calibrated", calibrated_);
  table.rows.push_back({{"base rate"},
                        {report::fixed_text(calibrated_.base_log_loss(), 4)},
                        {""},
                        {""},
                        {report::fixed_text(calibrated_.base_accuracy(), 4)}});
  return table;
}

}  // namespace plumbline::cli

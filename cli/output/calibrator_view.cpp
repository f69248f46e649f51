#include "cli/output/calibrator_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/output/json.h"
#include "cli/output/terminal.h"
#include "report/terminal.h"
#include "report/text.h"

namespace plumbline::cli {
namespace {

// The columns of score m.
std::vector<std::string> columns_of(const OnlineCalibrator& calibrator, std::size_t m) {
  const OnlineCalibratorOptions& options = calibrator.options();
  const std::size_t each = calibrator.width() / options.scores;
  const auto first = options.columns.begin() + static_cast<std::ptrdiff_t>(m * each);
  return {first, first + static_cast<std::ptrdiff_t>(each)};
}

std::string weights_text(const std::string& title, const std::vector<Calibrator::Part>& parts) {
  if (parts.empty()) return "";
  std::string text = fmt::format("\n{:<22}    weight\n", title);
  for (const auto& part : parts) {
    text += fmt::format("{:<22} {:>9.4f}  {}\n", part.name, part.weight,
                        report::bar(part.weight, 20, !terminal_shows_unicode()));
  }
  return text;
}

}  // namespace

std::string calibrator_text(const OnlineCalibrator& calibrator) {
  const OnlineCalibratorOptions& options = calibrator.options();
  std::vector<std::string> scores;
  for (std::size_t m = 0; m < options.scores; ++m) {
    scores.push_back(fmt::format("'{}' ({})", fmt::join(columns_of(calibrator, m), "', '"),
                                 name_of(options.inputs[m])));
  }
  const std::string label =
      options.classes == 2
          ? fmt::format("'{}' is positive, '{}' negative", options.class_names[1],
                        options.class_names[0])
          : fmt::format("{} classes, {}", options.classes, fmt::join(options.class_names, ", "));
  std::string text = fmt::format(
      "seen         {} rows{}\n"
      "scores       {}\n"
      "label        '{}': {}\n"
      "calibrator   {}\n",
      report::count_text(calibrator.examples()),
      calibrator.pending() == 0 ? ""
                                : fmt::format(", and {} more without a known label",
                                              report::count_text(calibrator.pending())),
      fmt::join(scores, ", "), options.label, label,
      options.classes == 2 ? options.calibrator.text() : "joint, at three rates of forgetting");
  return text + weights_text("average of", calibrator.weights()) +
         weights_text("part of the calibrator", calibrator.parts());
}

std::string calibrator_json(const OnlineCalibrator& calibrator) {
  const OnlineCalibratorOptions& options = calibrator.options();
  Json json;
  json["examples"] = calibrator.examples();
  json["pending"] = calibrator.pending();
  json["dropped"] = calibrator.dropped();
  for (std::size_t m = 0; m < options.scores; ++m) {
    json["scores"].push_back(
        {{"columns", columns_of(calibrator, m)}, {"input", name_of(options.inputs[m])}});
  }
  json["label"] = options.label;
  json["classes"] = options.class_names;
  json["calibrator"] = options.calibrator.text();
  json["max_pending"] = options.max_pending;
  json["weights"] = Json::object();
  for (const auto& part : calibrator.weights()) json["weights"][part.name] = part.weight;
  json["calibrator_parts"] = Json::object();
  for (const auto& part : calibrator.parts()) json["calibrator_parts"][part.name] = part.weight;
  return to_text(json);
}

}  // namespace plumbline::cli

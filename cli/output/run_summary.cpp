#include "cli/output/run_summary.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/options/model_options.h"
#include "cli/output/baselines.h"
#include "cli/output/class_results.h"
#include "cli/output/cost_report.h"
#include "cli/output/json.h"
#include "cli/output/progress.h"
#include "cli/output/rate.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/version.h"

namespace plumbline::cli {

std::string run_summary(const RunResult& result) {
  const Config& config = result.model.config();
  const Schema& schema = result.model.schema();
  const bool several = result.model.several_classes();
  const double n = static_cast<double>(result.recorder.examples());
  const double positives = static_cast<double>(result.recorder.positives()) / n;
  std::string text = fmt::format(
      "{}: {} examples in {} minibatches of {}{}; {}\n"
      "{}{}, calibrator {}, policy {}, seed {}\n\n"
      "  log-loss     {:.4f}   (scores before calibration: {:.4f}; {}: {:.4f};\n"
      "                         {}: {:.4f})\n"
      "  Brier score  {:.4f}\n"
      "  ECE          {:.4f}   (scores before calibration: {:.4f}{})\n"
      "  accuracy     {:.4f}   ({}: {:.4f}; kappa-temporal: {})\n",
      result.source, count_text(result.recorder.examples()), count_text(result.recorder.batches()),
      config.batch, delay_text(config) + budget_text(config), result.model.encoder().summary(),
      several ? fmt::format("{} classes, {}; ", result.model.outputs(),
                            long_name(config.model.multiclass))
              : "",
      learners_text(config.model), config.model.calibrator.name, config.model.policy.name,
      config.model.seed, result.recorder.log_loss(), result.recorder.score_log_loss(),
      base_rate_name(result.recorder), result.recorder.base_log_loss(), kLastLabel,
      result.recorder.last_label_log_loss(), result.recorder.brier(), result.recorder.ece(),
      result.recorder.score_ece(), several ? "; mean over the classes" : "",
      result.recorder.accuracy(), kLastLabel, result.recorder.last_label_accuracy(),
      rate_text(result.recorder.kappa_temporal()));
  if (!several) {
    text += fmt::format("  positives    {:.4f}   (label '{}' is '{}')\n", positives, schema.label,
                        schema.positive);
  }
  text += "  actions     ";
  const char* separator = " ";
  for (std::size_t i = 0; i < kActionCount; ++i) {
    const auto action = static_cast<Action>(i);
    if (result.recorder.actions(action) == 0) continue;
    text += fmt::format("{}{} {}", separator, name_of(action),
                        count_text(result.recorder.actions(action)));
    separator = ", ";
  }
  text += several ? " (of all binary models)\n" : "\n";
  if (config.model.learn_budget < 1) {
    text += fmt::format("  trained      {:.4f} of the minibatches (learn budget {})\n",
                        result.recorder.training_share(), config.model.learn_budget);
  }
  if (config.label_budget < 1) {
    text += fmt::format("  asked        {:.4f} of the labels (label budget {}, {})\n",
                        result.recorder.asked_share(), config.label_budget,
                        name_of(config.label_choice));
  }
  if (result.recorder.costs() != nullptr) text += cost_summary(*result.recorder.costs());
  text += fmt::format("  time         {:.2f} s, {} examples/s\n", result.seconds,
                      count_text(static_cast<std::uint64_t>(n / std::max(result.seconds, 1e-9))));
  if (result.bad_rows > 0) {
    text += fmt::format("  bad rows     {} skipped\n", count_text(result.bad_rows));
  }
  if (result.model.encoder().overflowed() > 0) {
    text += fmt::format(
        "  crowded      {} values share a feature; --set encoder.max_categories=N or "
        "encoder.max_features=N raises the limit\n",
        count_text(result.model.encoder().overflowed()));
  }
  for (const auto& [what, path] : result.files) text += fmt::format("  {:<12} {}\n", what, path);
  if (several) text += "\n" + class_lines(schema.classes, result.recorder.classes());
  return text;
}

std::string run_json(const RunResult& result) {
  const Schema& schema = result.model.schema();
  Json json;
  json["plumbline"] = kVersion;
  json["source"] = result.source;
  json["examples"] = result.recorder.examples();
  json["batches"] = result.recorder.batches();
  json["bad_rows"] = result.bad_rows;
  json["rows_read"] = result.rows_read;
  json["interrupted"] = result.interrupted;
  json["log_loss"] = result.recorder.log_loss();
  json["brier"] = result.recorder.brier();
  json["ece"] = result.recorder.ece();
  json["accuracy"] = result.recorder.accuracy();
  json["scores"] = {{"log_loss", result.recorder.score_log_loss()},
                    {"ece", result.recorder.score_ece()}};
  if (result.recorder.several()) {
    json["base_rate"] = {{"log_loss", result.recorder.base_log_loss()},
                         {"accuracy", result.recorder.base_accuracy()}};
    json["multiclass"] = name_of(result.model.config().model.multiclass);
    json["classes"] = classes_json(schema.classes, result.recorder.classes());
    json["confusion"] = confusion_json(result.recorder.classes());
  } else {
    json["base_rate"] = {{"positives", result.recorder.positives()},
                         {"log_loss", result.recorder.base_log_loss()},
                         {"accuracy", result.recorder.base_accuracy()}};
  }
  json["last_label"] = {{"log_loss", result.recorder.last_label_log_loss()},
                        {"accuracy", result.recorder.last_label_accuracy()}};
  json["kappa_temporal"] = rate_json(result.recorder.kappa_temporal());
  if (result.recorder.costs() != nullptr) json["costs"] = cost_json(*result.recorder.costs());
  for (std::size_t i = 0; i < kActionCount; ++i) {
    const auto action = static_cast<Action>(i);
    json["actions"][std::string(name_of(action))] = result.recorder.actions(action);
  }
  json["training_share"] = result.recorder.training_share();
  json["asked_share"] = result.recorder.asked_share();
  json["seconds"] = result.seconds;
  json["examples_per_second"] =
      static_cast<double>(result.recorder.examples()) / std::max(result.seconds, 1e-9);
  json["seed"] = result.model.config().model.seed;
  json["features"] = schema.size();
  json["label"] = label_json(schema);
  json["config"] = parse_json(to_json(result.model.config()));
  return to_text(json);
}

}  // namespace plumbline::cli

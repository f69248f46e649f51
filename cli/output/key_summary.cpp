#include "cli/output/key_summary.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/options/model_options.h"
#include "cli/output/baselines.h"
#include "cli/output/class_results.h"
#include "cli/output/json.h"
#include "cli/output/progress.h"
#include "cli/output/rate.h"
#include "cli/output/terminal.h"
#include "plumbline/version.h"
#include "report/text.h"

namespace plumbline::cli {
namespace {

double mean(double sum, std::uint64_t rows) {
  return rows == 0 ? 0 : sum / static_cast<double>(rows);
}

std::string models_text(const KeyedModel& model) {
  return fmt::format("for each value of '{}': {}, calibrator {}, seed {}; parent {}",
                     model.key_column(), learners_text(model.config().model),
                     model.config().model.calibrator.name, model.config().model.seed,
                     model.parent() != nullptr ? model.options().parent : "off");
}

std::string worst_table(const KeyedModel& model, double all) {
  const bool parent = model.parent() != nullptr;
  std::string text = fmt::format(
      "\nkeys with the largest log-loss in total\n"
      "  share       rows  log-loss{}  positives  key\n",
      parent ? "  of parent" : "");
  for (const KeyStatistics& of : model.worst()) {
    text += fmt::format("{:>6.2f}% {:>10} {:>9.4f}", all > 0 ? 100 * of.log_loss / all : 0,
                        count_text(of.rows), mean(of.log_loss, of.rows));
    if (parent) text += fmt::format(" {:>10.4f}", mean(of.parent_log_loss, of.rows));
    text += fmt::format(" {:>10.4f}  {}\n", mean(static_cast<double>(of.positives), of.rows),
                        fitted(of.key, 40));
  }
  return text;
}

Json statistics_json(const KeyStatistics& of, bool parent) {
  Json json{{"key", of.key},
            {"rows", of.rows},
            {"positives", of.positives},
            {"log_loss", mean(of.log_loss, of.rows)},
            {"last_row", of.last}};
  if (parent) json["parent_log_loss"] = mean(of.parent_log_loss, of.rows);
  return json;
}

Json worst_json(const KeyedModel& model) {
  Json json = Json::array();
  for (const KeyStatistics& of : model.worst()) {
    json.push_back(statistics_json(of, model.parent() != nullptr));
  }
  return json;
}

Json totals_json(const KeyedModel& model) {
  const KeyedTotals totals = model.totals();
  Json json{{"column", model.key_column()},
            {"rows", totals.rows},
            {"keys", totals.keys},
            {"expired", totals.expired},
            {"log_loss", mean(totals.log_loss, totals.rows)},
            {"fresh_bytes", model.fresh_bytes()},
            {"worst", worst_json(model)}};
  if (model.options().ttl > 0) json["ttl"] = model.options().ttl;
  if (model.parent() != nullptr) {
    json["parent"] = model.options().parent;
    json["parent_log_loss"] = mean(totals.parent_log_loss, totals.rows);
  }
  return json;
}

}  // namespace

std::string key_run_summary(const KeyRunResult& result) {
  const KeyedModel& model = result.model;
  const Recorder& recorder = result.recorder;
  const KeyedTotals now = model.totals(), &before = result.before;
  const std::uint64_t rows = recorder.examples();
  const auto n = static_cast<double>(rows);
  const std::uint64_t came = now.keys + now.expired - before.keys - before.expired;
  const std::string parent =
      model.parent() == nullptr
          ? ""
          : fmt::format("parent: {:.4f}; ",
                        mean(now.parent_log_loss - before.parent_log_loss, rows));
  std::string text = fmt::format(
      "{}: {} examples; {} keys, {} of them new\n{}\n\n"
      "  log-loss     {:.4f}   ({}{}: {:.4f};\n"
      "                         {}: {:.4f})\n"
      "  Brier score  {:.4f}\n"
      "  ECE          {:.4f}{}\n"
      "  accuracy     {:.4f}   ({}: {:.4f}; kappa-temporal: {})\n"
      "  positives    {:.4f}   (label '{}' is '{}')\n",
      result.source, count_text(rows), count_text(now.keys), count_text(came), models_text(model),
      recorder.log_loss(), parent, base_rate_name(recorder), recorder.base_log_loss(), kLastLabel,
      recorder.last_label_log_loss(), recorder.brier(), recorder.ece(),
      model.parent() == nullptr ? "" : fmt::format("   (parent: {:.4f})", recorder.score_ece()),
      recorder.accuracy(), kLastLabel, recorder.last_label_accuracy(),
      rate_text(recorder.kappa_temporal()), static_cast<double>(recorder.positives()) / n,
      model.schema().label, model.schema().positive);
  if (model.options().ttl > 0) {
    text += fmt::format("  expired      {} keys without a row among {}\n",
                        count_text(now.expired - before.expired), count_text(model.options().ttl));
  }
  text += fmt::format(
      "  states       {} bytes for a new key; {:.1f} MiB in memory, where {:.1f} % of the rows "
      "found theirs\n",
      count_text(model.fresh_bytes()), static_cast<double>(model.cached_bytes()) / 0x1p20,
      100 * static_cast<double>(model.hits()) /
          std::max(1.0, static_cast<double>(model.hits() + model.misses())));
  text += fmt::format("  time         {:.2f} s, {} examples/s\n", result.seconds,
                      count_text(static_cast<std::uint64_t>(n / std::max(result.seconds, 1e-9))));
  if (result.bad_rows > 0) {
    text += fmt::format("  bad rows     {} skipped\n", count_text(result.bad_rows));
  }
  for (const auto& [what, path] : result.files) text += fmt::format("  {:<12} {}\n", what, path);
  return text + worst_table(model, now.log_loss);
}

std::string key_run_json(const KeyRunResult& result) {
  const Recorder& recorder = result.recorder;
  Json json;
  json["plumbline"] = kVersion;
  json["source"] = result.source;
  json["examples"] = recorder.examples();
  json["bad_rows"] = result.bad_rows;
  json["rows_read"] = result.rows_read;
  json["interrupted"] = result.interrupted;
  json["log_loss"] = recorder.log_loss();
  json["brier"] = recorder.brier();
  json["ece"] = recorder.ece();
  json["accuracy"] = recorder.accuracy();
  if (result.model.parent() != nullptr) {
    json["parent"] = {{"log_loss", recorder.score_log_loss()}, {"ece", recorder.score_ece()}};
  }
  json["base_rate"] = {{"positives", recorder.positives()},
                       {"log_loss", recorder.base_log_loss()},
                       {"accuracy", recorder.base_accuracy()}};
  json["last_label"] = {{"log_loss", recorder.last_label_log_loss()},
                        {"accuracy", recorder.last_label_accuracy()}};
  json["kappa_temporal"] = rate_json(recorder.kappa_temporal());
  json["keys"] = totals_json(result.model);
  json["keys"]["expired_now"] = result.model.totals().expired - result.before.expired;
  json["keys"]["cache"] = {{"bytes", result.model.cached_bytes()},
                           {"hits", result.model.hits()},
                           {"misses", result.model.misses()}};
  json["seconds"] = result.seconds;
  json["examples_per_second"] =
      static_cast<double>(recorder.examples()) / std::max(result.seconds, 1e-9);
  json["label"] = label_json(result.model.schema());
  json["config"] = parse_json(to_json(result.model.config()));
  return to_text(json);
}

std::string store_text(KeyedModel& model) {
  const KeyedTotals totals = model.totals();
  std::string text = fmt::format(
      "{} keys, {} rows; log-loss {:.4f}{}\n{}\n{} bytes for a new key{}{}\n",
      count_text(totals.keys), count_text(totals.rows), mean(totals.log_loss, totals.rows),
      model.parent() == nullptr
          ? ""
          : fmt::format(", parent {:.4f}", mean(totals.parent_log_loss, totals.rows)),
      models_text(model), count_text(model.fresh_bytes()),
      model.options().ttl == 0 ? ""
                               : fmt::format("; keys without a row among {} are forgotten",
                                             count_text(model.options().ttl)),
      totals.expired == 0 ? "" : fmt::format(" ({} so far)", count_text(totals.expired)));
  for (const auto& [source, rows] : model.positions()) {
    text += fmt::format("{} rows of {}\n", count_text(rows), source);
  }
  return text + worst_table(model, totals.log_loss) + "\n--key KEY shows the model of a key\n";
}

std::string store_json(KeyedModel& model) {
  Json json;
  json["plumbline"] = kVersion;
  json["keys"] = totals_json(model);
  json["positions"] = Json::object();
  for (const auto& [source, rows] : model.positions()) json["positions"][source] = rows;
  json["label"] = label_json(model.schema());
  json["features"] = model.schema().size();
  json["config"] = parse_json(to_json(model.config()));
  return to_text(json);
}

std::string key_text(const KeyStatistics& of, bool parent, std::size_t bytes) {
  return fmt::format(
      "key '{}': {} rows, {:.4f} positive; log-loss {:.4f}{}; its last row was number {}; {} "
      "bytes\n",
      of.key, count_text(of.rows), mean(static_cast<double>(of.positives), of.rows),
      mean(of.log_loss, of.rows),
      parent ? fmt::format(", parent {:.4f}", mean(of.parent_log_loss, of.rows)) : "",
      count_text(of.last), count_text(bytes));
}

std::string key_json(const KeyStatistics& of, bool parent, std::size_t bytes) {
  Json json = statistics_json(of, parent);
  json["bytes"] = bytes;
  return print_json(json);
}

}  // namespace plumbline::cli

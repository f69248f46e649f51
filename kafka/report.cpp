#include "kafka/report.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/output/json.h"
#include "plumbline/json/json.h"
#include "plumbline/version.h"
#include "report/text.h"

namespace plumbline::kafka {
namespace {

using plumbline::report::count_text;

std::string quoted(const std::string& text) {
  return print_json(Json(text), -1, Json::error_handler_t::replace);
}

}  // namespace

std::int64_t Report::lag() const {
  std::int64_t lag = 0;
  for (const auto& [partition, one] : partitions) lag += one.lag;
  return lag;
}

std::string summary_of(const Report& report) {
  const Job::Counts& counts = report.job.counts;
  const Scoreboard::Figures figures = report.job.scoreboard.figures();
  std::string text =
      fmt::format("{}: {} rows, {} of them learned; group {}\n\n", report.source,
                  count_text(counts.rows), count_text(counts.learned), report.job.group);
  if (figures.examples > 0) {
    text += fmt::format("  log-loss     {:.4f}\n  Brier score  {:.4f}\n  accuracy     {:.4f}\n",
                        figures.log_loss, figures.brier, figures.accuracy);
  }
  if (!report.job.labels.empty()) {
    text += fmt::format("  labels       {}, {} without a row; {} rows dropped without a label\n",
                        count_text(counts.labels), count_text(counts.unmatched_labels),
                        count_text(counts.expired_rows));
  }
  if (counts.bad_rows > 0) {
    text += fmt::format(
        "  bad rows     {} {}\n", count_text(counts.bad_rows),
        report.job.dead_letters.empty() ? "skipped" : "in '" + report.job.dead_letters + "'");
  }
  if (!report.job.predictions.empty()) {
    text += fmt::format("  predictions  {} in '{}'\n", count_text(counts.predictions),
                        report.job.predictions);
  }
  text += fmt::format("  commits      {}; {} models saved in '{}'\n", count_text(counts.commits),
                      count_text(counts.snapshots), report.state);
  if (counts.replayed > 0) {
    text += fmt::format("  replayed     {} messages, since the saved models\n",
                        count_text(counts.replayed));
  }
  if (counts.restarts > 0) {
    text += fmt::format("  restarts     {} of a partition\n", count_text(counts.restarts));
  }
  text += fmt::format("  lag          {}\n", count_text(static_cast<std::uint64_t>(report.lag())));
  text += fmt::format("  time         {:.2f} s, {} rows/s\n", report.seconds,
                      count_text(static_cast<std::uint64_t>(static_cast<double>(counts.rows) /
                                                            std::max(report.seconds, 1e-9))));
  return text;
}

std::string json_of(const Report& report) {
  const Job::Counts& counts = report.job.counts;
  const Scoreboard::Figures figures = report.job.scoreboard.figures();
  Json json;
  json["plumbline"] = kVersion;
  json["source"] = report.source;
  json["group"] = report.job.group;
  json["state"] = report.state;
  json["rows"] = counts.rows.load();
  json["learned"] = counts.learned.load();
  json["bad_rows"] = counts.bad_rows.load();
  json["predictions"] = counts.predictions.load();
  if (!report.job.labels.empty()) {
    json["labels"] = {{"read", counts.labels.load()},
                      {"without_row", counts.unmatched_labels.load()},
                      {"rows_dropped", counts.expired_rows.load()}};
  }
  json["log_loss"] = figures.examples > 0 ? Json(figures.log_loss) : Json();
  json["brier"] = figures.examples > 0 ? Json(figures.brier) : Json();
  json["accuracy"] = figures.examples > 0 ? Json(figures.accuracy) : Json();
  json["commits"] = counts.commits.load();
  json["snapshots"] = counts.snapshots.load();
  json["replayed"] = counts.replayed.load();
  json["restarts"] = counts.restarts.load();
  json["lag"] = report.lag();
  json["partitions"] = Json::object();
  for (const auto& [partition, one] : report.partitions) {
    json["partitions"][fmt::format("{}", partition)] = {{"offset", one.offset}, {"lag", one.lag}};
  }
  json["interrupted"] = report.interrupted;
  json["seconds"] = report.seconds;
  return cli::to_text(json);
}

std::string prometheus_of(const Report& report) {
  const Job::Counts& counts = report.job.counts;
  const Scoreboard::Figures figures = report.job.scoreboard.figures();
  const std::string topic = quoted(report.job.topic);
  std::string text;
  const auto add = [&](const char* name, const char* type, const char* help, auto value) {
    text += fmt::format(
        "# HELP plumbline_kafka_{0} {1}\n# TYPE plumbline_kafka_{0} {2}\n"
        "plumbline_kafka_{0}{{topic={3}}} {4}\n",
        name, help, type, topic, value);
  };
  add("rows_total", "counter", "Rows read.", counts.rows.load());
  add("learned_total", "counter", "Rows learned.", counts.learned.load());
  add("predictions_total", "counter", "Predictions.", counts.predictions.load());
  add("bad_rows_total", "counter", "Messages that could not be used.", counts.bad_rows.load());
  add("labels_total", "counter", "Messages of the topic of labels.", counts.labels.load());
  add("unmatched_labels_total", "counter", "Labels without a waiting row.",
      counts.unmatched_labels.load());
  add("expired_rows_total", "counter", "Rows dropped without a label.", counts.expired_rows.load());
  add("commits_total", "counter", "Committed transactions.", counts.commits.load());
  add("snapshots_total", "counter", "Saved models.", counts.snapshots.load());
  add("replayed_total", "counter", "Messages learned again after a restart.",
      counts.replayed.load());
  add("restarts_total", "counter", "Restarts of a partition after trouble.",
      counts.restarts.load());
  if (figures.examples > 0) {
    add("log_loss", "gauge", "Mean log-loss of the predictions, since the start.",
        figures.log_loss);
  }
  text +=
      "# HELP plumbline_kafka_lag Messages that are there and not read yet.\n"
      "# TYPE plumbline_kafka_lag gauge\n";
  for (const auto& [partition, one] : report.partitions) {
    text += fmt::format("plumbline_kafka_lag{{topic={},partition=\"{}\"}} {}\n", topic, partition,
                        one.lag);
  }
  text +=
      "# HELP plumbline_kafka_offset Offset of the next message.\n"
      "# TYPE plumbline_kafka_offset gauge\n";
  for (const auto& [partition, one] : report.partitions) {
    text += fmt::format("plumbline_kafka_offset{{topic={},partition=\"{}\"}} {}\n", topic,
                        partition, one.offset);
  }
  return text;
}

}  // namespace plumbline::kafka

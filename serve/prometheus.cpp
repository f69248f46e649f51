#include "serve/prometheus.h"

#include <iterator>

#include <fmt/format.h>

#include "plumbline/version.h"

namespace plumbline::serve {
namespace {

class Text {
 public:
  // Begins a metric; `type` is counter, gauge or histogram.
  void begin(const std::string& name, const char* type, const char* help) {
    name_ = "plumbline_" + name;
    fmt::format_to(std::back_inserter(text_), "# HELP {0} {2}\n# TYPE {0} {1}\n", name_, type,
                   help);
  }
  template <class Value>
  void add(const std::string& labels, const Value& value, const char* suffix = "") {
    fmt::format_to(std::back_inserter(text_), "{}{}{}{}{} {}\n", name_, suffix,
                   labels.empty() ? "" : "{", labels, labels.empty() ? "" : "}", value);
  }
  template <class Bounds, class Counts>
  void add_histogram(const std::string& labels, const Bounds& bounds, const Counts& counts,
                     double sum) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      count += counts[i];
      add(fmt::format("{},le=\"{}\"", labels,
                      i < bounds.size() ? fmt::format("{}", bounds[i]) : "+Inf"),
          count, "_bucket");
    }
    add(labels, sum, "_sum");
    add(labels, count, "_count");
  }
  std::string take() { return std::move(text_); }

 private:
  std::string name_, text_;
};

std::string of_model(const std::string& name) { return fmt::format("model=\"{}\"", name); }

template <class Of>
void add_each(Text& text, const std::vector<HostedPointer>& models, const std::string& name,
              const char* type, const char* help, const Of& of) {
  text.begin(name, type, help);
  for (const HostedPointer& hosted : models) text.add(of_model(hosted->model.name()), of(*hosted));
}

void add_quality(Text& text, const std::vector<HostedPointer>& models, const std::string& name,
                 const char* help, double Prequential::Summary::*member) {
  text.begin(name, "gauge", help);
  for (const HostedPointer& hosted : models) {
    hosted->model.model().with_metrics([&, &of = hosted->model.name()](const Prequential& metrics) {
      for (const auto& [window, summary] :
           {std::pair{"all", metrics.all()}, std::pair{"1000", metrics.recent()}}) {
        if (summary.labels == 0) continue;
        text.add(fmt::format("{},window=\"{}\"", of_model(of), window), summary.*member);
      }
    });
  }
}

void add_requests(Text& text, const RequestStatistics& requests, std::size_t connections) {
  text.begin("http_requests_total", "counter", "Requests answered.");
  for (const auto& [key, count] : requests.statuses()) {
    text.add(fmt::format("route=\"{}\",status=\"{}\"", key.first, key.second), count);
  }
  text.begin("http_request_duration_seconds", "histogram",
             "Time from the header of a request to its answer.");
  for (const auto& [route, durations] : requests.durations()) {
    text.add_histogram(fmt::format("route=\"{}\"", route), RequestStatistics::kBounds,
                       durations.counts, durations.sum);
  }
  text.begin("http_connections", "gauge", "Open connections.");
  text.add("", connections);
}

}  // namespace

std::string prometheus_text(const std::vector<HostedPointer>& models,
                            const RequestStatistics& requests, std::size_t connections) {
  Text text;
  text.begin("build_info", "gauge", "The version.");
  text.add(fmt::format("version=\"{}\"", kVersion), 1);
  add_each(text, models, "model_ready", "gauge", "1 if the model answers.",
           [](const Hosted& hosted) { return hosted.model.ready() ? 1 : 0; });
  add_each(text, models, "predictions_total", "counter", "Rows predicted since the start.",
           [](const Hosted& hosted) { return hosted.counts.predicted.load(); });
  add_each(text, models, "pending_predictions", "gauge", "Remembered predictions without label.",
           [](const Hosted& hosted) { return hosted.model.log().counts().pending(); });
  text.begin("labels_total", "counter", "Labels received since the start, by outcome.");
  for (const HostedPointer& hosted : models) {
    const auto add = [&, &of = hosted->model.name()](const char* outcome, std::uint64_t count) {
      text.add(fmt::format("{},outcome=\"{}\"", of_model(of), outcome), count);
    };
    add("accepted", hosted->counts.accepted);
    add("duplicate", hosted->counts.duplicates);
  }
  add_each(text, models, "refused_items_total", "counter", "Items refused since the start.",
           [](const Hosted& hosted) { return hosted.counts.refused.load(); });
  add_each(text, models, "log_labels", "gauge", "Labels in the log.",
           [](const Hosted& hosted) { return hosted.model.log().counts().labels; });
  add_each(text, models, "log_first_label", "gauge", "The first label whose row is in the log.",
           [](const Hosted& hosted) { return hosted.model.log().counts().trimmed + 1; });
  add_each(text, models, "log_bytes", "gauge", "Size of the log.",
           [](const Hosted& hosted) { return hosted.model.log_bytes(); });
  add_each(text, models, "expired_predictions_total", "counter",
           "Remembered predictions that were removed before their label came.",
           [](const Hosted& hosted) { return hosted.model.log().counts().expired; });
  add_each(text, models, "model_applied_sequence", "gauge", "The last label learned.",
           [](const Hosted& hosted) { return hosted.model.model().learned(); });
  add_each(text, models, "snapshot_sequence", "gauge", "The last label in a snapshot.",
           [](const Hosted& hosted) {
             const auto snapshot = hosted.model.last_snapshot();
             return snapshot ? snapshot->number : 0;
           });
  add_each(text, models, "replay_seconds", "gauge", "Duration of the replay at the start.",
           [](const Hosted& hosted) { return hosted.model.replay_seconds(); });
  add_each(text, models, "log_writable", "gauge", "0 if the last group could not be written.",
           [](const Hosted& hosted) { return hosted.model.log().failure().empty() ? 1 : 0; });
  using Summary = Prequential::Summary;
  add_quality(text, models, "log_loss", "Prequential log-loss.", &Summary::log_loss);
  add_quality(text, models, "brier_score", "Prequential Brier score.", &Summary::brier);
  add_quality(text, models, "accuracy_ratio", "Prequential accuracy.", &Summary::accuracy);
  add_quality(text, models, "calibration_error_ratio", "Expected calibration error.",
              &Summary::calibration_error);
  text.begin("label_delay_seconds", "histogram", "Time from a prediction to its label.");
  for (const HostedPointer& hosted : models) {
    hosted->model.model().with_metrics([&, &of = hosted->model.name()](const Prequential& metrics) {
      text.add_histogram(of_model(of), Prequential::kDelayBounds, metrics.delays().counts,
                         metrics.delays().sum);
    });
  }
  add_requests(text, requests, connections);
  return text.take();
}

}  // namespace plumbline::serve

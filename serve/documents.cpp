#include "serve/documents.h"

#include <algorithm>

namespace plumbline::serve {
namespace {

Json counts_json(const Hosted& hosted) {
  const LogCounts log = hosted.model.log().counts();
  Json json;
  json["predictions"] = {{"answered", hosted.counts.predicted.load()},
                         {"remembered", log.remembered},
                         {"pending", log.pending()}};
  json["labels"] = {{"logged", log.labels}, {"learned", hosted.model.model().learned()}};
  hosted.model.model().with_metrics([&](const Prequential& metrics) {
    json["labels"]["predicted"] = metrics.predicted();
    json["labels"]["refused"] = metrics.refused();
  });
  return json;
}

void add_summaries(const Hosted& hosted, Json& json) {
  hosted.model.model().with_metrics([&](const Prequential& metrics) {
    json["all"] = Prequential::to_json(metrics.all());
    json["recent"] = Prequential::to_json(metrics.recent());
  });
}

Json start_of(const Hosted& hosted) {
  Json json{{"name", hosted.model.name()}};
  json["state"] = name_of(hosted.model.state());
  if (hosted.model.state() == ServedModel::State::failed) json["reason"] = hosted.model.reason();
  return json;
}

}  // namespace

Json model_document(const Hosted& hosted) {
  Json json = start_of(hosted);
  const LearningModel& model = hosted.model.model();
  const LearningModel::View view = model.view();
  json["classes"] = view.classes;
  json["features"] = view.features;
  if (!view.columns.empty()) {
    json["columns"] = Json::object();
    for (const auto& [name, kind] : view.columns) json["columns"][name] = kind;
  }
  json["batch"] = model.batch();
  json["costs"] = Json();
  if (const auto& costs = model.definition().costs) {
    json["costs"] = {{"false_positive", costs->false_positive},
                     {"false_negative", costs->false_negative}};
  }
  json["config"] = parse_json(to_json(model.definition().config));
  json["counts"] = counts_json(hosted);
  add_summaries(hosted, json);
  const LogCounts log = hosted.model.log().counts();
  json["log"] = {{"first_label", log.trimmed + 1},
                 {"expired_predictions", log.expired},
                 {"bytes", hosted.model.log_bytes()}};
  if (const auto snapshot = hosted.model.last_snapshot()) {
    json["snapshot"] = snapshot_document(*snapshot);
  }
  return json;
}

Json metrics_document(const Hosted& hosted) {
  Json json = start_of(hosted);
  json["time"] = in_seconds(now());
  json["classes"] = hosted.model.model().classes();
  json["counts"] = counts_json(hosted);
  add_summaries(hosted, json);
  // A copy, so that learning does not wait for the bands to be computed.
  const Prequential metrics =
      hosted.model.model().with_metrics([](const Prequential& all) { return all; });
  metrics.describe(json);
  return json;
}

Json snapshot_document(const Snapshot& snapshot) {
  return {
      {"number", snapshot.number}, {"bytes", snapshot.bytes}, {"time", in_seconds(snapshot.time)}};
}

Json known_document(const std::string& id, const KnownId& known,
                    const std::vector<std::string>& classes) {
  Json json{{"id", id}};
  if (!known.row.empty()) json["row"] = parse_json(known.row);  // or it was removed
  if (known.predicted) {
    json["predicted"] = in_seconds(*known.predicted);
    const std::vector<double>& p = known.probabilities;
    if (p.size() == 1) {
      json["probabilities"] = {{classes.at(0), 1 - p[0]}, {classes.at(1), p[0]}};
    } else {
      for (std::size_t k = 0; k < p.size(); ++k) json["probabilities"][classes.at(k)] = p[k];
    }
  }
  if (known.labelled) {
    json["label"] = known.label;
    json["labelled"] = in_seconds(*known.labelled);
    json["number"] = known.number;
  }
  return json;
}

std::uint64_t version_of(const Hosted& hosted) {
  const LogCounts log = hosted.model.log().counts();
  return hosted.counts.predicted + hosted.model.model().learned() + log.labels + log.remembered +
         static_cast<std::uint64_t>(hosted.model.state());
}

}  // namespace plumbline::serve

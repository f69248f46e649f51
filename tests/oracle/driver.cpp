// Answers one question about the library: a JSON request on stdin, a JSON answer on stdout.
//
// The tests beside it put the same question to scikit-learn, river, scipy and safetensors. Commands:
//   learner  learns batches with `learn_batch` or `learn_each`; answers votes, state and margins
//   platt    observes and perhaps calibrates, round by round; answers each round's state and output
//   metric   observes all predictions; answers the metric's value
//   model    trains a model on a generated stream and saves it; answers its state and predictions
//   classes  measures probabilities of several classes
//   couple   answers the classes' probabilities for what models of pairs say
// Arrays in answers are {"shape": [...], "values": [...]}, row after row. Doubles survive exactly.
#include <cstdint>
#include <cstring>
#include <exception>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "plumbline/archive.h"
#include "plumbline/calibrator.h"
#include "plumbline/generators/registry.h"
#include "plumbline/learner.h"
#include "plumbline/metrics.h"
#include "plumbline/metrics/multiclass.h"
#include "plumbline/model/coupling.h"
#include "plumbline/session.h"

namespace plumbline {
namespace {

using Json = nlohmann::json;

// The rows of a request, which own the numbers of the view.
struct Rows {
  std::vector<double> values;
  std::size_t rows = 0;
  std::size_t columns = 0;

  explicit Rows(const Json& json) : rows(json.size()) {
    for (const Json& row : json) {
      columns = row.size();
      for (const Json& value : row) values.push_back(value.get<double>());
    }
  }

  Batch view() const { return {values, rows, columns}; }
};

Spec spec_of(const Json& request, const char* key) {
  return Spec(std::string_view(request.at(key).get_ref<const std::string&>()));
}

template <class Value>
Json array(const std::vector<std::size_t>& shape, const std::vector<Value>& values) {
  return {{"shape", shape}, {"values", values}};
}

Json array(const std::vector<double>& values) { return array({values.size()}, values); }

template <class Value>
Json array_of(const Tensor& tensor) {
  std::vector<Value> values(tensor.bytes.size() / sizeof(Value));
  if (!values.empty()) std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  return array(tensor.shape, values);
}

template <class Component>
Json state_of(const Component& component) {
  Json state = Json::object();
  for (const Tensor& tensor : save_state(component)) {
    switch (tensor.type) {
      case TensorType::f64:
        state[tensor.name] = array_of<double>(tensor);
        break;
      case TensorType::u64:
        state[tensor.name] = array_of<std::uint64_t>(tensor);
        break;
    }
  }
  return state;
}

LearnMode mode_of(const Json& request) {
  LearnMode mode;
  if (request.value("weighting", "") == "repetitions") mode.weighting = Weighting::repetitions;
  if (request.value("correctness", "") == "before_update") {
    mode.correctness = Correctness::before_update;
  }
  return mode;
}

// {"spec", "mode": "batch" or "each", "weighting", "correctness", "batches": [{x, y, weights}],
// "probe": rows}
Json answer_learner(const Json& request) {
  const Rows probe(request.at("probe"));
  const auto learner = learners().make(spec_of(request, "spec"), probe.columns);
  Json votes = Json::array();
  for (const Json& batch : request.at("batches")) {
    const Rows x(batch.at("x"));
    const auto y = batch.at("y").get<std::vector<Label>>();
    const auto weights = batch.at("weights").get<std::vector<double>>();
    const Examples examples{x.view(), y};
    if (request.at("mode") == "batch") {
      learner->learn_batch(examples, weights, Weighting::importance);
    } else {
      std::vector<Label> said(y.size());
      learner->learn_each(examples, weights, mode_of(request), said);
      votes.push_back(said);
    }
  }
  std::vector<double> margins(probe.rows);
  learner->margins(probe.view(), margins);
  return {{"state", state_of(*learner)}, {"margins", array(margins)}, {"votes", votes}};
}

// {"spec", "rounds": [{scores, labels, "calibrate": bool}], "probe": scores}
Json answer_platt(const Json& request) {
  const auto calibrator = calibrators().make(spec_of(request, "spec"), 1);
  const auto probe = request.at("probe").get<std::vector<double>>();
  Json rounds = Json::array();
  for (const Json& round : request.at("rounds")) {
    const auto scores = round.at("scores").get<std::vector<double>>();
    const auto labels = round.at("labels").get<std::vector<Label>>();
    calibrator->observe(labels);
    if (round.at("calibrate")) calibrator->calibrate(scores, labels);
    std::vector<double> probabilities(probe.size());
    calibrator->apply(probe, probabilities);
    rounds.push_back({{"state", state_of(*calibrator)}, {"probabilities", array(probabilities)}});
  }
  return {{"rounds", rounds}};
}

// {"spec", "probabilities", "labels"}
Json answer_metric(const Json& request) {
  const auto metric = metrics().make(spec_of(request, "spec"));
  const auto labels = request.at("labels").get<std::vector<Label>>();
  metric->observe(request.at("probabilities").get<std::vector<double>>(), labels);
  const std::optional<double> value = metric->value();
  return {{"value", value ? Json(*value) : Json(nullptr)}};
}

// {"config": a model's configuration, "stream": a generator, "rounds", "rows", "path"}
// The predictions are those of the first rows that the model has not learned.
Json answer_model(const Json& request) {
  const auto stream = generators().make(spec_of(request, "stream"), /*seed=*/1);
  Model model(overlay({}, request.at("config").dump()), stream->schema());
  const auto rows = request.at("rows").get<std::size_t>();
  Session session(*stream, model);
  for (int round = request.at("rounds"); round > 0; --round) session.step(rows);
  model.save(request.at("path"));

  Minibatch batch(stream->schema().size());
  stream->read(batch, rows);
  const Batch x = batch.features();
  Predictions predictions;
  model.predict(x, predictions);
  return {{"state", state_of(model)},
          {"x", array({x.rows, x.columns}, std::vector(x.values.begin(), x.values.end()))},
          {"scores", array(predictions.scores)},
          {"probabilities", array(predictions.probabilities)}};
}

// {"probabilities": rows, "labels"}
Json answer_classes(const Json& request) {
  const Rows probabilities(request.at("probabilities"));
  MulticlassMetrics metrics;
  metrics.grow(probabilities.columns);
  metrics.observe(probabilities.values, request.at("labels").get<std::vector<Label>>());
  std::vector<std::uint64_t> confusion;
  for (std::size_t truth = 0; truth < metrics.classes(); ++truth) {
    for (std::size_t k = 0; k < metrics.classes(); ++k) {
      confusion.push_back(metrics.confusion(truth, k));
    }
  }
  return {{"log_loss", metrics.log_loss()},
          {"brier", metrics.brier()},
          {"accuracy", metrics.accuracy()},
          {"confusion", array({metrics.classes(), metrics.classes()}, confusion)}};
}

// {"second": for each pair (0,1), (0,2), (1,2), … the probability of the second, "classes"}
Json answer_couple(const Json& request) {
  std::vector<double> probabilities(request.at("classes").get<std::size_t>());
  PairCoupling couple;
  couple(request.at("second").get<std::vector<double>>(), probabilities);
  return {{"probabilities", array(probabilities)}};
}

Json answer(const Json& request) {
  const auto command = request.at("command").get<std::string>();
  if (command == "learner") return answer_learner(request);
  if (command == "platt") return answer_platt(request);
  if (command == "metric") return answer_metric(request);
  if (command == "model") return answer_model(request);
  if (command == "classes") return answer_classes(request);
  if (command == "couple") return answer_couple(request);
  throw std::invalid_argument("unknown command '" + command + "'");
}

}  // namespace
}  // namespace plumbline

int main() {
  try {
    std::cout << plumbline::answer(nlohmann::json::parse(std::cin)) << '\n';
  } catch (const std::exception& error) {
    std::cerr << "oracle_driver: " << error.what() << '\n';
    return 1;
  }
  return 0;
}

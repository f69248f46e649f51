#include "serve/inference_protocol.h"

#include <fmt/format.h>

#include "plumbline/version.h"
#include "serve/item_batch.h"

namespace plumbline::serve {
namespace {

using Probabilities = std::vector<std::vector<double>>;

struct TensorRequest {
  std::optional<std::string> id{};
  std::vector<JsonRow> rows{};
};

// A mistake in a request, as a sentence.
struct Mistake {
  std::string sentence;
};

std::size_t rows_of(const Json& input, const std::string& name) {
  const Json& shape = input.at("shape");
  const bool column =
      shape.is_array() && (shape.size() == 1 || (shape.size() == 2 && shape[1] == 1));
  if (!column || !shape[0].is_number_unsigned()) {
    throw Mistake{fmt::format("the shape of '{}' must be [rows] or [rows, 1]", name)};
  }
  const auto rows = shape[0].get<std::uint64_t>();
  if (!input.at("data").is_array() || input.at("data").size() != rows) {
    throw Mistake{fmt::format("the data of '{}' must be a list of {} values", name, rows)};
  }
  return static_cast<std::size_t>(rows);
}

void add_value(const Json& value, const std::string& name, JsonRow& row) {
  if (value.is_null()) {
    row.add(name, JsonRow::Kind::null, 0, {});
  } else if (value.is_boolean()) {
    row.add(name, JsonRow::Kind::truth, value.get<bool>() ? 1 : 0, {});
  } else if (value.is_number()) {
    row.add(name, JsonRow::Kind::number, value.get<double>(), print_json(value));
  } else if (value.is_string()) {
    row.add(name, JsonRow::Kind::text, 0, value.get<std::string>());
  } else {
    throw Mistake{fmt::format("the data of '{}' must be numbers, strings, booleans or null", name)};
  }
}

TensorRequest read_tensors(const std::string& body, std::size_t max_rows) {
  // Three levels hold all that is meant; deeper ones are dropped instead of parsed.
  constexpr int kDeepest = 5;
  bool too_deep = false;
  const Json json = parse_json(body, [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kDeepest;
    return depth <= kDeepest;
  });
  if (json.is_discarded() || too_deep || !json.is_object()) throw Mistake{"malformed JSON"};
  TensorRequest request;
  try {
    if (json.contains("id")) request.id = json.at("id").get<std::string>();
    const Json& inputs = json.at("inputs");
    if (!inputs.is_array() || inputs.empty()) throw Mistake{"'inputs' must be a list of tensors"};
    for (const Json& input : inputs) {
      const auto name = input.at("name").get<std::string>();
      const std::size_t rows = rows_of(input, name);
      if (&input == &inputs.front()) request.rows.resize(std::min(rows, max_rows + 1));
      if (rows > max_rows) throw Mistake{fmt::format("there are more than {} rows", max_rows)};
      if (rows != request.rows.size()) throw Mistake{"the inputs have different numbers of rows"};
      for (std::size_t i = 0; i < rows; ++i) add_value(input.at("data")[i], name, request.rows[i]);
    }
  } catch (const Json::exception&) {
    throw Mistake{
        "expected {\"id\"?, \"inputs\": [{\"name\", \"shape\", \"datatype\", \"data\"}]}"};
  }
  if (request.id && (request.id->empty() || request.id->size() > kLongestId)) {
    throw Mistake{fmt::format("an id has 1 to {} bytes", kLongestId)};
  }
  for (const JsonRow& row : request.rows) {
    if (row.repeats_a_name()) throw Mistake{"two inputs have the same name"};
  }
  return request;
}

HttpResponse answer(const Hosted& hosted, const TensorRequest& request,
                    const Probabilities& probabilities) {
  const bool several = hosted.model.model().several_classes();
  Json output{{"name", several ? "probabilities" : "probability"}, {"datatype", "FP64"}};
  output["shape"] = {probabilities.size()};
  if (several) output["shape"].push_back(probabilities.empty() ? 0 : probabilities[0].size());
  output["data"] = Json::array();
  for (const auto& row : probabilities) {
    for (const double p : row) output["data"].push_back(p);
  }
  Json json{{"model_name", hosted.model.name()}, {"outputs", Json::array({output})}};
  if (request.id) json["id"] = *request.id;
  return {.body = print_json(json) + "\n"};
}

}  // namespace

Json server_metadata() {
  return {{"name", "plumbline"}, {"version", kVersion}, {"extensions", Json::array()}};
}

Json protocol_metadata(const Hosted& hosted) {
  const LearningModel& model = hosted.model.model();
  const LearningModel::View view = model.view();
  Json json{{"name", hosted.model.name()}, {"platform", "plumbline"}, {"inputs", Json::array()}};
  for (const auto& [name, kind] : view.columns) {
    if (kind == "ignored") continue;
    json["inputs"].push_back(
        {{"name", name}, {"datatype", kind == "numeric" ? "FP64" : "BYTES"}, {"shape", {-1}}});
  }
  const bool several = model.several_classes();
  Json shape{-1};
  if (several) shape.push_back(view.classes.size());
  json["outputs"] = Json::array({{{"name", several ? "probabilities" : "probability"},
                                  {"datatype", "FP64"},
                                  {"shape", shape}}});
  return json;
}

void infer(const HostedPointer& hosted, const HttpRequest& request, const ItemLimits& limits,
           const HttpReply& reply) {
  const auto refuse = [&](int status, std::string detail) {
    reply.send(response_of(Problem{status, std::move(detail)}));
  };
  ServedModel& model = hosted->model;
  if (!model.ready()) {
    return refuse(503, fmt::format("the model is {}; try again later", name_of(model.state())));
  }
  TensorRequest tensors;
  try {
    tensors = read_tensors(request.body, limits.max_items);
  } catch (const Mistake& mistake) {
    return refuse(400, mistake.sentence);
  }
  constexpr std::size_t kTogether = 256;
  Probabilities probabilities;
  std::uint64_t learned = 0;
  std::vector<Forecast> forecasts;
  for (std::size_t first = 0; first < tensors.rows.size(); first += kTogether) {
    std::vector<const JsonRow*> rows;
    for (std::size_t i = first; i < std::min(first + kTogether, tensors.rows.size()); ++i) {
      rows.push_back(&tensors.rows[i]);
    }
    learned = model.model().predict(rows, rows_ahead(model), forecasts);
    for (Forecast& forecast : forecasts) {
      if (!forecast.mistake.empty()) return refuse(422, std::move(forecast.mistake));
      probabilities.push_back(std::move(forecast.probabilities));
    }
  }
  hosted->counts.predicted += tensors.rows.size();
  if (!tensors.id || tensors.rows.size() != 1) {
    return reply.send(answer(*hosted, tensors, probabilities));
  }
  NewPrediction prediction{*tensors.id, tensors.rows[0].to_json(), probabilities[0], learned};
  model.log().remember({std::move(prediction)}, [hosted, tensors, probabilities,
                                                 reply](const std::vector<Remembered>& results) {
    using enum Remembered::Status;
    const Remembered& result = results.front();
    if (result.status == failed) {
      return reply.send(
          response_of(Problem{503, fmt::format("the log cannot be written: {}", result.reason)}));
    }
    if (result.status == other_row) {
      return reply.send(response_of(Problem{409, "the id has been predicted with another row"}));
    }
    const bool repeats = result.status == repeated;
    reply.send(
        answer(*hosted, tensors, repeats ? Probabilities{result.probabilities} : probabilities));
  });
}

}  // namespace plumbline::serve

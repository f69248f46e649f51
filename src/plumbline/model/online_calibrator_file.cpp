// The options and the file of an OnlineCalibrator.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "plumbline/base/file.h"
#include "plumbline/error.h"
#include "plumbline/json/json.h"
#include "plumbline/model/model_file.h"
#include "plumbline/model/online_calibrator_impl.h"
#include "plumbline/model/spec_json.h"
#include "plumbline/online_calibrator.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::size_t kMaxPendingLimit = 100'000'000;
constexpr std::size_t kMaxLateRows = 1'000'000;

[[noreturn]] void refuse_number(const char* what, std::size_t value, std::size_t low,
                                std::size_t high) {
  throw Error(ErrorKind::config, fmt::format("the number of {} is {}, but has to be from {} to {}",
                                             what, value, low, high));
}

// Names p1, p2, … for two classes, and p1=CLASS for several.
std::vector<std::string> default_columns(const OnlineCalibratorOptions& options) {
  std::vector<std::string> names;
  for (std::size_t m = 1; m <= options.scores; ++m) {
    if (options.classes == 2) {
      names.push_back(fmt::format("p{}", m));
      continue;
    }
    for (const std::string& name : options.class_names) {
      names.push_back(fmt::format("p{}={}", m, name));
    }
  }
  return names;
}

Schema schema_of(const OnlineCalibratorOptions& options) {
  Schema schema{.features = options.columns, .label = options.label};
  if (options.classes > 2) {
    schema.classes = options.class_names;
  } else {
    schema.negative = options.class_names[0];
    schema.positive = options.class_names[1];
  }
  return schema;
}

std::string options_to_json(const OnlineCalibratorOptions& options) {
  Json json;
  json[kCalibratorKey] = Json::array();
  for (const ScoreInput input : options.inputs) json[kCalibratorKey].push_back(name_of(input));
  json["calibrator"] = spec_to_json(options.calibrator);
  json["max_pending"] = options.max_pending;
  if (options.label_delay > 0) json["label_delay"] = options.label_delay;
  return print_json(json);
}

OnlineCalibratorOptions options_from(const ModelFile& file, const std::string& source) {
  Schema schema = schema_from_json(file.schema, source);
  OnlineCalibratorOptions options{
      .columns = std::move(schema.features),
      .label = std::move(schema.label),
      .class_names = schema.classes.empty()
                         ? std::vector<std::string>{schema.negative, schema.positive}
                         : std::move(schema.classes)};
  options.classes = options.class_names.size();
  try {
    const Json json = parse_json(file.config);
    options.inputs.clear();
    for (const auto& name : json.at(kCalibratorKey).get<std::vector<std::string>>()) {
      options.inputs.push_back(score_input_named(name));
    }
    options.scores = options.inputs.size();
    options.calibrator = spec_from_json("calibrator", json.at("calibrator"), options.calibrator);
    options.max_pending = json.at("max_pending").get<std::size_t>();
    if (json.contains("label_delay")) {
      options.label_delay = json.at("label_delay").get<std::size_t>();
    }
  } catch (const Json::exception&) {
    refuse_config("a key of the calibrator is missing or has the wrong type");
  }
  return options;
}

}  // namespace

OnlineCalibratorOptions complete(const OnlineCalibratorOptions& given,
                                 const Components& components) {
  OnlineCalibratorOptions options = given;
  const auto check = [](const char* what, std::size_t value, std::size_t low, std::size_t high) {
    if (value < low || value > high) refuse_number(what, value, low, high);
  };
  check("scores", options.scores, 1, OnlineCalibrator::kMaxScores);
  check("classes", options.classes, 2, kMostClasses);
  check("pending rows", options.max_pending, 1, kMaxPendingLimit);
  check("rows of the label delay", options.label_delay, 0, kMaxLateRows);
  options.calibrator = components.calibrators.complete(options.calibrator);
  if (options.inputs.size() == 1) options.inputs.resize(options.scores, options.inputs[0]);
  for (std::size_t k = options.class_names.empty() ? 0 : options.classes; k < options.classes;
       ++k) {
    options.class_names.push_back(std::to_string(k));
  }
  if (options.columns.empty()) options.columns = default_columns(options);
  const std::size_t width = options.scores * (options.classes == 2 ? 1 : options.classes);
  check("inputs", options.inputs.size(), options.scores, options.scores);
  check("names of classes", options.class_names.size(), options.classes, options.classes);
  check("names of columns", options.columns.size(), width, width);
  check_schema(schema_of(options));
  return options;
}

std::vector<std::byte> OnlineCalibrator::to_bytes() const {
  return encode(
      {options_to_json(options()), schema_to_json(schema_of(options())), "", save_state(*this)});
}

OnlineCalibrator OnlineCalibrator::from_bytes(std::span<const std::byte> bytes,
                                              const std::string& source,
                                              const Components& components) {
  const ModelFile file = decode(bytes, source);
  if (!is_calibrator(file)) {
    throw Error(
        ErrorKind::model_file,
        "it is a model of rows, not a calibrator of scores; 'plumbline run' and Model load it",
        {.source = source});
  }
  return with_source(source, [&] {
    OnlineCalibrator calibrator(options_from(file, source), components);
    load_state(calibrator, file.tensors);
    return calibrator;
  });
}

void OnlineCalibrator::save(const std::string& path) const { write_file(path, to_bytes()); }

OnlineCalibrator OnlineCalibrator::load(const std::string& path, const Components& components) {
  return from_bytes(read_file(path), path, components);
}

}  // namespace plumbline::inline v0

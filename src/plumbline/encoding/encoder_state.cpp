// How an encoder is saved: what it knows as JSON, what it has counted as tensors.

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "plumbline/base/error.h"
#include "plumbline/encoding/encoder.h"

namespace plumbline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 4> kRoles{"numeric", "categorical", "ignored", "label"};

}  // namespace

std::string Encoder::to_json() const {
  // A dictionary in the order of its features: the same encoder gives the same bytes.
  const auto dictionary = [](const Dictionary& values) {
    std::vector<std::pair<std::size_t, std::string>> sorted;
    for (const auto& [value, feature] : values) sorted.emplace_back(feature, value);
    std::sort(sorted.begin(), sorted.end());
    Json json = Json::array();
    for (const auto& [feature, value] : sorted) json.push_back({value, feature});
    return json;
  };
  Json json;
  json["rest"] = rest_;
  if (negative_is_guessed_) json["negative_is_guessed"] = true;
  json["open"] = open_;
  json["has_names"] = has_names_;
  json["missing"] = missing_;
  if (open_) json["names"] = dictionary(names_);
  json["columns"] = Json::array();
  for (const Field& field : fields_) {
    Json column{{"name", field.name}, {"role", kRoles[static_cast<std::size_t>(field.role)]}};
    if (field.role == Role::numeric) column["feature"] = field.feature;
    if (field.role == Role::categorical) column["values"] = dictionary(field.values);
    if (field.other) column["other"] = *field.other;
    if (field.words) column["words"] = true;
    json["columns"].push_back(std::move(column));
  }
  return json.dump();
}

Encoder Encoder::from_json(const std::string& text, const Params& params, Schema schema) {
  const auto malformed = [](const std::string& what) {
    throw Error(ErrorKind::model_file, "its encoder is malformed: " + what);
  };
  Encoder encoder;
  encoder.params_ = params;
  const std::size_t size = schema.size();
  encoder.is_number_.resize(size);
  std::vector<char> used(size);
  const auto take = [&](const Json& json, bool is_number) {
    const auto feature = json.get<std::size_t>();
    if (feature >= size || used[feature] != 0) malformed("a feature is out of place");
    used[feature] = 1;
    encoder.is_number_[feature] = is_number ? 1 : 0;
    return feature;
  };
  const auto fill = [&](const Json& json, bool is_number, Dictionary& values) {
    for (const Json& item : json) {
      values.emplace(item.at(0).get<std::string>(), take(item.at(1), is_number));
    }
  };
  try {
    const Json json = Json::parse(text);
    encoder.rest_ = json.at("rest").get<bool>();
    encoder.negative_is_guessed_ = json.value("negative_is_guessed", false);
    encoder.open_ = json.at("open").get<bool>();
    encoder.has_names_ = json.at("has_names").get<bool>();
    for (const Json& word : json.at("missing")) encoder.missing_.insert(word.get<std::string>());
    if (encoder.open_) fill(json.at("names"), true, encoder.names_);
    for (const Json& column : json.at("columns")) {
      Field field{.name = column.at("name").get<std::string>()};
      const auto role =
          std::find(kRoles.begin(), kRoles.end(), column.at("role").get<std::string>());
      if (role == kRoles.end()) malformed("a column has an unknown role");
      field.role = static_cast<Role>(role - kRoles.begin());
      if (field.role == Role::numeric) field.feature = take(column.at("feature"), true);
      if (field.role == Role::categorical) fill(column.at("values"), false, field.values);
      if (column.contains("other")) field.other = take(column.at("other"), false);
      field.words = column.value("words", false);
      encoder.fields_.push_back(std::move(field));
    }
  } catch (const Json::exception&) {
    malformed("it is not what this program writes");
  }
  const auto is_label = [](const Field& field) { return field.role == Role::label; };
  const auto labels = std::count_if(encoder.fields_.begin(), encoder.fields_.end(), is_label);
  if (labels != (encoder.open_ ? 0 : 1)) malformed("it must have one label");
  if (std::count(used.begin(), used.end(), 0) > 0) malformed("a feature belongs to no column");
  encoder.taken_.insert(schema.features.begin(), schema.features.end());
  encoder.set_schema(std::move(schema));
  encoder.count_.resize(size);
  encoder.mean_.resize(size);
  encoder.m2_.resize(size);
  return encoder;
}

void Encoder::archive(Archive& archive) {
  archive.value("rows", rows_);
  archive.value("crowded", crowded_);
  archive.values("count", count_);
  archive.values("mean", mean_);
  archive.values("m2", m2_);
  archive.require_within("count", count_, 0, kMaxState);
  archive.require_within("mean", mean_, -kMaxMagnitude, kMaxMagnitude);
  archive.require_within("m2", m2_, 0, kMaxState);
}

}  // namespace plumbline

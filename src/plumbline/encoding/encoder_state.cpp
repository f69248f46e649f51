// Saves and loads an encoder: its mapping as JSON, its counts as tensors.

#include <algorithm>
#include <array>

#include "plumbline/encoding/encoder.h"
#include "plumbline/error.h"
#include "plumbline/io/time.h"
#include "plumbline/json/json.h"

namespace plumbline::inline v0 {
namespace {

// In the order of the enumerations.
constexpr std::array kRoles{"numeric", "categorical", "ignored", "label", "time", "score"};
constexpr std::array kTimeUnits{"text", "seconds", "milliseconds"};
constexpr std::array kTimeParts{"hour", "weekday", "gap", "seconds"};

Json texts_to_json(const FeatureDictionary::Texts& texts) {
  Json json = Json::array();
  for (const auto& [text, feature] : texts) json.push_back({text, feature});
  return json;
}

[[noreturn]] void malformed(const std::string& what) {
  throw Error(ErrorKind::model_file, "its encoder is malformed: " + what);
}

// The features of a schema that is being loaded, each of which must belong to one column or name.
class Claims {
 public:
  explicit Claims(std::size_t size) : is_number_(size), used_(size) {}

  std::size_t take(const Json& json, bool is_number) {
    const auto feature = json.get<std::size_t>();
    if (feature >= used_.size() || used_[feature] != 0) malformed("a feature is out of place");
    used_[feature] = 1;
    is_number_[feature] = is_number ? 1 : 0;
    return feature;
  }
  // Consecutive numbers; returns the first.
  std::size_t take_numbers(const Json& json, std::size_t count) {
    const auto first = json.get<std::size_t>();
    for (std::size_t i = 0; i < count; ++i) take(Json(first + i), true);
    return first;
  }
  void finish() const {
    if (std::ranges::count(used_, 0) > 0) malformed("a feature belongs to no column");
  }
  bool is_number(std::size_t feature) const { return is_number_[feature] != 0; }

 private:
  std::vector<char> is_number_, used_;
};

// The value of an enumeration that has this name.
template <class Value, std::size_t N>
Value named(const std::array<const char*, N>& names, const Json& json) {
  const auto name = std::ranges::find(names, json.get<std::string>());
  if (name == names.end()) malformed("a column is of an unknown kind");
  return static_cast<Value>(name - names.begin());
}

Json time_to_json(const TimeColumn& time) {
  Json parts = Json::array();
  for (const TimePart part : time.parts) {
    parts.push_back(kTimeParts[static_cast<std::size_t>(part)]);
  }
  return {{"unit", kTimeUnits[static_cast<std::size_t>(time.unit)]}, {"parts", std::move(parts)}};
}

TimeColumn time_from_json(const Json& json) {
  TimeColumn time{.unit = named<TimeUnit>(kTimeUnits, json.at("unit"))};
  for (const Json& part : json.at("parts")) {
    time.parts.push_back(named<TimePart>(kTimeParts, part));
  }
  if (time.parts.empty()) malformed("a time has no features");
  return time;
}

ColumnPlan plan_from_json(const Json& json, const Schema& schema, Claims& claims) {
  ColumnPlan plan{.named = json.at("open").get<bool>(),
                  .has_names = json.at("has_names").get<bool>(),
                  .marks_missing = json.value("marks_missing", false)};
  for (const Json& word : json.at("missing")) plan.missing.insert(word.get<std::string>());
  for (const Json& column : json.at("columns")) {
    PlannedColumn planned{.name = column.at("name").get<std::string>(),
                          .role = named<ColumnRole>(kRoles, column.at("role")),
                          .text_only = column.value("words", false)};
    if (planned.role == ColumnRole::numeric)
      planned.feature = claims.take(column.at("feature"), true);
    if (planned.role == ColumnRole::time) {
      planned.time = time_from_json(column.at("time"));
      planned.feature = claims.take_numbers(column.at("feature"), planned.time.features());
    }
    if (planned.role == ColumnRole::score) {
      const auto score = std::ranges::find(schema.scores, planned.name, &Schema::Score::name);
      if (score == schema.scores.end()) malformed("a score is not one of the schema");
      planned.feature = static_cast<std::size_t>(score - schema.scores.begin());
    }
    plan.columns.push_back(std::move(planned));
  }
  const auto scores = std::ranges::count(plan.columns, ColumnRole::score, &PlannedColumn::role);
  if (static_cast<std::size_t>(scores) != schema.scores.size()) {
    malformed("a score has no column, or several");
  }
  const auto labels = std::ranges::count(plan.columns, ColumnRole::label, &PlannedColumn::role);
  if (labels != (plan.named ? 0 : 1)) malformed("it must have one label");
  return plan;
}

void dictionary_from_json(const Json& json, const ColumnPlan& plan, Claims& claims,
                          FeatureDictionary& dictionary) {
  if (plan.named) {
    for (const Json& item : json.at("names")) {
      dictionary.restore_name(item.at(0).get<std::string>(), claims.take(item.at(1), true));
    }
  }
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    const Json& column = json.at("columns").at(c);
    const ColumnRole role = plan.columns[c].role;
    if (role == ColumnRole::categorical ||
        (role == ColumnRole::numeric && column.contains("values"))) {
      for (const Json& item : column.at("values")) {
        dictionary.restore_value(c, item.at(0).get<std::string>(), claims.take(item.at(1), false));
      }
    }
    if (column.contains("other"))
      dictionary.restore_other(c, claims.take(column.at("other"), false));
  }
}

}  // namespace

std::string Encoder::to_json() const {
  Json json;
  json["rest"] = labels_.one_vs_rest();
  if (labels_.negative_is_guessed()) json["negative_is_guessed"] = true;
  json["open"] = plan_.named;
  json["has_names"] = plan_.has_names;
  json["missing"] = plan_.missing;
  if (plan_.marks_missing) json["marks_missing"] = true;
  if (plan_.named) json["names"] = texts_to_json(dictionary_.names());
  json["columns"] = Json::array();
  for (std::size_t c = 0; c < plan_.columns.size(); ++c) {
    const PlannedColumn& planned = plan_.columns[c];
    Json column{{"name", planned.name}, {"role", kRoles[static_cast<std::size_t>(planned.role)]}};
    if (planned.role == ColumnRole::numeric || planned.role == ColumnRole::time) {
      column["feature"] = planned.feature;
    }
    if (planned.role == ColumnRole::time) column["time"] = time_to_json(planned.time);
    if (planned.role == ColumnRole::categorical || dictionary_.values_of(c) > 0) {
      column["values"] = texts_to_json(dictionary_.values(c));
    }
    if (const auto other = dictionary_.other(c)) column["other"] = *other;
    if (planned.text_only) column["words"] = true;
    json["columns"].push_back(std::move(column));
  }
  return print_json(json);
}

Encoder Encoder::from_json(const std::string& text, const Params& params, Schema schema) {
  try {
    const Json json = parse_json(text);
    Claims claims(schema.size());
    ColumnPlan plan = plan_from_json(json, schema, claims);
    LabelSet labels(schema, json.at("rest").get<bool>(), json.value("negative_is_guessed", false));
    Encoder encoder(params, std::move(schema), std::move(plan), std::move(labels));
    dictionary_from_json(json, encoder.plan_, claims, encoder.dictionary_);
    claims.finish();
    if (!encoder.plan_.named) {
      for (const std::string& name : encoder.schema_.features) encoder.dictionary_.take_name(name);
    }
    if (encoder.uses_moments()) {
      encoder.moments_.grow(encoder.schema_.size(), true);
      for (std::size_t j = 0; j < encoder.schema_.size(); ++j) {
        encoder.moments_.set_is_number(j, claims.is_number(j));
      }
    }
    return encoder;
  } catch (const Json::exception&) {
    malformed("it is not what this program writes");
  }
}

void Encoder::archive(Archive& archive) {
  std::uint64_t overflowed = dictionary_.overflowed();
  archive.value("crowded", overflowed);
  if (archive.loading()) dictionary_.set_overflowed(overflowed);
  if (uses_moments()) moments_.archive(archive);
  if (!times_.empty()) archive_times(archive);
}

void Encoder::archive_times(Archive& archive) {
  std::vector<double> previous, longest;
  for (const TimeHistory& time : times_) {
    previous.push_back(time.previous);
    longest.push_back(time.longest_gap);
  }
  archive.values("previous_times", previous);
  archive.values("longest_gaps", longest);
  archive.require_within("previous_times", previous, TimeHistory::kNone, kLatestTime);
  archive.require_within("longest_gaps", longest, 0, kLatestTime - kEarliestTime);
  if (!archive.loading()) return;  // saving must not write: others may be reading
  for (std::size_t k = 0; k < times_.size(); ++k) times_[k] = {previous[k], longest[k]};
}

}  // namespace plumbline::inline v0

#include "plumbline/encoding/encoder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "plumbline/base/all_of.h"
#include "plumbline/base/error.h"
#include "plumbline/io/number.h"
#include "plumbline/io/text.h"

namespace plumbline {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void refuse(const Stream& reader, std::size_t column, const std::string& reason) {
  throw Error(ErrorKind::data, reason,
              {.source = reader.name(), .line = reader.line(), .column = column});
}

// Texts that stand for a number too large to be one.
bool is_infinite(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return equal_ignoring_case(text, "inf") || equal_ignoring_case(text, "infinity") ||
         is_decimal(text);
}

}  // namespace

std::string canonical_label(std::string_view text) {
  text = trimmed(text);
  const std::optional<double> number = parse_number(text);
  if (number) return fmt::format("{}", *number + 0.0);
  for (const char* word : {"true", "false"}) {
    if (equal_ignoring_case(text, word)) return word;
  }
  return std::string(text);
}

std::string_view category_of(std::string_view text) {
  text = trimmed(text);
  return text == "?" ? std::string_view{} : text;
}

void Encoder::Params::visit(OptionVisitor& visitor) {
  visitor.choice(
      "standardise", standardise,
      {{"auto", Standardise::automatic}, {"true", Standardise::yes}, {"false", Standardise::no}},
      "subtract each number's running mean and divide by its running deviation; auto does so for "
      "learners that are not indifferent to scale, where the file has columns");
  visitor.integer("max_categories", max_categories, Range::closed(1, 1e6),
                  "values of one column that get a feature of their own; the others share one");
  visitor.integer("max_features", max_features, Range::closed(1, 1e7),
                  "features in all; further names share features by their hash");
}

Encoder Encoder::numeric(const Params& params, Schema schema) {
  Encoder encoder;
  encoder.params_ = params;
  for (const std::string& name : schema.features) {
    encoder.fields_.push_back({.name = name, .feature = encoder.new_feature(name, true)});
  }
  encoder.fields_.push_back({.name = schema.label, .role = Role::label});
  encoder.set_schema(std::move(schema));
  return encoder;
}

void Encoder::set_schema(Schema schema) {
  schema_ = std::move(schema);
  for (std::size_t k = 0; k < schema_.classes.size(); ++k) classes_.emplace(schema_.classes[k], k);
}

void Encoder::learn_label(Label label, std::string_view text) {
  if (negative_is_guessed_ && label == 0) {
    schema_.negative = canonical_label(text);
    negative_is_guessed_ = false;
  }
  if (schema_.classes.empty() || label < schema_.classes.size()) return;
  schema_.classes.push_back(canonical_label(text));
  classes_.emplace(schema_.classes.back(), label);
}

std::size_t Encoder::new_feature(std::string name, bool is_number) {
  // A column may be named "a=b" beside a column "a" with the value "b".
  while (!taken_.insert(name).second) name += "'";
  schema_.features.push_back(std::move(name));
  is_number_.push_back(is_number ? 1 : 0);
  // A name that was not there so far was 0 in every row.
  count_.push_back(open_ ? static_cast<double>(rows_) : 0.0);
  mean_.push_back(0);
  m2_.push_back(0);
  return schema_.size() - 1;
}

std::size_t Encoder::feature_of_value(Field& field, std::string_view value) {
  const auto found = field.values.find(value);
  if (found != field.values.end()) return found->second;
  const bool full = field.values.size() >= static_cast<std::size_t>(params_.max_categories) ||
                    schema_.size() >= static_cast<std::size_t>(params_.max_features);
  if (!full) {
    const std::size_t feature = new_feature(fmt::format("{}={}", field.name, value), false);
    field.values.emplace(value, feature);
    return feature;
  }
  ++crowded_;
  if (!field.other) field.other = new_feature(field.name + "=*", false);
  return *field.other;
}

std::optional<std::size_t> Encoder::known_feature(std::string_view name) const {
  const auto found = names_.find(name);
  if (found != names_.end()) return found->second;
  const auto room = static_cast<std::size_t>(params_.max_features);
  if (schema_.size() < room) return std::nullopt;
  return XXH64(name.data(), name.size(), 0) % room;
}

std::size_t Encoder::feature_of_name(std::string_view name) {
  const auto found = names_.find(name);
  if (found != names_.end()) return found->second;
  if (const auto shared = known_feature(name)) {
    ++crowded_;
    return *shared;
  }
  const std::size_t feature = new_feature(std::string(name), true);
  names_.emplace(name, feature);
  return feature;
}

std::string Encoder::complaint_about_class(const std::string& name, std::size_t others) const {
  const auto is_number = [](const std::string& text) { return parse_number(text).has_value(); };
  const auto& classes = schema_.classes;
  if (is_missing(name)) return fmt::format("the label '{}' is missing", schema_.label);
  if (!is_utf8(name)) return "the label is not valid UTF-8; convert the file";
  if (is_number(name) ? std::none_of(classes.begin(), classes.end(), is_number)
                      : std::all_of(classes.begin(), classes.end(), is_number)) {
    return fmt::format(
        "the label {} is {}a number, but the classes have {}been numbers so far; correct it",
        in_quotes(name), is_number(name) ? "" : "not ", is_number(name) ? "not " : "");
  }
  if (classes.size() + others >= kMostClasses) {
    return fmt::format(
        "the label {} would be class {}, but {} are the most; --positive VALUE makes one value "
        "stand against all others",
        in_quotes(name), classes.size() + others + 1, kMostClasses);
  }
  return "";
}

void Encoder::check_new_classes(std::span<const std::string> labels) const {
  std::set<std::string> names;
  for (const std::string& label : labels) {
    const std::string name = canonical_label(label);
    std::string complaint = complaint_about_class(name, names.size());
    if (schema_.classes.empty()) {
      complaint =
          fmt::format("the label {} is neither '{}' nor '{}', and the model was made for two",
                      in_quotes(name), schema_.negative, schema_.positive);
    } else if (classes_.contains(name) || !names.insert(name).second) {
      complaint =
          fmt::format("the label {} reads the same as a class that there is", in_quotes(label));
    }
    if (!complaint.empty()) throw Error(ErrorKind::data, complaint);
  }
}

void Encoder::add_classes(std::span<const std::string> labels) {
  check_new_classes(labels);
  for (const std::string& label : labels) learn_label(static_cast<Label>(classes_.size()), label);
}

Label Encoder::class_of(const Stream& reader, std::string_view text, std::size_t column) const {
  auto found = classes_.find(text);
  if (found != classes_.end()) return static_cast<Label>(found->second);
  const std::string name = canonical_label(text);
  found = classes_.find(name);
  if (found != classes_.end()) return static_cast<Label>(found->second);
  const std::string complaint = complaint_about_class(name);
  if (!complaint.empty()) refuse(reader, column, complaint);
  return static_cast<Label>(classes_.size());
}

Label Encoder::label_of(const Stream& reader, std::string_view text, std::size_t column) const {
  if (!schema_.classes.empty()) return class_of(reader, text, column);
  if (text == schema_.positive) return 1;
  if (text == schema_.negative && !rest_) return 0;
  const std::string label = canonical_label(text);
  if (label == schema_.positive) return 1;
  if (label == schema_.negative && !rest_) return 0;
  if (is_missing(label)) {
    refuse(reader, column, fmt::format("the label '{}' is missing", schema_.label));
  }
  if (rest_ || (negative_is_guessed_ && label == "-1")) return 0;
  refuse(
      reader, column,
      fmt::format("the label {} is neither '{}' nor '{}'; with --multiclass ovr it is a class of "
                  "its own, with --positive VALUE one value stands against all others",
                  in_quotes(label), schema_.negative, schema_.positive));
}

inline double Encoder::number_in(const Stream& reader, std::size_t i, std::size_t column,
                                 std::string_view name) const {
  double number = 0;
  if (reader.row().number(i, number) && std::abs(number) <= kMaxMagnitude) return number;
  return other_number_in(reader, i, column, name);
}

double Encoder::other_number_in(const Stream& reader, std::size_t i, std::size_t column,
                                std::string_view name) const {
  const std::string_view text = reader.row().fields[i];
  double number = 0;
  const bool is_number = reader.row().number(i, number) ||
                         parse_number_with_commas(text, reader.decimal_comma(), number);
  if (is_number && std::abs(number) <= kMaxMagnitude) return number;
  if (is_missing(text) || missing_.contains(trimmed(text))) return kMissing;
  std::string hint = "is not a number";
  if (is_number || is_infinite(text)) {
    hint = "is infinite or beyond 1e150 in magnitude; correct it, or rescale the column";
  } else if (!open_) {
    hint += fmt::format(
        ", as '{0}' has been so far; correct it, or begin with --missing {1} if it means that the "
        "value is missing, or with --categorical {0}",
        name, in_quotes(trimmed(text)));
  }
  refuse(reader, column, fmt::format("{} in '{}' {}", in_quotes(text), name, hint));
}

bool Encoder::has_all_numbers(const Row& row, const Binding& binding) {
  if (row.numbers.empty()) return false;
  bool all = true;
  for (const auto& [column, feature] : binding.numbers) {
    all &= std::abs(row.numbers[column]) <= kMaxMagnitude;  // false for NaN
  }
  return all;
}

void Encoder::check_category(const Stream& reader, const Binding::Bound& bound) const {
  const auto& [column, f] = bound;
  const Field& field = fields_[f];
  const std::string_view text = reader.row().fields[column];
  if (!is_utf8(text)) {
    refuse(reader, column + 1,
           fmt::format("the value of '{}' is not valid UTF-8; convert the file", field.name));
  }
  double number = 0;
  if (field.words && reader.row().number(column, number)) {
    refuse(reader, column + 1,
           fmt::format("{0} in '{1}' is a number, but its values have been words so far; correct "
                       "it, or begin with --categorical {1}",
                       in_quotes(text), field.name));
  }
}

template <class Put>
void Encoder::read_numbers(const Stream& reader, const Binding& binding, const Put& put) const {
  const Row& row = reader.row();
  if (has_all_numbers(row, binding)) {
    for (const Binding::Bound& bound : binding.categories) check_category(reader, bound);
    for (const auto& [column, feature] : binding.numbers) put(feature, row.numbers[column]);
    return;
  }
  // In the order of the file, so that the first thing that is wrong is told.
  for (const Binding::Bound& bound : binding.features) {
    const Field& field = fields_[bound.field];
    if (field.role == Role::categorical) {
      check_category(reader, bound);
    } else {
      put(field.feature, number_in(reader, bound.column, bound.column + 1, field.name));
    }
  }
}

std::span<double> Encoder::append(Label label, Minibatch& batch) const {
  if (batch.columns() < schema_.size()) batch.widen(schema_.size());
  return batch.add(label);
}

void Encoder::read_places(const Stream& reader, const Binding& binding) {
  const Row& row = reader.row();
  if (open_) {
    places_.clear();
    for (std::size_t j = 0; j < row.names.size(); ++j) {
      if (!is_utf8(row.names[j])) {
        refuse(reader, j + 2, "the name of a feature is not valid UTF-8; convert the file");
      }
      const double value = number_in(reader, j, j + 2, row.names[j]);
      places_.push_back({0, std::isnan(value) ? 0 : value});
    }
    return;
  }
  places_.resize(binding.features.size());
  Place* next = places_.data();
  read_numbers(reader, binding, [&](std::size_t feature, double value) {
    *next++ = {feature, value};
  });
}

void Encoder::add_places(const Stream& reader, const Binding& binding, Label label,
                         Minibatch& batch) {
  const Row& row = reader.row();
  for (std::size_t j = 0; j < row.names.size(); ++j) {
    places_[j].feature = feature_of_name(row.names[j]);
  }
  Place* next = places_.data() + binding.numbers.size();
  for (const auto& [column, field] : binding.categories) {
    *next++ = {feature_of_value(fields_[field], category_of(row.fields[column])), 1};
  }
  const std::span<double> x = append(label, batch);
  // Names that share a feature add up.
  for (const Place& place : places_) x[place.feature] += place.value;
}

void Encoder::add_labelled(const Stream& reader, const Binding& binding, Label label,
                           Minibatch& batch) {
  read_places(reader, binding);
  add_places(reader, binding, label, batch);
}

// Everything that can be wrong with the row comes before anything is learned from it.
void Encoder::add_labelled(const Stream& reader, const Binding& binding, Minibatch& batch) {
  const Row& row = reader.row();
  if (open_ && !row.label) refuse(reader, 0, "the row has no label");
  const std::size_t column = open_ ? 0 : *binding.label;
  const std::string_view text = open_ ? *row.label : row.fields[column];
  // In the order of the row, so that the first thing that is wrong is told.
  Label label = open_ ? label_of(reader, text, 1) : Label{0};
  read_places(reader, binding);
  if (!open_) label = label_of(reader, text, column + 1);
  learn_label(label, text);
  add_places(reader, binding, label, batch);
}

template <class Put>
void Encoder::read_known_names(const Stream& reader, const Put& put) const {
  const Row& row = reader.row();
  for (std::size_t j = 0; j < row.names.size(); ++j) {
    const double value = number_in(reader, j, j + 2, row.names[j]);
    const auto known = known_feature(row.names[j]);
    if (known && !std::isnan(value)) put(*known, value);
  }
}

template <class Put>
void Encoder::read_known_categories(const Stream& reader, const Binding& binding,
                                    const Put& put) const {
  for (const auto& [column, f] : binding.categories) {
    const Field& field = fields_[f];
    const auto found = field.values.find(category_of(reader.row().fields[column]));
    if (found != field.values.end()) {
      put(found->second, 1);
    } else if (field.other) {
      put(*field.other, 1);
    }
  }
}

void Encoder::add_unlabelled(const Stream& reader, const Binding& binding, Minibatch& batch) const {
  const std::span<double> x = append(0, batch);
  const auto put = [&](std::size_t feature, double value) { x[feature] += value; };
  try {
    if (open_) {
      read_known_names(reader, put);
    } else {
      read_numbers(reader, binding, put);
      read_known_categories(reader, binding, put);
    }
  } catch (...) {
    batch.remove_last();
    throw;
  }
}

// Merges the moments of the batch, column by column, into the running ones (Chan, Golub & LeVeque).
void Encoder::observe(const Minibatch& batch) {
  const Batch x = batch.features();
  rows_ += x.rows;
  const std::size_t width = std::min(x.columns, schema_.size());
  // Row by row, as they are in memory; each column is still summed in the order of its rows.
  moments_.assign(3 * width, 0);
  double* const counts = moments_.data();
  double* const means = counts + width;  // sums, so far
  double* const m2s = means + width;
  for (std::size_t i = 0; i < x.rows; ++i) {
    const double* const values = x.row(i).data();
    for (std::size_t j = 0; j < width; ++j) {
      const bool missing = std::isnan(values[j]);
      counts[j] += missing ? 0.0 : 1.0;
      means[j] += missing ? 0.0 : values[j];
    }
  }
  for (std::size_t j = 0; j < width; ++j) means[j] /= std::max(counts[j], 1.0);
  for (std::size_t i = 0; i < x.rows; ++i) {
    const double* const values = x.row(i).data();
    for (std::size_t j = 0; j < width; ++j) {
      const double difference = values[j] - means[j];
      m2s[j] += std::isnan(values[j]) ? 0.0 : difference * difference;
    }
  }
  for (std::size_t j = 0; j < width; ++j) {
    const double n = counts[j], mean = means[j];
    if (is_number_[j] == 0 || n == 0) continue;
    const double total = count_[j] + n, delta = mean - mean_[j];
    m2_[j] = std::min(m2_[j] + m2s[j] + delta * delta * (count_[j] * n / total), kMaxState);
    mean_[j] += delta * (n / total);
    count_[j] = total;
  }
}

void Encoder::transform(Minibatch& batch, bool standardise) const {
  if (batch.columns() < schema_.size()) batch.widen(schema_.size());
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    const std::span<double> values = batch.row(i);
    if (all_of_values(values, [](double value) { return !std::isnan(value); })) continue;
    for (std::size_t j = 0; j < schema_.size(); ++j) {
      if (std::isnan(values[j]) && is_number_[j] != 0) values[j] = mean_[j];
    }
  }
  if (!standardise) return;
  for (std::size_t j = 0; j < schema_.size(); ++j) {
    if (is_number_[j] == 0) continue;
    const double variance = count_[j] > 0 ? m2_[j] / count_[j] : 0;
    // A column that is constant but for rounding is only centred.
    const bool varies = variance > 1e-24 * mean_[j] * mean_[j];
    const double scale = varies ? 1 / std::sqrt(variance) : 1;
    for (std::size_t i = 0; i < batch.rows(); ++i) {
      double& value = batch.row(i)[j];
      value = std::clamp((value - mean_[j]) * scale, -kMaxMagnitude, kMaxMagnitude);
    }
  }
}

bool Encoder::has_categories() const {
  return std::ranges::any_of(fields_,
                             [](const Field& field) { return field.role == Role::categorical; });
}

std::string Encoder::summary() const {
  if (open_) return fmt::format("{} features by name", schema_.size());
  std::size_t numbers = 0, categories = 0, ignored = 0;
  for (const Field& field : fields_) {
    numbers += field.role == Role::numeric ? 1 : 0;
    categories += field.role == Role::categorical ? 1 : 0;
    ignored += field.role == Role::ignored ? 1 : 0;
  }
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, const char* kind) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, kind));
  };
  add(numbers, "numeric");
  add(categories, "categorical");
  add(ignored, "ignored");
  return fmt::format("{} column{}{}", fmt::join(parts, ", "),
                     numbers + categories + ignored == 1 ? "" : "s",
                     categories > 0 ? fmt::format(" ({} features)", schema_.size()) : "");
}

}  // namespace plumbline

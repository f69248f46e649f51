#include "plumbline/encoding/encoder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plumbline/base/utf8.h"
#include "plumbline/data/score_input.h"
#include "plumbline/data/usable.h"
#include "plumbline/encoding/refuse.h"
#include "plumbline/io/number.h"
#include "plumbline/io/row_number.h"
#include "plumbline/io/text.h"
#include "plumbline/io/time.h"

namespace plumbline::inline v0 {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
// Features of sparse rows cost memory alone, those of dense rows time with every row.
constexpr std::size_t kMostDense = 4096, kMostSparse = std::size_t{1} << 18;

// Texts that stand for a number too large to be one.
bool is_infinite(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return equal_ignoring_case(text, "inf") || equal_ignoring_case(text, "infinity") ||
         is_decimal(text);
}

// True if each number of the row is known already, and not too large.
bool has_all_numbers(const Row& row, const Binding& binding) {
  if (row.numbers.empty()) return false;
  bool all = true;
  for (const auto& [column, feature] : binding.numbers) all &= is_usable(row.numbers[column]);
  return all;
}

}  // namespace

std::string_view category_of(std::string_view text) {
  text = trimmed(text);
  return text == "?" ? std::string_view{} : text;
}

void EncoderOptions::visit(OptionVisitor& visitor) {
  visitor.choice(
      "standardize", standardize,
      {{"auto", Standardize::automatic}, {"true", Standardize::yes}, {"false", Standardize::no}},
      "subtract the running mean of each number and divide by its running deviation; auto does so "
      "if the learner depends on the scale of features and the stream has columns");
  visitor.integer(
      "max_categories", max_categories, Range::closed(1, 1e6),
      "number of values of a column that have their own feature; further values share one");
  visitor.integer(
      "max_features", max_features, Range::closed(0, 1e7),
      "number of features; further names share features by hash. 0 means 4096, or 262144 "
      "for sparse rows");
  visitor.flag(
      "mark_missing", mark_missing,
      "add a feature for each numeric column with missing values, which is 1 where the value "
      "is missing");
}

Encoder::Encoder(const Params& params, Schema schema, ColumnPlan plan, LabelSet labels)
    : params_(params),
      schema_(std::move(schema)),
      plan_(std::move(plan)),
      labels_(std::move(labels)),
      dictionary_(limits(), plan_.columns.size(), plan_.named) {
  for (PlannedColumn& column : plan_.columns) {
    if (column.role != ColumnRole::time) continue;
    column.time.place = times_.size();
    times_.emplace_back();
  }
}

FeatureDictionary::Limits Encoder::limits() const {
  const auto most = static_cast<std::size_t>(params_.max_features);
  return {.categories = static_cast<std::size_t>(params_.max_categories),
          .features = most > 0         ? most
                      : schema_.sparse ? kMostSparse
                                       : kMostDense};
}

Encoder Encoder::numeric(const Params& params, Schema schema) {
  ColumnPlan plan;
  for (std::size_t j = 0; j < schema.size(); ++j) {
    plan.columns.push_back({.name = schema.features[j], .feature = j});
  }
  for (std::size_t m = 0; m < schema.scores.size(); ++m) {
    plan.columns.push_back(
        {.name = schema.scores[m].name, .role = ColumnRole::score, .feature = m});
  }
  plan.columns.push_back({.name = schema.label, .role = ColumnRole::label});
  LabelSet labels(schema);
  Encoder encoder(params, std::move(schema), std::move(plan), std::move(labels));
  for (const std::string& name : encoder.schema_.features) encoder.dictionary_.take_name(name);
  if (encoder.uses_moments()) encoder.moments_.grow(encoder.schema_.size(), /*is_number=*/true);
  return encoder;
}

Encoder Encoder::with_score(const Schema::Score& score) const {
  Encoder encoder = *this;
  encoder.plan_.columns.push_back(
      {.name = score.name, .role = ColumnRole::score, .feature = encoder.schema_.scores.size()});
  encoder.schema_.scores.push_back(score);
  return encoder;
}

bool Encoder::uses_moments() const {
  return !schema_.sparse || params_.standardize == Standardize::yes;
}

// ---- Reading

inline double Encoder::number_in(const Stream& stream, std::size_t i, std::size_t column,
                                 std::string_view name) const {
  double number = 0;
  if (plumbline::number_in(stream.row(), i, number) && is_usable(number)) return number;
  return other_number_in(stream, i, column, name);
}

double Encoder::other_number_in(const Stream& stream, std::size_t i, std::size_t column,
                                std::string_view name) const {
  const std::string_view text = stream.row().text(i);
  double number = 0;
  const bool is_number = plumbline::number_in(stream.row(), i, number) ||
                         parse_number_with_commas(text, stream.decimal_comma(), number);
  if (is_number && is_usable(number)) return number;
  if (!is_number && (is_missing(text) || plan_.missing.contains(trimmed(text)))) return kMissing;
  const std::string shown = text.empty() ? fmt::format("{}", number) : in_quotes(text);
  if (is_number || is_infinite(text)) {
    refuse(
        stream, column,
        fmt::format("{} in '{}' is infinite or beyond 1e150 in magnitude; correct it, or rescale "
                    "the column",
                    shown, name));
  }
  if (plan_.named) refuse(stream, column, fmt::format("{} in '{}' is not a number", shown, name));
  refuse(stream, column,
         fmt::format("{} in '{}' is not a number, as it has been so far; correct it, or begin anew",
                     shown, name),
         {{Setting::missing, std::string(trimmed(text)), "if it means a missing value"},
          {Setting::categorical, std::string(name)}});
}

std::string_view Encoder::category_in(const Stream& stream, const Binding::Feature& bound) const {
  const PlannedColumn& planned = plan_.columns[bound.planned];
  const std::string_view text = stream.row().text(bound.column);
  if (!is_utf8(text)) {
    refuse(stream, bound.column + 1,
           fmt::format("the value of '{}' is not valid UTF-8; convert the file", planned.name));
  }
  double number = 0;
  if (planned.text_only && plumbline::number_in(stream.row(), bound.column, number)) {
    refuse(stream, bound.column + 1,
           fmt::format("{} in '{}' is a number, but its values have been words so far; correct it, "
                       "or begin anew",
                       in_quotes(text), planned.name),
           {{Setting::categorical, planned.name}});
  }
  return category_of(text);
}

double Encoder::time_in(const Stream& stream, const Binding::Feature& bound) const {
  const PlannedColumn& planned = plan_.columns[bound.planned];
  const std::string_view text = stream.row().text(bound.column);
  double number = 0, seconds = 0;
  if (plumbline::number_in(stream.row(), bound.column, number)) {
    if (time_from_number(number, planned.time.unit, seconds)) return seconds;
  } else if (parse_time(text, seconds)) {
    return seconds;
  } else if (is_missing(text) || plan_.missing.contains(trimmed(text))) {
    return kMissing;
  }
  const std::string shown = text.empty() ? fmt::format("{}", number) : in_quotes(text);
  refuse(stream, bound.column + 1,
         fmt::format("{} in '{}' is not a time, as it has been so far; correct it, or begin anew",
                     shown, planned.name),
         {{Setting::missing, std::string(trimmed(text)), "if it means a missing value"},
          {Setting::categorical, planned.name}});
}

// The features of a category or a time.
void Encoder::read_text(const Stream& stream, const Binding::Feature& bound,
                        RowBatch& batch) const {
  const PlannedColumn& planned = plan_.columns[bound.planned];
  if (planned.role == ColumnRole::time) {
    const std::size_t place = planned.time.place;
    const double seconds = time_in(stream, bound);
    write_time_features(planned.time, seconds, times_[place], batch.times(times_)[place],
                        batch.dense_row().subspan(planned.feature));
    return;
  }
  add_value(bound.planned, category_in(stream, bound), batch);
}

void Encoder::add_value(std::size_t planned, std::string_view value, RowBatch& batch) const {
  batch.add(dictionary_.of_value(planned, value, schema_.size(), batch.new_features()), 1);
}

void Encoder::read_columns(const Stream& stream, const Binding& binding, RowBatch& batch) const {
  const Row& row = stream.row();
  if (has_all_numbers(row, binding)) {
    const std::span<double> x = batch.dense_row();
    for (const auto& [column, feature] : binding.numbers) x[feature] = row.numbers[column];
    for (const Binding::Feature& bound : binding.others) read_text(stream, bound, batch);
    return;
  }
  // In the order of the stream, so that the first error is reported.
  for (const Binding::Feature& bound : binding.features) {
    const PlannedColumn& planned = plan_.columns[bound.planned];
    if (planned.role == ColumnRole::numeric) {
      const double number = number_in(stream, bound.column, bound.column + 1, planned.name);
      batch.dense_row()[planned.feature] = number;
      if (plan_.marks_missing && std::isnan(number)) add_value(bound.planned, {}, batch);
    } else {
      read_text(stream, bound, batch);
    }
  }
}

// The numbers of a sparse row; columns that it lacks are 0, or absent.
void Encoder::read_sparse_columns(const Stream& stream, const Binding& binding,
                                  RowBatch& batch) const {
  const Row& row = stream.row();
  auto bound = binding.numbers.begin();
  for (std::size_t i = 0; i < row.columns.size(); ++i) {
    const auto less = [](const Binding::Number& number, std::uint32_t column) {
      return number.column < column;
    };
    bound = std::lower_bound(bound, binding.numbers.end(), row.columns[i], less);
    if (bound == binding.numbers.end()) break;
    if (bound->column != row.columns[i]) continue;
    const double value = number_in(stream, i, row.columns[i] + 1, schema_.features[bound->feature]);
    if (!schema_.sparse || !std::isnan(value)) batch.add(bound->feature, value);
  }
}

void Encoder::read_names(const Stream& stream, RowBatch& batch) const {
  const Row& row = stream.row();
  for (std::size_t j = 0; j < row.names.size(); ++j) {
    if (!is_utf8(row.names[j])) {
      refuse(stream, j + 2, "the name of a feature is not valid UTF-8; convert the file");
    }
    const double value = number_in(stream, j, j + 2, row.names[j]);
    const std::size_t feature =
        dictionary_.of_name(row.names[j], schema_.size(), batch.new_features());
    if (!std::isnan(value)) batch.add(feature, value);
  }
}

void Encoder::read_scores(const Stream& stream, const Binding& binding, RowBatch& batch) const {
  const Row& row = stream.row();
  for (std::size_t m = 0; m < binding.scores.size(); ++m) {
    const auto& [name, input] = schema_.scores[m];
    std::size_t field = binding.scores[m];
    if (!row.columns.empty()) {
      const auto found = std::ranges::find(row.columns, binding.scores[m]);
      field = static_cast<std::size_t>(found - row.columns.begin());
    }
    // What a sparse row lacks is 0.
    const double score = !row.columns.empty() && field == row.columns.size()
                             ? 0
                             : number_in(stream, field, binding.scores[m] + 1, name);
    const char* const fault = std::isnan(score) ? nullptr : score_fault(score, input);
    if (fault != nullptr) {
      refuse(stream, binding.scores[m] + 1,
             fmt::format("the score '{}' is {}, which {}", name, score, fault));
    }
    batch.add_score(score);
  }
}

void Encoder::read_features(const Stream& stream, const Binding& binding, RowBatch& batch) const {
  if (plan_.named) {
    read_names(stream, batch);
  } else if (schema_.sparse || !stream.row().columns.empty()) {
    read_sparse_columns(stream, binding, batch);
  } else {
    read_columns(stream, binding, batch);
  }
  read_scores(stream, binding, batch);
}

Label Encoder::label_of(const Stream& stream, const Binding& binding, RowBatch& batch) const {
  const Row& row = stream.row();
  const std::vector<std::string>& classes = stream.classes();
  if (!binding.label && !row.label && !row.target) refuse(stream, 0, "the row has no label");
  if (row.target && *row.target >= classes.size()) {
    refuse(stream, 0, fmt::format("the label is class {} of {}", *row.target + 1, classes.size()));
  }
  // By its name: the model's classes may have other places than the stream's.
  const std::string_view text = row.target      ? std::string_view(classes[*row.target])
                                : binding.label ? row.text(*binding.label)
                                                : *row.label;
  Complaint complaint;
  const auto label = labels_.read(schema_, text, batch.new_labels(), complaint);
  if (label) return *label;
  refuse(stream, binding.label.value_or(0) + 1, complaint.reason, std::move(complaint.remedies));
}

void Encoder::read(const Stream& stream, const Binding& binding, LabelUse use, std::uint64_t number,
                   RowBatch& batch) const {
  batch.begin_row();
  try {
    Label label = 0;
    // In the order of the row, so that the first error is reported.
    const bool learn = use == LabelUse::learn, label_first = !binding.label;
    if (learn && label_first) label = label_of(stream, binding, batch);
    read_features(stream, binding, batch);
    if (learn && !label_first) label = label_of(stream, binding, batch);
    batch.end_row(label, number);
  } catch (...) {
    batch.cancel_row();
    throw;
  }
  if (use == LabelUse::learn) return;
  batch.add_label_text(binding.label ? stream.row().text(*binding.label)
                                     : stream.row().label.value_or(""));
}

void Encoder::read(const Stream& stream, const Binding& binding, Label label, std::uint64_t number,
                   RowBatch& batch) const {
  batch.begin_row();
  try {
    read_features(stream, binding, batch);
  } catch (...) {
    batch.cancel_row();
    throw;
  }
  batch.end_row(label, number);
}

// ---- Learning

void Encoder::check_new_classes(std::span<const std::string> names) const {
  Complaint complaint = labels_.check_new(schema_, names);
  if (complaint.reason.empty()) return;
  throw Error(ErrorKind::data, complaint.reason, {}, std::move(complaint.remedies));
}

void Encoder::add_classes(std::span<const std::string> names) {
  check_new_classes(names);
  LabelSet::Proposal proposal;
  for (const std::string& name : names) proposal.classes.push_back(canonical_label(name));
  labels_.commit(schema_, proposal);
}

std::vector<std::size_t> Encoder::take_features(const FeatureDictionary::Proposal& proposal) {
  const auto column_name = [&](std::size_t column) { return plan_.columns[column].name; };
  auto features = dictionary_.commit(proposal, column_name, schema_.features);
  // A name that was not there so far was 0 in every row.
  if (uses_moments()) moments_.grow(schema_.size(), plan_.named, plan_.named);
  return features;
}

void Encoder::check_features(const RowBatch& batch) const {
  const std::size_t known = batch.known_features(), features = schema_.size();
  const std::size_t columns = batch.features().columns;
  const bool fits = grows() ? known <= features && columns <= known + batch.new_features().size()
                            : known == features && columns == features;
  if (!fits || (!batch.times().empty() && batch.times().size() != times_.size())) {
    throw Error(ErrorKind::data, fmt::format("the rows have {} features, but the model has {}",
                                             std::max(known, columns), features));
  }
  if (batch.sparse() != schema_.sparse) {
    throw Error(ErrorKind::data, fmt::format("the rows are {}, but the model was made for {} ones",
                                             batch.sparse() ? "sparse" : "dense",
                                             batch.sparse() ? "dense" : "sparse"));
  }
}

void Encoder::check_labels(const RowBatch& batch) const {
  const std::size_t known = batch.known_classes(), classes = schema_.classes.size();
  if (known > classes || (known == 0) != (classes == 0)) {
    const auto kind = [](std::size_t count) {
      return count == 0 ? "one of two values" : fmt::format("one of {} classes", count);
    };
    throw Error(ErrorKind::data,
                fmt::format("the label of the rows is {}, but that of the model {}", kind(known),
                            kind(classes)));
  }
  Complaint complaint = labels_.check(schema_, batch.new_labels());
  if (complaint.reason.empty()) return;
  throw Error(ErrorKind::data, complaint.reason, {}, std::move(complaint.remedies));
}

void Encoder::adopt(RowBatch& batch) {
  std::vector<std::size_t> features;
  std::vector<Label> classes;
  if (!batch.new_features().empty()) {
    features = take_features(batch.new_features());
  }
  if (!batch.new_labels().empty()) classes = labels_.commit(schema_, batch.new_labels());
  if (!batch.times().empty()) times_ = batch.times();
  batch.forget_times();
  if (!features.empty() || !classes.empty() || batch.known_features() < schema_.size()) {
    batch.settle(features, classes, schema_);
  }
}

void Encoder::commit(RowBatch& batch) {
  adopt(batch);
  if (uses_moments()) moments_.observe(batch.features());
}

void Encoder::transform(RowBatch& batch, bool standardize) const {
  if (!batch.sparse()) {
    moments_.transform(batch.values(), batch.features().columns, standardize);
  } else if (standardize) {
    moments_.scale(batch.entries());
  }
}

void Encoder::transform_known(const Batch& rows, std::size_t end, bool standardize,
                              RowBatch& known) const {
  known.clear(schema_);
  for (std::size_t i = 0; i < rows.rows; ++i) known.add_row({rows, {}}, i, end);
  transform(known, standardize);
}

std::string Encoder::summary() const {
  if (plan_.named) return fmt::format("{} features by name", schema_.size());
  const auto count = [&](ColumnRole role) {
    return std::ranges::count(plan_.columns, role, &PlannedColumn::role);
  };
  std::vector<std::string> parts;
  std::ptrdiff_t all = 0;
  for (const auto& [role, kind] : {std::pair{ColumnRole::numeric, "numeric"},
                                   {ColumnRole::categorical, "categorical"},
                                   {ColumnRole::time, "time"},
                                   {ColumnRole::score, "score"},
                                   {ColumnRole::ignored, "ignored"}}) {
    if (count(role) > 0) parts.push_back(fmt::format("{} {}", count(role), kind));
    all += count(role);
  }
  return fmt::format("{} column{}{}", fmt::join(parts, ", "), all == 1 ? "" : "s",
                     count(ColumnRole::categorical) + count(ColumnRole::time) > 0
                         ? fmt::format(" ({} features)", schema_.size())
                         : "");
}

}  // namespace plumbline::inline v0

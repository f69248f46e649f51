#include "plumbline/model/model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "plumbline/base/all_of.h"
#include "plumbline/base/error.h"
#include "plumbline/learners/registry.h"

namespace plumbline {
namespace {

bool standardizes(const Config& config, const Encoder& encoder) {
  using enum Encoder::Standardize;
  if (encoder.params().standardize != automatic) return encoder.params().standardize == yes;
  // Rows that name their features have mostly zeros, which standardizing would fill in.
  if (encoder.plan().named || encoder.schema().sparse) return false;
  const auto scale_free = [](const Spec& learner) {
    return learners().make(learner, 1)->scale_free();
  };
  return !scale_free(config.model.learner) ||
         !std::ranges::all_of(config.model.companions, scale_free);
}

Encoder numeric_encoder(const Config& config, const Schema& schema) {
  check(schema);
  return Encoder::numeric(config.encoder, schema);
}

bool is_usable(double value) { return std::abs(value) <= kMaxMagnitude; }  // false for NaN

// Takes rows of numbers in as if they had been read.
void assign(const Examples& examples, const Schema& schema, RowBatch& rows) {
  rows.clear(schema);
  for (std::size_t i = 0; i < examples.size(); ++i) rows.add_row(examples, i);
}

[[noreturn]] void refuse_value(std::size_t row, std::size_t feature, double value) {
  if (std::isnan(value)) {
    throw Error(ErrorKind::data,
                fmt::format("row {}, feature {}: the value is missing, but the feature is a "
                            "category; give 0 or 1",
                            row + 1, feature + 1));
  }
  throw Error(ErrorKind::data,
              fmt::format("row {}, feature {}: the value {} is infinite or beyond 1e150 in "
                          "magnitude; correct it, or rescale the feature",
                          row + 1, feature + 1, value));
}

void check_values(const Batch& batch, const Encoder& encoder) {
  for (std::size_t i = 0; batch.sparse() && i < batch.rows; ++i) {
    for (const auto& [feature, value] : batch.sparse_row(i)) {
      if (!is_usable(value)) refuse_value(i, feature, value);
      if (feature < batch.columns) continue;
      throw Error(ErrorKind::data, fmt::format("row {} has feature {}, but there are {} features",
                                               i + 1, feature + 1, batch.columns));
    }
  }
  if (all_of_values(batch.values, is_usable)) return;
  for (std::size_t i = 0; i < batch.rows; ++i) {
    for (std::size_t j = 0; j < batch.columns; ++j) {
      const double value = batch.row(i)[j];
      const bool missing = std::isnan(value) && encoder.may_be_missing(j);
      if (!missing && !is_usable(value)) refuse_value(i, j, value);
    }
  }
}

// The shape of rows that do not come from a stream; values may be missing.
void check_shape(const Batch& batch, std::size_t columns) {
  if (batch.sparse()) return check(batch, columns);
  if (batch.columns != columns) {
    throw Error(ErrorKind::data, fmt::format("the rows have {} features, but the model has {}",
                                             batch.columns, columns));
  }
  // By division: a wrong number of rows must not overflow into a right product.
  if (batch.values.size() % columns == 0 && batch.values.size() / columns == batch.rows) return;
  throw Error(ErrorKind::data, fmt::format("{} values were given for {} rows of {} features",
                                           batch.values.size(), batch.rows, columns));
}

void make_room(std::size_t rows, std::size_t outputs, Predictions& predictions) {
  predictions.outputs = outputs;
  predictions.scores.resize(rows * outputs);
  predictions.probabilities.resize(rows * outputs);
}

}  // namespace

Model::Model(const Config& config, Encoder encoder)
    : config_(complete(config)),
      encoder_(std::move(encoder)),
      standardize_(plumbline::standardizes(config_, encoder_)),
      learner_(make_class_model(config_.model, encoder_.schema())) {
  config_.encoder = encoder_.params();
}

Model::Model(const Config& config, const Schema& schema)
    : Model(config, numeric_encoder(config, schema)) {}

Model::Model(const Config& config, const SampledStream& stream, const ColumnChoices& choices,
             std::vector<Note>& notes)
    : Model(config, Encoder::fit(config.encoder, stream, stream.sample(), choices, notes)) {}

Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

void Model::check(const RowBatch& rows) const {
  encoder_.check_features(rows);
  check_values(rows.features(), encoder_);
}

void Model::predict_known(const Batch& rows, std::size_t end, Predictions& predictions) const {
  make_room(rows.rows, outputs(), predictions);
  const bool as_they_are = !standardize_ && rows.columns == schema().size() &&
                           end >= rows.columns && rows.sparse() == schema().sparse &&
                           all_of_values(rows.values, [](double v) { return !std::isnan(v); });
  if (as_they_are) {
    return learner_->predict(rows, predictions.scores, predictions.probabilities);
  }
  // Several threads may predict at once, and the scratch of each is kept, so that a steady stream
  // allocates nothing. Rows are taken some at a time, so that it does not grow with the batch.
  constexpr std::size_t kTogether = 256;
  thread_local RowBatch known;
  for (std::size_t first = 0; first < rows.rows; first += kTogether) {
    const Batch part = rows.part(first, std::min(kTogether, rows.rows - first));
    encoder_.transform_known(part, end, standardize_, known);
    const auto of_part = [&](std::vector<double>& results) {
      return std::span(results).subspan(first * outputs(), part.rows * outputs());
    };
    learner_->predict(known.features(), of_part(predictions.scores),
                      of_part(predictions.probabilities));
  }
}

void Model::predict(const RowBatch& rows, Predictions& predictions) const {
  check(rows);
  predict_known(rows.features(), rows.known_features(), predictions);
}

std::span<const RoundRecord> Model::step(RowBatch& rows, Predictions& predictions) {
  // Everything that can be wrong comes before anything changes.
  check(rows);
  encoder_.check_labels(rows);
  const std::size_t classes =
      schema().classes.empty() ? 2 : rows.known_classes() + rows.new_labels().classes.size();
  check_targets(rows.examples(), classes);
  encoder_.commit(rows);
  grow();
  encoder_.transform(rows, standardize_);
  make_room(rows.rows(), outputs(), predictions);
  const Examples examples = rows.examples();
  const auto records = learner_->step(examples, predictions.scores, predictions.probabilities);
  if (!several_classes()) {
    for (const Label label : examples.y) ++label_counts_[label];
  }
  return records;
}

void Model::grow() { learner_->grow(schema().size(), schema().classes.size()); }

void Model::add_classes(std::span<const std::string> names) {
  encoder_.add_classes(names);
  grow();
}

void Model::predict(const Batch& rows, Predictions& predictions) const {
  check_shape(rows, schema().size());
  check_values(rows, encoder_);
  predict_known(rows, schema().size(), predictions);
}

std::vector<double> Model::predict(const Batch& rows) const {
  Predictions predictions;
  predict(rows, predictions);
  return std::move(predictions.probabilities);
}

std::span<const RoundRecord> Model::step(const Examples& examples, Predictions& predictions) {
  check_shape(examples.x, schema().size());
  check_targets(examples, learner_->classes());
  assign(examples, schema(), rows_);
  return step(rows_, predictions);
}

std::span<const RoundRecord> Model::learn(const Examples& examples) {
  return step(examples, predictions_);
}

std::optional<double> Model::positive_share() const {
  const auto [negatives, positives] = label_counts_;
  if (negatives == 0 || positives == 0) return std::nullopt;
  const auto count = static_cast<double>(positives);
  return count / (count + static_cast<double>(negatives));
}

void Model::archive(Archive& archive) {
  archive.scope("encoder", [&](Archive& inner) { encoder_.archive(inner); });
  if (!several_classes()) archive.values("label_counts", label_counts_);
  learner_->archive(archive);
}

}  // namespace plumbline

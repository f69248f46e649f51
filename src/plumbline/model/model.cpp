#include "plumbline/model/model_impl.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "plumbline/base/all_of.h"
#include "plumbline/companions/companion.h"
#include "plumbline/data/score_input.h"
#include "plumbline/data/usable.h"
#include "plumbline/error.h"
#include "plumbline/learner.h"
#include "plumbline/threads/parallel_for.h"
#include "plumbline/threads/thread_pool.h"

namespace plumbline::inline v0 {
namespace {

bool standardizes(const Config& config, const Encoder& encoder, const LearnerRegistry& learners) {
  using enum EncoderOptions::Standardize;
  if (encoder.params().standardize != automatic) return encoder.params().standardize == yes;
  // Rows that name their features have mostly zeros, which standardizing would make nonzero.
  if (encoder.plan().named || encoder.schema().sparse) return false;
  const auto scale_free = [&](const Spec& learner) {
    return companions().contains(learner.name) || learners.find(learner.name).traits.scale_free;
  };
  return !scale_free(config.model.learner) ||
         !std::ranges::all_of(config.model.companions, scale_free);
}

Encoder numeric_encoder(const Config& config, const Schema& schema) {
  check_schema(schema);
  return Encoder::numeric(config.encoder, schema);
}

// Copies rows of numbers into a RowBatch, as if they had been read from a stream.
void assign(const Examples& examples, const Schema& schema, RowBatch& rows) {
  rows.clear(schema);
  rows.add_rows(examples, 0, examples.size());
}

[[noreturn]] void refuse_value(std::size_t row, std::size_t feature, double value) {
  if (std::isnan(value)) {
    throw Error(ErrorKind::data,
                fmt::format("row {}, feature {}: the value is missing, but the feature is a "
                            "category; use 0 or 1",
                            row + 1, feature + 1));
  }
  throw Error(ErrorKind::data,
              fmt::format("row {}, feature {}: the value {} is infinite or beyond 1e150 in "
                          "magnitude; correct it, or rescale the feature",
                          row + 1, feature + 1, value));
}

// Returns true if no value is missing.
bool check_values(const Batch& batch, const Encoder& encoder) {
  for (std::size_t i = 0; batch.sparse() && i < batch.rows; ++i) {
    for (const auto& [feature, value] : batch.sparse_row(i)) {
      if (!is_usable(value)) refuse_value(i, feature, value);
      if (feature < batch.columns) continue;
      throw Error(ErrorKind::data, fmt::format("row {} has feature {}, but there are {} features",
                                               i + 1, feature + 1, batch.columns));
    }
  }
  if (all_of_values(batch.values, is_usable)) return true;
  for (std::size_t i = 0; i < batch.rows; ++i) {
    for (std::size_t j = 0; j < batch.columns; ++j) {
      const double value = batch.row(i)[j];
      const bool missing = std::isnan(value) && encoder.may_be_missing(j);
      if (!missing && !is_usable(value)) refuse_value(i, j, value);
    }
  }
  return false;
}

void check_scores(const Batch& batch, const Schema& schema) {
  const std::size_t each = schema.scores.size();
  if (batch.scores.size() != batch.rows * each) {
    throw Error(ErrorKind::data,
                fmt::format("the rows have {} scores of other models, but the model takes {} for "
                            "each of {} rows",
                            batch.scores.size(), each, batch.rows));
  }
  for (std::size_t at = 0; at < batch.scores.size(); ++at) {
    const auto& [name, input] = schema.scores[at % each];
    const double score = batch.scores[at];
    const char* const fault = std::isnan(score) ? nullptr : score_fault(score, input);
    if (fault == nullptr) continue;
    throw Error(ErrorKind::data, fmt::format("the score '{}' of row {} is {}, which {}", name,
                                             at / each + 1, score, fault));
  }
}

// Checks the shape of rows that do not come from a stream; values may be missing.
void check_shape(const Batch& batch, std::size_t columns) {
  if (batch.sparse()) return check_rows(batch, columns);
  if (batch.columns != columns) {
    throw Error(ErrorKind::data, fmt::format("the rows have {} features, but the model has {}",
                                             batch.columns, columns));
  }
  // By division, because the product could overflow.
  if (batch.values.size() % columns == 0 && batch.values.size() / columns == batch.rows) return;
  throw Error(ErrorKind::data, fmt::format("{} values were given for {} rows of {} features",
                                           batch.values.size(), batch.rows, columns));
}

// The number of rows per chunk when predicting, possibly on several threads: at least about 25 microseconds of work
// (bench/threads), few enough that the scratch does not grow with the batch, and equally many for each thread.
std::size_t rows_together(const Batch& rows, std::size_t threads) {
  if (rows.rows == 0) return 1;
  const std::size_t values = rows.sparse() ? rows.entries.size() / rows.rows : rows.columns;
  const std::size_t most = std::clamp<std::size_t>(8192 / (values + 24), 16, 256);
  std::size_t parts = (rows.rows + most - 1) / most;
  if (parts > threads) parts = (parts + threads - 1) / threads * threads;
  return (rows.rows + parts - 1) / parts;
}

void make_room(std::size_t rows, std::size_t outputs, Predictions& predictions) {
  predictions.outputs = outputs;
  predictions.scores.resize(rows * outputs);
  predictions.probabilities.resize(rows * outputs);
}

}  // namespace

Model::Model(const Config& partial, Encoder encoder, const Components& components) {
  Config config = complete(partial, components);
  config.encoder = encoder.params();
  const bool standardize = plumbline::standardizes(config, encoder, components.learners);
  auto learner = make_class_model(config.model, encoder.schema(), components);
  const FeatureSpace features = encoder.schema();
  const LabelBudget label_budget(config.label_budget, config.label_choice, config.model.seed);
  impl_ = std::make_unique<Impl>(Impl{.components = share(components),
                                      .config = std::move(config),
                                      .encoder = std::move(encoder),
                                      .standardize = standardize,
                                      .learner = std::move(learner),
                                      .pending = PendingRows(features),
                                      .label_budget = label_budget});
}

Model::Model(const Config& config, const Schema& schema, const Components& components)
    : Model(config, numeric_encoder(config, schema), components) {}

Model::Model(const Config& config, const SampledStream& stream, const ColumnChoices& choices,
             std::vector<Note>& notes, const Components& components)
    : Model(config, Encoder::fit(config.encoder, stream, stream.sample(), choices, notes),
            components) {}

Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

bool Model::Impl::check(const RowBatch& batch) const {
  encoder.check_features(batch);
  check_scores(batch.features(), encoder.schema());
  return check_values(batch.features(), encoder);
}

void Model::Impl::predict_known(const Batch& batch, std::size_t end, std::size_t ahead,
                                bool complete, Predictions& predicted) const {
  make_room(batch.rows, learner->outputs(), predicted);
  const bool as_they_are = complete && !standardize && batch.columns == encoder.schema().size() &&
                           end >= batch.columns && batch.sparse() == encoder.schema().sparse;
  const std::size_t threads = allowed_threads(), chunk = rows_together(batch, threads);
  parallel_for((batch.rows + chunk - 1) / chunk, threads, [&](std::size_t number) {
    const std::size_t first = number * chunk;
    const Batch part = batch.part(first, std::min(chunk, batch.rows - first));
    const auto of_part = [&](std::vector<double>& results) {
      return std::span(results).subspan(first * learner->outputs(), part.rows * learner->outputs());
    };
    // Each thread reuses its scratch, so that a steady stream allocates nothing.
    thread_local RowBatch transformed;
    if (!as_they_are) encoder.transform_known(part, end, standardize, transformed);
    learner->predict(as_they_are ? part : transformed.features(), pending.size() + ahead + first,
                     of_part(predicted.scores), of_part(predicted.probabilities));
  });
}

std::size_t Model::outputs() const { return impl_->learner->outputs(); }
bool Model::several_classes() const { return !schema().classes.empty(); }
const Config& Model::config() const { return impl_->config; }
const Schema& Model::schema() const { return impl_->encoder.schema(); }
std::size_t Model::batch_size() const { return static_cast<std::size_t>(impl_->config.batch); }
const Encoder& Model::encoder() const { return impl_->encoder; }
std::size_t Model::pending() const { return impl_->pending.size(); }
bool Model::standardizes() const { return impl_->standardize; }
const std::string& Model::position() const { return impl_->position; }
void Model::set_position(std::string position) { impl_->position = std::move(position); }
ModelView Model::view(std::size_t curve_points) const { return impl_->learner->view(curve_points); }
PerAction<ArmEstimate> Model::arms() const { return impl_->learner->arms(); }

void Model::check_new_classes(std::span<const std::string> names) const {
  impl_->encoder.check_new_classes(names);
}

void Model::predict(const RowBatch& rows, Predictions& predictions, std::size_t ahead) const {
  const bool complete = impl_->check(rows);
  impl_->predict_known(rows.features(), rows.known_features(), ahead, complete, predictions);
}

std::span<const RoundRecord> Model::Impl::step(RowBatch& batch, Predictions& predicted,
                                               bool choose) {
  // All checks come before any change.
  const bool complete = check(batch);
  encoder.check_labels(batch);
  const std::size_t classes = encoder.schema().classes.empty()
                                  ? 2
                                  : batch.known_classes() + batch.new_labels().classes.size();
  check_targets(batch.examples(), classes);
  encoder.commit(batch);
  grow();
  if (standardize || !complete) encoder.transform(batch, standardize);
  make_room(batch.rows(), learner->outputs(), predicted);
  const Examples examples = batch.examples();
  if (choose && label_budget.limited()) {
    learn_chosen(examples, predicted);
    return records;
  }
  predicted.asked.clear();
  if (config.label_delay > 0) {
    learn_later(examples, predicted);
    return records;
  }
  const auto learned = learner->step(examples, predicted.scores, predicted.probabilities);
  count_labels(examples.y);
  return learned;
}

std::span<const RoundRecord> Model::step(RowBatch& rows, Predictions& predictions) {
  return impl_->step(rows, predictions, /*choose=*/true);
}

std::span<const RoundRecord> Model::learn(RowBatch& rows, Predictions& predictions) {
  if (impl_->label_budget.limited() && impl_->config.label_delay > 0) {
    throw Error(ErrorKind::config,
                "a model with 'label_budget' and 'label_delay' is for tests on recorded rows, by "
                "'step'; rows whose labels were asked for are learned when the labels come, so "
                "leave out 'label_delay'");
  }
  return impl_->step(rows, predictions, /*choose=*/false);
}

void Model::Impl::learn_chosen(const Examples& examples, Predictions& predicted) {
  records.clear();
  const bool later = config.label_delay > 0;
  learner->predict(examples.x, pending.size(), predicted.scores, predicted.probabilities);
  predicted.asked.clear();
  chosen.clear(encoder.schema());
  random_labels.clear();
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const LabelBudget::Ask ask = label_budget.next(predicted.row(i));
    predicted.asked.push_back(ask == LabelBudget::Ask::no ? 0 : 1);
    if (ask == LabelBudget::Ask::no) continue;
    chosen.add_rows(examples, i, 1);
    const bool random = ask == LabelBudget::Ask::at_random;
    if (random) random_labels.push_back(examples.y[i]);
    if (!later) continue;
    asked_at.push(label_budget.rows());
    at_random.push(random ? 1 : 0);
  }
  const Examples asked = chosen.examples();
  make_room(asked.size(), learner->outputs(), predictions);
  if (!later) {
    if (asked.size() == 0) return;
    const auto learned = learner->step(asked, predictions.scores, predictions.probabilities);
    records.assign(learned.begin(), learned.end());
    count_labels(random_labels);
    return;
  }
  if (asked.size() > 0) {
    learner->predict_pending(asked, pending.size(), predictions.scores, predictions.probabilities);
    pending.push(asked, pending.size());
  }
  const auto delay = static_cast<std::uint64_t>(config.label_delay);
  learn_due(static_cast<std::size_t>(std::ranges::count_if(
      asked_at.all(), [&](std::uint64_t at) { return at + delay <= label_budget.rows(); })));
}

void Model::Impl::learn_later(const Examples& examples, Predictions& predicted) {
  records.clear();
  if (examples.size() == 0) return;
  learner->predict_pending(examples, pending.size(), predicted.scores, predicted.probabilities);
  pending.push(examples, pending.size());
  const auto delay = static_cast<std::size_t>(config.label_delay);
  learn_due(pending.size() - std::min(pending.size(), delay));
}

void Model::Impl::learn_due(std::size_t due) {
  while (due > 0) {
    const Examples known = pending.oldest(due);
    const std::size_t count = known.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (!label_budget.limited() || at_random.all()[i] == 1) count_labels(known.y.subspan(i, 1));
    }
    const auto learned = learner->learn_pending(pending, count);
    records.insert(records.end(), learned.begin(), learned.end());
    pending.pop(count);
    if (label_budget.limited()) {
      asked_at.pop(count);
      at_random.pop(count);
    }
    due -= count;
  }
}

void Model::Impl::count_labels(std::span<const Label> labels) {
  if (!encoder.schema().classes.empty()) return;
  for (const Label label : labels) ++label_counts[label];
}

void Model::Impl::grow() {
  learner->grow(encoder.schema().size(), encoder.schema().classes.size());
  pending.grow(encoder.schema().size());
}

void Model::add_classes(std::span<const std::string> names) {
  impl_->encoder.add_classes(names);
  impl_->grow();
}

void Model::predict(const Batch& rows, Predictions& predictions, std::size_t ahead) const {
  check_shape(rows, schema().size());
  check_scores(rows, schema());
  const bool complete = check_values(rows, impl_->encoder);
  impl_->predict_known(rows, schema().size(), ahead, complete, predictions);
}

std::vector<double> Model::predict(const Batch& rows, std::size_t ahead) const {
  Predictions predictions;
  predict(rows, predictions, ahead);
  return std::move(predictions.probabilities);
}

std::span<const RoundRecord> Model::step(const Examples& examples, Predictions& predictions) {
  check_shape(examples.x, schema().size());
  check_scores(examples.x, schema());
  check_targets(examples, impl_->learner->classes());
  assign(examples, schema(), impl_->rows);
  return step(impl_->rows, predictions);
}

std::span<const RoundRecord> Model::learn(const Examples& examples) {
  check_shape(examples.x, schema().size());
  check_scores(examples.x, schema());
  check_targets(examples, impl_->learner->classes());
  assign(examples, schema(), impl_->rows);
  return learn(impl_->rows, impl_->predictions);
}

void Model::ask(const Batch& rows, Predictions& predictions) {
  predict(rows, predictions);
  ask_for(predictions);
}

void Model::ask_for(Predictions& predictions) {
  if (!impl_->label_budget.limited()) {
    throw Error(ErrorKind::config,
                "without a label budget every row is worth a label; give the model a "
                "'label_budget' below 1");
  }
  impl_->label_budget.next(predictions.probabilities, predictions.outputs, predictions.asked);
}

const LabelBudget& Model::label_budget() const { return impl_->label_budget; }

std::optional<double> Model::positive_share() const {
  const auto [negatives, positives] = impl_->label_counts;
  if (negatives == 0 || positives == 0) return std::nullopt;
  const auto count = static_cast<double>(positives);
  return count / (count + static_cast<double>(negatives));
}

void Model::archive(Archive& archive) {
  archive.scope("encoder", [&](Archive& inner) { impl_->encoder.archive(inner); });
  if (!several_classes()) archive.values("label_counts", impl_->label_counts);
  impl_->learner->archive(archive);
  if (impl_->label_budget.limited()) {
    archive.scope("label_budget", [&](Archive& inner) { impl_->label_budget.archive(inner); });
  }
  if (impl_->config.label_delay > 0) impl_->archive_pending(archive);
}

void Model::Impl::archive_pending(Archive& archive) {
  archive.scope("pending", [&](Archive& inner) {
    pending.archive(inner, learner->classes(), static_cast<std::size_t>(config.label_delay));
    learner->archive_pending(inner, pending);
    if (label_budget.limited()) archive_asked(inner);
  });
}

void Model::Impl::archive_asked(Archive& archive) {
  std::vector<std::uint64_t> numbers(asked_at.all().begin(), asked_at.all().end());
  std::vector<std::uint64_t> random(at_random.all().begin(), at_random.all().end());
  numbers.resize(pending.size());
  random.resize(pending.size());
  archive.values("asked_at", numbers);
  archive.values("at_random", random);
  if (!archive.loading()) return;
  std::uint64_t least = 1;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < least || numbers[i] > label_budget.rows()) {
      archive.refuse("asked_at", "are not ascending numbers of rows");
    }
    if (random[i] > 1) archive.refuse("at_random", "is neither 0 nor 1");
    least = numbers[i] + 1;
  }
  asked_at.assign(std::move(numbers));
  at_random.assign(std::move(random));
}

}  // namespace plumbline::inline v0

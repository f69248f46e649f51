#include "plumbline/model/model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "plumbline/base/all_of.h"
#include "plumbline/base/error.h"
#include "plumbline/base/file.h"
#include "plumbline/learners/registry.h"

namespace plumbline {
namespace {

bool standardises(const Config& config, const Encoder& encoder) {
  using enum Encoder::Standardise;
  if (encoder.params().standardise != automatic) return encoder.params().standardise == yes;
  // Rows that name their features have mostly zeros, which standardising would fill in.
  if (encoder.open()) return false;
  const auto scale_free = [](const Spec& learner) {
    return learners().make(learner, 1)->scale_free();
  };
  return !scale_free(config.model.learner) ||
         !std::ranges::all_of(config.model.companions, scale_free);
}

std::variant<BinaryModel, MulticlassModel> make_model(const ModelConfig& config,
                                                      const Schema& schema) {
  if (schema.classes.empty()) return BinaryModel(config, schema);
  return MulticlassModel(config, schema);
}

}  // namespace

Model::Model(const Config& config, Encoder encoder)
    : config_(complete(config)),
      encoder_(std::move(encoder)),
      standardise_(plumbline::standardises(config_, encoder_)),
      model_(make_model(config_.model, encoder_.schema())) {
  config_.encoder = encoder_.params();
}

void Model::check_room(std::size_t room, std::size_t rows) const {
  if (room == rows * outputs()) return;
  throw Error(ErrorKind::data, fmt::format("there is room for {} results, but {} rows of {} each "
                                           "were given",
                                           room, rows, outputs()));
}

void Model::check_raw(const Minibatch& batch) const {
  const Batch x = batch.features();
  if (x.columns > schema().size()) {
    throw Error(ErrorKind::data, fmt::format("the rows have {} features, but the encoder has {}",
                                             x.columns, schema().size()));
  }
  const auto usable = [](double value) { return !(std::abs(value) > kMaxMagnitude); };  // or NaN
  if (!all_of_values(x.values, usable)) {
    throw Error(ErrorKind::data, "a value is infinite or beyond 1e150 in magnitude");
  }
}

std::span<const RoundRecord> Model::step(Minibatch& batch, std::span<double> scores,
                                         std::span<double> probabilities) {
  // Everything that can be wrong comes before anything changes.
  check_raw(batch);
  check_targets(batch.examples(), multiclass() ? outputs() : 2);
  check_room(scores.size(), batch.rows());
  check_room(probabilities.size(), batch.rows());
  encoder_.observe(batch);
  encoder_.transform(batch, standardise_);
  catch_up();
  if (auto* several = std::get_if<MulticlassModel>(&model_)) {
    return several->step(batch.examples(), scores, probabilities);
  }
  record_ = std::get<BinaryModel>(model_).step(batch.examples(), scores, probabilities);
  for (const Label label : batch.examples().y) ++label_counts_[label];
  return {&record_, 1};
}

void Model::catch_up() {
  const Schema& now = encoder_.schema();
  std::visit(
      [&](auto& model) {
        const Schema& known = model.schema();
        if (known.size() < now.size() || known.classes.size() < now.classes.size() ||
            known.negative != now.negative) {
          model.grow(now);
        }
      },
      model_);
}

namespace {

// The first columns of a batch.
Minibatch narrowed(const Minibatch& batch, std::size_t columns) {
  Minibatch narrow(columns);
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    std::ranges::copy(batch.features().row(i).first(columns), narrow.add(0).begin());
  }
  return narrow;
}

// Results of `outputs` numbers a row, of which the model gave the first `given`; the others are 0.
void spread(std::span<const double> results, std::size_t given, std::size_t outputs,
            std::span<double> spread) {
  std::ranges::fill(spread, 0.0);
  for (std::size_t i = 0; i < results.size() / given; ++i) {
    std::ranges::copy(results.subspan(i * given, given), spread.subspan(i * outputs).begin());
  }
}

}  // namespace

void Model::predict(Minibatch& batch, std::span<double> scores,
                    std::span<double> probabilities) const {
  check_raw(batch);
  check_room(scores.size(), batch.rows());
  check_room(probabilities.size(), batch.rows());
  encoder_.transform(batch, standardise_);
  const Schema& known =
      std::visit([](const auto& model) -> const Schema& { return model.schema(); }, model_);
  const std::size_t given = multiclass() ? known.classes.size() : 1;
  if (known.size() == batch.columns() && given == outputs()) {
    return ask(batch.features(), scores, probabilities);
  }
  // The encoder has met features or classes that the model has not learned yet.
  const Minibatch narrow = narrowed(batch, known.size());
  std::vector<double> some_scores(batch.rows() * given), some_probabilities(some_scores.size());
  ask(narrow.features(), some_scores, some_probabilities);
  spread(some_scores, given, outputs(), scores);
  spread(some_probabilities, given, outputs(), probabilities);
}

void Model::ask(const Batch& batch, std::span<double> scores,
                std::span<double> probabilities) const {
  std::visit([&](const auto& model) { model.predict(batch, scores, probabilities); }, model_);
}

std::optional<double> Model::positive_share() const {
  const auto [negatives, positives] = label_counts_;
  if (negatives == 0 || positives == 0) return std::nullopt;
  const auto count = static_cast<double>(positives);
  return count / (count + static_cast<double>(negatives));
}

void Model::archive(Archive& archive) {
  archive.scope("encoder", [&](Archive& inner) { encoder_.archive(inner); });
  if (!multiclass()) archive.values("label_counts", label_counts_);
  std::visit([&](auto& model) { model.archive(archive); }, model_);
}

}  // namespace plumbline

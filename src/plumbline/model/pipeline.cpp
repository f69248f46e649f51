#include "plumbline/model/pipeline.h"

#include <algorithm>

#include "plumbline/core/file.h"
#include "plumbline/learners/registry.h"

namespace plumbline {
namespace {

bool standardises(const PipelineConfig& config, const Encoder& encoder) {
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

std::variant<Model, MulticlassModel> make_model(const ModelConfig& config, const Schema& schema) {
  if (schema.classes.empty()) return Model(config, schema);
  return MulticlassModel(config, schema);
}

}  // namespace

Pipeline::Pipeline(const PipelineConfig& config, Encoder encoder)
    : config_(complete(config)),
      encoder_(std::move(encoder)),
      standardise_(plumbline::standardises(config_, encoder_)),
      model_(make_model(config_.model, encoder_.schema())) {
  config_.encoder = encoder_.params();
}

std::span<const RoundRecord> Pipeline::step(Minibatch& batch, std::span<double> scores,
                                            std::span<double> probabilities) {
  encoder_.observe(batch);
  encoder_.transform(batch, standardise_);
  catch_up();
  if (auto* several = std::get_if<MulticlassModel>(&model_)) {
    return several->step(batch.examples(), scores, probabilities);
  }
  record_ = std::get<Model>(model_).step(batch.examples(), scores, probabilities);
  for (const Label label : batch.examples().y) ++label_counts_[label];
  return {&record_, 1};
}

void Pipeline::catch_up() {
  const Schema& now = encoder_.schema();
  std::visit(
      [&](auto& model) {
        const Schema& known = model.schema();
        if (known.size() < now.size() || known.classes.size() < now.classes.size()) model.grow(now);
      },
      model_);
}

void Pipeline::predict(Minibatch& batch, std::span<double> scores,
                       std::span<double> probabilities) const {
  encoder_.transform(batch, standardise_);
  std::visit([&](const auto& model) { model.predict(batch.features(), scores, probabilities); },
             model_);
}

std::optional<double> Pipeline::positive_share() const {
  const auto [negatives, positives] = label_counts_;
  if (negatives == 0 || positives == 0) return std::nullopt;
  const auto count = static_cast<double>(positives);
  return count / (count + static_cast<double>(negatives));
}

void Pipeline::archive(Archive& archive) {
  archive.scope("encoder", [&](Archive& inner) { encoder_.archive(inner); });
  if (!multiclass()) archive.values("label_counts", label_counts_);
  std::visit([&](auto& model) { model.archive(archive); }, model_);
}

}  // namespace plumbline

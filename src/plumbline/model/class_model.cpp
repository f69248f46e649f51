#include "plumbline/model/class_model.h"

#include <utility>

#include <fmt/format.h>

#include "plumbline/error.h"
#include "plumbline/model/binary_model.h"
#include "plumbline/model/multiclass_model.h"
#include "plumbline/model/score_map.h"

namespace plumbline::inline v0 {
namespace {

ScoreMap score_map(const std::vector<Schema::Score>& scores) {
  std::vector<ScoreInput> inputs;
  std::vector<std::string> names;
  for (const Schema::Score& score : scores) {
    inputs.push_back(score.input);
    names.push_back(score.name);
  }
  return {std::move(inputs), 2, std::move(names)};
}

// Throws a configuration error if the calibrator would not use the scores of other models.
void check_calibrator(const BinaryModel& model, const Schema& schema) {
  const std::size_t used = model.columns_used(), columns = model.columns();
  if (schema.scores.empty() || used >= columns) return;
  const std::string& name = model.config().calibrator.name;
  if (used == 1) {
    throw Error(ErrorKind::config,
                fmt::format("the calibrator '{}' uses the ensemble's score only, not '{}'; use "
                            "cascade, stack or mixture:members=stack",
                            name, schema.scores.front().name));
  }
  throw Error(
      ErrorKind::config,
      fmt::format("the calibrator '{}' takes {} scores, but there are {}: {} of other "
                  "models, and {} of the ensemble and its companions",
                  name, used, columns, schema.scores.size(), columns - schema.scores.size()));
}

class TwoClasses : public ClassModel {
 public:
  TwoClasses(const ModelConfig& config, const Schema& schema, const Components& components)
      : scores_(score_map(schema.scores)),
        model_(config, schema, components, schema.scores.size()) {
    check_calibrator(model_, schema);
  }

  std::size_t outputs() const override { return 1; }
  std::size_t classes() const override { return 2; }
  void predict(const Batch& batch, std::size_t ahead, std::span<double> scores,
               std::span<double> probabilities) const override {
    thread_local std::vector<double> margins;
    model_.predict(batch, scores, probabilities, inputs(batch, ahead, margins));
  }
  std::span<const RoundRecord> step(const Examples& examples, std::span<double> scores,
                                    std::span<double> probabilities) override {
    record_ = model_.step(examples, scores, probabilities, inputs(examples.x, 0, margins_));
    learn_scales(examples.x);
    return {&record_, 1};
  }
  void predict_pending(const Examples& examples, std::size_t ahead, std::span<double> scores,
                       std::span<double> probabilities) override {
    model_.score(examples.x, scores, probabilities, inputs(examples.x, ahead, margins_));
    for (std::size_t i = 0; i < examples.size(); ++i) model_.keep(i, probabilities[i]);
    learn_scales(examples.x);
  }
  std::span<const RoundRecord> learn_pending(PendingRows& rows, std::size_t count) override {
    record_ = model_.learn_kept(rows.oldest(count), {.ahead = rows.ages().front()});
    return {&record_, 1};
  }
  void archive_pending(Archive& archive, const PendingRows& rows) override {
    model_.archive_kept(archive, rows.size());
  }
  void grow(std::size_t features, std::size_t) override { model_.grow(features); }
  ModelView view(std::size_t curve_points) const override {
    return {.rounds = model_.rounds(),
            .examples = model_.examples(),
            .parts = {{.of = 1, .against = 0, .view = model_.view(curve_points)}}};
  }
  PerAction<ArmEstimate> arms() const override { return model_.arms(); }
  void archive(Archive& archive) override {
    model_.archive(archive);
    archive.scope("scores", [&](Archive& inner) { scores_.archive(inner); });
  }

 private:
  ScoreInputs inputs(const Batch& batch, std::size_t ahead, std::vector<double>& margins) const {
    if (batch.scores.empty()) return {.ahead = ahead};
    scores_.margins(batch.scores, margins);
    return {.ahead = ahead, .margins = margins};
  }
  // The scales of scores of any unit need no labels.
  void learn_scales(const Batch& batch) {
    for (std::size_t at = 0; at < batch.scores.size(); at += scores_.width()) {
      scores_.learn(batch.scores.subspan(at, scores_.width()));
    }
  }

  ScoreMap scores_;  // of other models
  BinaryModel model_;
  RoundRecord record_;
  std::vector<double> margins_;  // scratch for learning
};

class SeveralClasses : public ClassModel {
 public:
  SeveralClasses(const ModelConfig& config, const Schema& schema, const Components& components)
      : model_(config, schema, components) {}

  std::size_t outputs() const override { return model_.classes(); }
  std::size_t classes() const override { return model_.classes(); }
  void predict(const Batch& batch, std::size_t ahead, std::span<double> scores,
               std::span<double> probabilities) const override {
    model_.predict(batch, scores, probabilities, ahead);
  }
  std::span<const RoundRecord> step(const Examples& examples, std::span<double> scores,
                                    std::span<double> probabilities) override {
    return model_.step(examples, scores, probabilities);
  }
  void predict_pending(const Examples& examples, std::size_t ahead, std::span<double> scores,
                       std::span<double> probabilities) override {
    model_.predict_pending(examples, ahead, scores, probabilities);
  }
  std::span<const RoundRecord> learn_pending(PendingRows& rows, std::size_t count) override {
    return model_.learn_pending(rows, count);
  }
  void archive_pending(Archive& archive, const PendingRows& rows) override {
    model_.archive_pending(archive, rows);
  }
  void grow(std::size_t features, std::size_t classes) override { model_.grow(features, classes); }
  ModelView view(std::size_t curve_points) const override {
    ModelView view{.rounds = model_.rounds(),
                   .examples = model_.examples(),
                   .class_counts = {model_.counts().begin(), model_.counts().end()},
                   .sharpness = model_.sharpness()};
    for (const MulticlassModel::Part& part : model_.parts()) {
      view.parts.push_back({part.of, part.against, part.model->view(curve_points)});
    }
    return view;
  }
  PerAction<ArmEstimate> arms() const override { return {}; }
  void archive(Archive& archive) override { model_.archive(archive); }

 private:
  MulticlassModel model_;
};

}  // namespace

std::unique_ptr<ClassModel> make_class_model(const ModelConfig& config, const Schema& schema,
                                             const Components& components) {
  if (schema.classes.empty()) return std::make_unique<TwoClasses>(config, schema, components);
  return std::make_unique<SeveralClasses>(config, schema, components);
}

}  // namespace plumbline::inline v0

#include "plumbline/model/class_model.h"

#include "plumbline/model/binary_model.h"
#include "plumbline/model/multiclass_model.h"

namespace plumbline::inline v0 {
namespace {

class TwoClasses : public ClassModel {
 public:
  TwoClasses(const ModelConfig& config, FeatureSpace features, const Components& components)
      : model_(config, features, components) {}

  std::size_t outputs() const override { return 1; }
  std::size_t classes() const override { return 2; }
  void predict(const Batch& batch, std::size_t ahead, std::span<double> scores,
               std::span<double> probabilities) const override {
    model_.predict(batch, scores, probabilities, {.ahead = ahead});
  }
  std::span<const RoundRecord> step(const Examples& examples, std::span<double> scores,
                                    std::span<double> probabilities) override {
    record_ = model_.step(examples, scores, probabilities);
    return {&record_, 1};
  }
  void predict_pending(const Examples& examples, std::size_t ahead, std::span<double> scores,
                       std::span<double> probabilities) override {
    model_.score(examples.x, scores, probabilities, {.ahead = ahead});
    for (std::size_t i = 0; i < examples.size(); ++i) model_.keep(i, probabilities[i]);
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
  void archive(Archive& archive) override { model_.archive(archive); }

 private:
  BinaryModel model_;
  RoundRecord record_;
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

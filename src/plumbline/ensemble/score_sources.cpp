#include "plumbline/ensemble/score_sources.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "plumbline/learner.h"
#include "plumbline/math/loss.h"

namespace plumbline::inline v0 {
namespace {

class LearnerCompanion : public Companion {
 public:
  explicit LearnerCompanion(std::unique_ptr<Learner> learner) : learner_(std::move(learner)) {}

  void learn(const Examples& examples) override {
    weights_.assign(examples.size(), 1.0);
    learner_->learn_batch(examples, weights_, Weighting::importance);
  }
  void margins(const Batch& batch, std::size_t, std::span<double> margins) const override {
    learner_->margins(batch, margins);
  }
  void grow(std::size_t features) override { learner_->grow(features); }
  void add_class() override { assert(false); }  // a learner has two classes
  void archive(Archive& archive) override { learner_->archive(archive); }

 private:
  std::unique_ptr<Learner> learner_;
  std::vector<double> weights_;  // scratch for learn(): ones
};

}  // namespace

std::unique_ptr<Companion> make_companion(const LearnerRegistry& learners, const Spec& spec,
                                          const CompanionUse& use) {
  if (companions().contains(spec.name)) return companions().make(spec, use);
  return std::make_unique<LearnerCompanion>(learners.make(spec, use.features));
}

std::size_t companion_columns(const Spec& spec) {
  if (!companions().contains(spec.name)) return 1;
  const CompanionTraits& traits = companions().find(spec.name).traits;
  return traits.columns_of == nullptr ? traits.columns
                                      : traits.columns_of(companions().complete(spec));
}

bool follows_labels(const Spec& spec) {
  return companions().contains(spec.name) && companions().find(spec.name).traits.follows_labels;
}

Spec complete_companion(const LearnerRegistry& learners, const Spec& spec) {
  if (companions().contains(spec.name)) return companions().complete(spec);
  return learners.complete(spec);
}

ScoreInputs ScoreInputs::part(std::size_t first, std::size_t count, std::size_t rows,
                              std::vector<double>& scratch) const {
  if (count == rows) return {ahead + first, margins};
  scratch.clear();
  for (std::size_t at = first; at < margins.size(); at += rows) {
    const auto column = margins.subspan(at, count);
    scratch.insert(scratch.end(), column.begin(), column.end());
  }
  return {ahead + first, scratch};
}

ScoreSources::ScoreSources(const LearnerRegistry& learners, const OnlineBoost::Params& params,
                           const Spec& learner, const std::vector<Spec>& companions,
                           FeatureSpace features, std::size_t given, std::uint64_t seed)
    : ensemble_(
          params,
          make_bank(learners, learner, static_cast<std::size_t>(params.size), features,
                    {.whole_minibatches = params.update_by == OnlineBoost::UpdateBy::minibatch,
                     .repetitions = params.resample == OnlineBoost::Resample::yes}),
          seed),
      columns_(kOfEnsemble + given) {
  for (const Spec& spec : companions) {
    companions_.push_back(make_companion(learners, spec, {.features = features, .seed = seed}));
    widths_.push_back(companion_columns(spec));
    columns_ += widths_.back();
    if (follows_labels(spec)) followers_.push_back(companions_.back().get());
  }
}

void ScoreSources::train(const Examples& examples, const Margins& margins) {
  ensemble_.train(examples, margins);
  for (const auto& companion : companions_) companion->learn(examples);
}

void ScoreSources::follow_labels(const Examples& examples) {
  for (Companion* companion : followers_) companion->learn(examples);
}

void ScoreSources::scores(const Batch& batch, const ScoreInputs& inputs, ScoreTable& table,
                          Margins& margins) const {
  table.resize(columns(), batch.rows);
  ensemble_.scores(batch, table.column(0), table.column(1), table.column(2), margins);
  std::size_t column = kOfEnsemble;
  for (std::size_t c = 0; c < companions_.size(); ++c) {
    companions_[c]->margins(batch, inputs.ahead, table.columns(column, widths_[c]));
    column += widths_[c];
  }
  assert(inputs.margins.size() == (columns() - column) * batch.rows);
  std::ranges::copy(inputs.margins, table.columns(column, columns() - column).begin());
  const std::span<double> all = table.columns(kOfEnsemble, columns() - kOfEnsemble);
  std::ranges::transform(all, all.begin(), sigmoid);
}

void ScoreSources::grow(std::size_t features) {
  ensemble_.grow(features);
  for (const auto& companion : companions_) companion->grow(features);
}

void ScoreSources::archive(Archive& archive) {
  ensemble_.archive(archive);
  for (std::size_t c = 0; c < companions_.size(); ++c) {
    archive.scope("companion" + std::to_string(c + 1),
                  [&](Archive& inner) { companions_[c]->archive(inner); });
  }
}

}  // namespace plumbline::inline v0

#include "plumbline/ensemble/score_sources.h"

#include <algorithm>
#include <string>

#include "plumbline/learner.h"
#include "plumbline/math/loss.h"

namespace plumbline::inline v0 {

ScoreSources::ScoreSources(const LearnerRegistry& learners, const OnlineBoost::Params& params,
                           const Spec& learner, const std::vector<Spec>& companions,
                           FeatureSpace features, std::uint64_t seed)
    : ensemble_(
          params,
          make_bank(learners, learner, static_cast<std::size_t>(params.size), features,
                    {.whole_minibatches = params.update_by == OnlineBoost::UpdateBy::minibatch,
                     .repetitions = params.resample == OnlineBoost::Resample::yes}),
          seed) {
  for (const Spec& spec : companions) companions_.push_back(learners.make(spec, features));
}

void ScoreSources::train(const Examples& examples, const Margins& margins) {
  ensemble_.train(examples, margins);
  weights_.assign(examples.size(), 1.0);
  for (const auto& companion : companions_) {
    companion->learn_batch(examples, weights_, Weighting::importance);
  }
}

void ScoreSources::scores(const Batch& batch, ScoreTable& table, Margins& margins) const {
  table.resize(columns(), batch.rows);
  ensemble_.scores(batch, table.column(0), table.column(1), table.column(2), margins);
  for (std::size_t c = 0; c < companions_.size(); ++c) {
    const std::span<double> column = table.column(kOfEnsemble + c);
    companions_[c]->margins(batch, column);
    std::ranges::transform(column, column.begin(), sigmoid);
  }
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

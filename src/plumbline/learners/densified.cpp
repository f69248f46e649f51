#include "plumbline/learners/densified.h"

namespace plumbline {

Batch Densified::dense(const Batch& batch, std::vector<double>& values) const {
  values.assign(batch.rows * features_, 0);
  for (std::size_t i = 0; i < batch.rows; ++i) {
    for (const auto& [feature, value] : batch.sparse_row(i)) values[i * features_ + feature] = value;
  }
  return {.values = values, .rows = batch.rows, .columns = features_};
}

void Densified::learn_each(const Examples& examples, std::span<const double> weights,
                           const LearnMode& mode, std::span<Label> votes) {
  learner_->learn_each({dense(examples.x, values_), examples.y}, weights, mode, votes);
}

void Densified::learn_batch(const Examples& examples, std::span<const double> weights,
                            Weighting weighting) {
  learner_->learn_batch({dense(examples.x, values_), examples.y}, weights, weighting);
}

void Densified::margins(const Batch& batch, std::span<double> margins) const {
  std::vector<double> values;
  learner_->margins(dense(batch, values), margins);
}

void Densified::grow(std::size_t features) {
  learner_->grow(features);
  features_ = features;
}

}  // namespace plumbline

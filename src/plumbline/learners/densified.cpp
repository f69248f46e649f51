#include <vector>

#include "plumbline/learner.h"

namespace plumbline::inline v0 {
namespace {

class Densified : public Learner {
 public:
  Densified(std::unique_ptr<Learner> learner, std::size_t features)
      : learner_(std::move(learner)), features_(features) {}

  bool lossless() const override { return learner_->lossless(); }
  void learn_each(const Examples& examples, std::span<const double> weights, const LearnMode& mode,
                  std::span<Label> votes) override {
    learner_->learn_each({dense(examples.x, values_), examples.y}, weights, mode, votes);
  }
  void learn_batch(const Examples& examples, std::span<const double> weights,
                   Weighting weighting) override {
    learner_->learn_batch({dense(examples.x, values_), examples.y}, weights, weighting);
  }
  void margins(const Batch& batch, std::span<double> margins) const override {
    // Expands one row at a time into a reused row of zeros, so that a steady stream allocates nothing.
    thread_local std::vector<double> zeros;
    if (zeros.size() < features_) zeros.resize(features_);
    for (std::size_t i = 0; i < batch.rows; ++i) {
      for (const auto& [feature, value] : batch.sparse_row(i)) zeros[feature] = value;
      const Batch row{.values = std::span(zeros).first(features_), .rows = 1, .columns = features_};
      learner_->margins(row, margins.subspan(i, 1));
      for (const auto& [feature, value] : batch.sparse_row(i)) zeros[feature] = 0;
    }
  }
  void grow(std::size_t features) override {
    learner_->grow(features);
    features_ = features;
  }
  void archive(Archive& archive) override { learner_->archive(archive); }

 private:
  // The dense form of the rows; valid as long as `values`.
  Batch dense(const Batch& batch, std::vector<double>& values) const {
    values.assign(batch.rows * features_, 0);
    for (std::size_t i = 0; i < batch.rows; ++i) {
      for (const auto& [feature, value] : batch.sparse_row(i)) {
        values[i * features_ + feature] = value;
      }
    }
    return {.values = values, .rows = batch.rows, .columns = features_};
  }

  std::unique_ptr<Learner> learner_;
  std::size_t features_;
  std::vector<double> values_;  // scratch for learning
};

}  // namespace

std::unique_ptr<Learner> densified(std::unique_ptr<Learner> learner, std::size_t features) {
  return std::make_unique<Densified>(std::move(learner), features);
}

}  // namespace plumbline::inline v0

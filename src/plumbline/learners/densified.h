// A learner of dense rows that is given sparse ones: absent features become 0.
#pragma once

#include <memory>
#include <vector>

#include "plumbline/learners/learner.h"

namespace plumbline {

class Densified : public Learner {
 public:
  Densified(std::unique_ptr<Learner> learner, std::size_t features)
      : learner_(std::move(learner)), features_(features) {}

  bool lossless() const override { return learner_->lossless(); }
  void learn_each(const Examples& examples, std::span<const double> weights, const LearnMode& mode,
                  std::span<Label> votes) override;
  void learn_batch(const Examples& examples, std::span<const double> weights,
                   Weighting weighting) override;
  void margins(const Batch& batch, std::span<double> margins) const override;
  bool scale_free() const override { return learner_->scale_free(); }
  void grow(std::size_t features) override;
  void archive(Archive& archive) override { learner_->archive(archive); }

 private:
  // The rows with a value for each feature; valid while `values` is.
  Batch dense(const Batch& batch, std::vector<double>& values) const;

  std::unique_ptr<Learner> learner_;
  std::size_t features_;
  std::vector<double> values_;  // scratch of learning
};

}  // namespace plumbline

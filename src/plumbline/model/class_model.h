// The common interface of the models for rows of numbers, binary or of several classes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/batch.h"
#include "plumbline/config.h"
#include "plumbline/data/pending_rows.h"
#include "plumbline/model.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

class ClassModel {
 public:
  virtual ~ClassModel() = default;

  // The numbers predicted per row: one, for the positive class, or one for each class.
  virtual std::size_t outputs() const = 0;
  // Labels are below this.
  virtual std::size_t classes() const = 0;
  // `ahead` is the number of rows between the last one that was learned and the first one of the batch.
  virtual void predict(const Batch& batch, std::size_t ahead, std::span<double> scores,
                       std::span<double> probabilities) const = 0;
  // Predicts, then learns. Returns a record for each binary model that learned; valid until the next call.
  virtual std::span<const RoundRecord> step(const Examples& examples, std::span<double> scores,
                                            std::span<double> probabilities) = 0;

  // The two halves of a step, for labels that come later. Learning needs the scores as they were predicted.

  // Predicts rows, `ahead` rows after the last one that was learned, and keeps their scores. Their labels have no
  // effect on any prediction until they are learned.
  virtual void predict_pending(const Examples& examples, std::size_t ahead,
                               std::span<double> scores, std::span<double> probabilities) = 0;
  // Learns the oldest pending rows, `count` of them, which the caller then removes.
  virtual std::span<const RoundRecord> learn_pending(PendingRows& rows, std::size_t count) = 0;
  // Archives the scores of the pending rows.
  virtual void archive_pending(Archive& archive, const PendingRows& rows) = 0;

  // Increases the numbers of features and classes.
  virtual void grow(std::size_t features, std::size_t classes) = 0;

  virtual ModelView view(std::size_t curve_points) const = 0;
  // The policy's estimates; empty for a policy without estimates, and for several classes.
  virtual PerAction<ArmEstimate> arms() const = 0;
  virtual void archive(Archive& archive) = 0;
};

// A model of several classes if the schema lists classes, otherwise a binary one.
std::unique_ptr<ClassModel> make_class_model(const ModelConfig& config, const Schema& schema,
                                             const Components& components);

}  // namespace plumbline::inline v0

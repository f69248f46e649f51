// The common interface of the models for rows of numbers, binary or of several classes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/batch.h"
#include "plumbline/config.h"
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

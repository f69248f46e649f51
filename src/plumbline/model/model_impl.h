// The implementation of Model (plumbline/model.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "plumbline/data/pending_rows.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/model.h"
#include "plumbline/model/class_model.h"

namespace plumbline::inline v0 {

struct Model::Impl {
  // Throws if the features do not fit or a value is out of range. Returns true if no value is missing.
  bool check(const RowBatch& batch) const;
  // Predicts with the features below `end`; the others are ignored. `complete` is the result of the check.
  void predict_known(const Batch& batch, std::size_t end, std::size_t ahead, bool complete,
                     Predictions& predictions) const;
  void grow();
  // Adds the rows to the pending ones and learns those whose labels are known now.
  void learn_later(const Examples& examples, Predictions& predictions);
  void count_labels(std::span<const Label> labels);
  void archive_pending(Archive& archive);

  std::shared_ptr<const Components> components;
  Config config;
  Encoder encoder;
  bool standardize;
  std::unique_ptr<ClassModel> learner;
  PendingRows pending;                          // if labels come later
  std::array<std::uint64_t, 2> label_counts{};  // negatives and positives learned so far
  std::string position{};                       // the caller's, saved with the model

  RowBatch rows{};            // scratch for learning from rows of numbers
  Predictions predictions{};  // scratch for learn()
  std::vector<RoundRecord> records{};
};

}  // namespace plumbline::inline v0

// The implementation of Model (plumbline/model.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "plumbline/data/pending_rows.h"
#include "plumbline/data/queue.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/model.h"
#include "plumbline/model/class_model.h"
#include "plumbline/model/label_budget.h"

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
  std::span<const RoundRecord> step(RowBatch& batch, Predictions& predictions, bool choose);
  // Predicts all of the rows and learns those that the label budget chooses.
  void learn_chosen(const Examples& examples, Predictions& predictions);
  // Learns the oldest pending rows, so many.
  void learn_due(std::size_t due);
  void count_labels(std::span<const Label> labels);
  void archive_pending(Archive& archive);
  void archive_asked(Archive& archive);

  std::shared_ptr<const Components> components;
  Config config;
  Encoder encoder;
  bool standardize;
  std::unique_ptr<ClassModel> learner;
  PendingRows pending;  // if labels come later
  LabelBudget label_budget;
  // With a label budget, of the pending rows: their numbers, from 1, and 1 if they were asked for at random.
  Queue<std::uint64_t> asked_at{}, at_random{};
  // Negatives and positives learned so far; with a label budget, of the rows that `step` asked for at random.
  std::array<std::uint64_t, 2> label_counts{};
  std::string position{};  // the caller's, saved with the model

  RowBatch rows{};            // scratch for learning from rows of numbers
  Predictions predictions{};  // scratch for learn()
  // Scratch for learn_chosen().
  RowBatch chosen{};
  std::vector<Label> random_labels{};
  std::vector<RoundRecord> records{};
};

}  // namespace plumbline::inline v0

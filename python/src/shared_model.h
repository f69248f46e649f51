// plumbline.Model: a model for Python's threads. Predicting, saving and looking may overlap; learning waits for them
// to end, and they for it. Signal handlers run between minibatches: an exception of theirs leaves a model that has
// learned the minibatches before it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "input_rows.h"
#include "model_lock.h"
#include "plumbline/batch.h"
#include "plumbline/model.h"

namespace plumbline::python {

// The labels and costs of rows that are to be learned.
struct Targets {
  std::vector<Label> labels;                     // indices of classes
  std::vector<std::string> new_classes{};        // which follow those that the model knows
  std::vector<Costs> costs{};                    // empty, or of each row
  std::span<const std::uint32_t> repetitions{};  // of each row; empty if each is learned once
};

class SharedModel {
 public:
  // The notes say how the columns were understood.
  explicit SharedModel(Model model, std::vector<std::string> notes = {})
      : model_(std::move(model)),
        several_classes_(model_.several_classes()),
        notes_(std::move(notes)) {}

  // Never changes.
  bool several_classes() const { return several_classes_; }
  const std::vector<std::string>& notes() const { return notes_; }

  Predictions predict(InputRows& rows) const;
  // Predicts and then learns minibatches of the configured size, one after the other. Repetitions of a row are
  // all in its minibatch: what is calibrated on has not been learned from. After an Error the model is as it was.
  Predictions step(InputRows& rows, const Targets& targets);
  // Rows that this object has learned, at once, also while another thread learns.
  std::uint64_t rows_learned() const { return rows_learned_; }

  // 0 uses all cores.
  void set_threads(std::size_t threads);

  void save(const std::string& path) const;
  std::vector<std::byte> to_bytes() const;

  template <class Use>
  auto look(const Use& use) const {
    Signals signals;
    const ModelLock::Look hold(lock_, signals);
    return use(model_);
  }

 private:
  // Throws what is wrong with any of the rows, with the labels or with the new classes.
  void check(InputRows& rows, const Targets& targets, ModelLock::Change& hold,
             Signals& signals) const;
  void check_targets(const Targets& targets, std::size_t rows) const;

  mutable ModelLock lock_;
  Model model_;
  const bool several_classes_;
  const std::vector<std::string> notes_;
  std::size_t threads_ = 0;
  std::atomic<std::uint64_t> rows_learned_ = 0;
};

}  // namespace plumbline::python

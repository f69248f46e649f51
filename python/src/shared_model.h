// plumbline.Model: a model that Python's threads share. Predicting, saving and inspecting may overlap; learning
// excludes them. Signal handlers run between minibatches: after an exception of a handler, the model has learned the
// minibatches before it.
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

// The labels and costs of rows to learn.
struct Targets {
  std::vector<Label> labels;                     // indices of classes
  std::vector<std::string> new_classes{};        // appended to the model's classes
  std::vector<Costs> costs{};                    // empty, or one for each row
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

  // The places of the rows to predict: one after the other behind the last learned row, each of them right behind it,
  // or unknown.
  enum class Places { in_order, next, unknown };
  Predictions predict(InputRows& rows, Places places = Places::in_order) const;
  // Predicts and then learns minibatches of the configured size, one after the other. All repetitions of a row are
  // in the same minibatch, so that calibration is out of sample. After an Error the model is unchanged.
  // With a label budget, learns only the rows that the model asks for, unless `every`.
  Predictions step(InputRows& rows, const Targets& targets, bool every = false);
  // Predicts the rows and decides which of them are worth a label.
  Predictions ask(InputRows& rows);
  // The number of rows learned by this object. Does not wait, even while another thread learns.
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
  // Throws what is wrong with any of the rows, with the labels or with the new classes. The rows are read once for
  // this and once to learn, so that a call with a bad row learns nothing, even if it has many minibatches.
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

// plumbline.BinaryModel: a pipeline (encoder and model) for Python's threads. Predicting, saving and looking may
// overlap; learning waits for them to end, and they for it. Signal handlers run between minibatches: an
// exception of theirs leaves a model that has learned the minibatches before it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "given.h"
#include "model_lock.h"
#include "plumbline/data/costs.h"
#include "plumbline/model/model.h"

namespace plumbline::python {

class Learner {
 public:
  explicit Learner(Model pipeline) : pipeline_(std::move(pipeline)) {}

  // Of each row, one number for the positive class, or, of several classes, one for each.
  struct Said {
    bool several;
    std::size_t outputs;  // of a row
    std::vector<double> probabilities, scores;
  };
  Said predict(Given& given) const;
  // What there is to learn of rows besides themselves.
  struct Truth {
    std::vector<Label> labels;               // places of classes
    std::vector<std::string> new_classes{};  // which follow those that the model knows
    std::vector<Costs> costs{};              // empty, or of each row
  };
  // Predicts and then learns minibatches of the configured size, one after the other. After an Error the
  // model is as it was.
  Said step(Given& given, const Truth& truth);
  // Learns each row so many times, all of them in the minibatch that the row would be in: what is
  // calibrated on has not been learned from.
  void learn(Given& given, const Truth& truth, std::span<const std::uint32_t> times);
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
    return use(pipeline_);
  }

 private:
  // Throws what is wrong with any of the rows, with the labels or with the new classes.
  void check(Given& given, const Truth& truth, ModelLock::Change& hold, Signals& signals) const;
  void check_labels(const Truth& truth, std::size_t rows) const;
  // For each minibatch: adds its rows by add(i), for all i from first to end, and then learns from them by
  // use(first, end).
  template <class Add, class Use>
  void each_minibatch(Given& given, const Truth& truth, const Add& add, const Use& use);

  mutable ModelLock lock_;
  Model pipeline_;
  std::size_t threads_ = 0;
  std::atomic<std::uint64_t> rows_learned_ = 0;
  Minibatch batch_{0};  // of learning
};

}  // namespace plumbline::python

// plumbline.Model: a pipeline (encoder and model) for Python's threads. Predicting and looking may overlap;
// learning waits for them to end, and they for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "given.h"
#include "plumbline/core/costs.h"
#include "plumbline/model/pipeline.h"

namespace plumbline::python {

class Learner {
 public:
  explicit Learner(Pipeline pipeline) : pipeline_(std::move(pipeline)) {}

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
  // Predicts and then learns minibatches of the configured size, one after the other. After an error the
  // model is as it was.
  Said step(Given& given, const Truth& truth);
  // Learns each row so many times, all of them in the minibatch that the row would be in: what is
  // calibrated on has not been learned from.
  void learn(Given& given, const Truth& truth, std::span<const std::uint32_t> times);

  // 0 uses all cores.
  void set_threads(std::size_t threads);

  template <class Look>
  auto look(const Look& look) const {
    const std::shared_lock lock(mutex_);
    return look(pipeline_);
  }
  template <class Change>
  auto change(const Change& change) {
    const std::unique_lock lock(mutex_);
    return change(pipeline_);
  }

 private:
  // Throws what is wrong with any of the rows, or with the labels.
  void check(Given& given, const Truth& truth) const;
  // For each minibatch: adds its rows by add(i), for all i from first to end, and then learns from them by
  // use(first, end).
  template <class Add, class Use>
  void each_minibatch(Given& given, const Truth& truth, const Add& add, const Use& use);

  mutable std::shared_mutex mutex_;
  Pipeline pipeline_;
  std::size_t threads_ = 0;
  Minibatch batch_{0};  // of learning
};

}  // namespace plumbline::python

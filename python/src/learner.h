// plumbline.Model: a pipeline (encoder and model) for Python's threads. Predicting and looking may overlap;
// learning waits for them to end, and they for it.
#pragma once

#include <cstddef>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

#include "arrays.h"
#include "plumbline/model/pipeline.h"
#include "plumbline/streams/rows.h"

namespace plumbline::python {

class Learner {
 public:
  explicit Learner(Pipeline pipeline) : pipeline_(std::move(pipeline)) {}

  // For rows of numbers. `config` is JSON, and changes the preset `auto`.
  static std::unique_ptr<Learner> numeric(const std::string& config,
                                          std::vector<std::string> features,
                                          const std::vector<std::string>& classes, bool multiclass);
  // For rows of a table or a file: what their columns are is found out from the first of them.
  static std::unique_ptr<Learner> for_rows(const std::string& config, const Reader& reader,
                                           const std::vector<Encoder::SampleRow>& sample,
                                           const ColumnChoices& choices,
                                           std::vector<std::string>& notes);

  // Probabilities for each row: one of the positive class, or one of each class.
  std::size_t outputs() const;
  std::vector<double> predict(const Matrix& rows, bool scores) const;
  std::vector<double> predict(Reader& reader) const;
  // Predicts and then learns minibatches of the configured size, one after the other.
  std::vector<double> step(const Matrix& rows, const Labels& labels);
  std::vector<double> step(Reader& reader);

  std::vector<std::byte> to_bytes();
  void save(const std::string& path);
  template <class Look>
  auto look(const Look& look) const {
    const std::shared_lock lock(mutex_);
    return look(pipeline_);
  }

 private:
  mutable std::shared_mutex mutex_;
  Pipeline pipeline_;
  // Scratch of learning.
  Minibatch batch_{0};
  std::vector<double> scores_;
};

}  // namespace plumbline::python

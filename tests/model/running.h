// A stream and the model that was made for it, and a way to run over the rest of a stream.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plumbline/io/csv.h"
#include "plumbline/io/source.h"
#include "plumbline/model.h"
#include "plumbline/session.h"
#include "plumbline/stream.h"

namespace plumbline::test {

using Bytes = std::vector<std::byte>;

template <class Reader = CsvReader>
std::unique_ptr<Stream> stream_of(const std::string& text, const std::string& name = "a file") {
  return std::make_unique<Reader>(source_from(text, name), name);
}

// Few of the rows are sampled, so that the others may bring what is new.
struct Running {
  explicit Running(std::unique_ptr<Stream> from, const Config& config,
                   const ColumnChoices& choices = {}, std::size_t sampled = 20)
      : stream(std::move(from), sampled), model(config, stream, choices, notes) {}

  SampledStream stream;
  std::vector<Note> notes;
  Model model;
};

// A small model, whose minibatches have `batch` rows.
inline Config small_config(const Spec& learner, std::int64_t batch = 40) {
  Config config;
  config.model.learner = learner;
  config.model.ensemble.size = 3;
  config.batch = batch;
  return config;
}

// Steps up to so many times, to the end if that comes first; the probabilities of all rows.
inline std::vector<double> run(Session& session, std::size_t steps = ~std::size_t{0}) {
  std::vector<double> all;
  for (std::size_t i = 0; i < steps && session.step(); ++i) {
    const std::vector<double>& said = session.predictions().probabilities;
    all.insert(all.end(), said.begin(), said.end());
  }
  return all;
}

// What a model says of the rows of a stream, which need no labels.
inline std::vector<double> predictions_of(const Model& model, Stream& stream,
                                          ReadOptions options = {}) {
  Session session(stream, model, std::move(options));
  std::vector<double> all;
  while (session.predict(7)) {
    const std::vector<double>& said = session.predictions().probabilities;
    all.insert(all.end(), said.begin(), said.end());
  }
  return all;
}

}  // namespace plumbline::test

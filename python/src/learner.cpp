#include "learner.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "plumbline/core/error.h"
#include "plumbline/core/team.h"

namespace plumbline::python {
namespace {

constexpr std::size_t kSome = 256;  // rows that stay in the cache

// An empty minibatch as wide as the encoder's rows.
void prepare(Minibatch& batch, const Encoder& encoder) {
  if (batch.columns() == encoder.schema().size()) {
    batch.clear();
  } else {
    batch = Minibatch(encoder.schema().size());
  }
}

Learner::Said room_for(std::size_t rows, const Pipeline& pipeline) {
  const std::size_t outputs = pipeline.outputs(), numbers = rows * outputs;
  return {pipeline.multiclass(), outputs, std::vector<double>(numbers),
          std::vector<double>(numbers)};
}

}  // namespace

Learner::Said Learner::predict(Given& given) const {
  const std::shared_lock lock(mutex_);
  const ThreadLimit limit(threads_);
  const Encoder& encoder = pipeline_.encoder();
  const std::size_t count = given.size(), outputs = pipeline_.outputs();
  Said said = room_for(count, pipeline_);
  thread_local Minibatch batch(0);
  given.rewind(encoder);
  for (std::size_t first = 0; first < count; first += kSome) {
    const std::size_t some = std::min(kSome, count - first);
    prepare(batch, encoder);
    for (std::size_t i = 0; i < some; ++i) given.add(encoder, batch);
    const auto part = [&](std::vector<double>& all) {
      return std::span(all).subspan(first * outputs, some * outputs);
    };
    pipeline_.predict(batch, part(said.scores), part(said.probabilities));
  }
  return said;
}

void Learner::check_rows(Given& given) const {
  Minibatch batch(pipeline_.schema().size());
  given.rewind(pipeline_.encoder());
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (i % kSome == 0) batch.clear();
    given.add(pipeline_.encoder(), batch);
  }
}

void Learner::set_threads(std::size_t threads) {
  const std::unique_lock lock(mutex_);
  threads_ = threads;
}

Learner::Said Learner::step(Given& given, const Truth& truth) {
  const std::unique_lock lock(mutex_);
  const ThreadLimit limit(threads_);
  const std::size_t count = given.size(), most = pipeline_.batch_size();
  if (truth.labels.size() != count) {
    throw Error(ErrorKind::data,
                fmt::format("X has {} rows, but y has {}", count, truth.labels.size()));
  }
  // A single minibatch of numbers, and a single row, are looked at before anything is learned anyway.
  if (count > (given.teaches_encoder() ? 1 : most) || !truth.new_classes.empty()) check_rows(given);
  for (const std::string& name : truth.new_classes) pipeline_.encoder().add_class(name);
  const std::size_t outputs = pipeline_.outputs();
  Said said = room_for(count, pipeline_);
  given.rewind(pipeline_.encoder());
  for (std::size_t first = 0; first < count; first += most) {
    const std::size_t some = std::min(most, count - first);
    prepare(batch_, pipeline_.encoder());
    for (std::size_t i = first; i < first + some; ++i) {
      given.add_labelled(pipeline_.encoder(), truth.labels[i], batch_);
      if (!truth.costs.empty()) batch_.add_costs(truth.costs[i]);
    }
    const auto part = [&](std::vector<double>& all) {
      return std::span(all).subspan(first * outputs, some * outputs);
    };
    pipeline_.step(batch_, part(said.scores), part(said.probabilities));
  }
  return said;
}

}  // namespace plumbline::python

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

void check_kind(const Encoder& encoder, bool named) {
  if (encoder.open() == named) return;
  throw Error(ErrorKind::data,
              named ? "X has dicts, but the model was made from an array or a table; "
                      "give it such rows"
                    : "X is an array or a table, but the model was made from dicts; "
                      "give it such rows");
}

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

void Learner::set_threads(std::size_t threads) {
  const std::unique_lock lock(mutex_);
  threads_ = threads;
}

void Learner::check(Given& given, const Truth& truth) const {
  const std::size_t count = given.size();
  if (truth.labels.size() != count) {
    throw Error(ErrorKind::data,
                fmt::format("X has {} rows, but y has {}", count, truth.labels.size()));
  }
  given.rewind(pipeline_.encoder());
  // A single minibatch of numbers, and a single row, are looked at before anything is learned anyway.
  const std::size_t few = given.teaches_encoder() ? 1 : pipeline_.batch_size();
  if (count <= few && truth.new_classes.empty()) return;
  Minibatch batch(pipeline_.schema().size());
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kSome == 0) batch.clear();
    given.add(pipeline_.encoder(), batch);
  }
  given.rewind(pipeline_.encoder());
}

template <class Add, class Use>
void Learner::each_minibatch(Given& given, const Truth& truth, const Add& add, const Use& use) {
  check(given, truth);
  pipeline_.encoder().add_classes(truth.new_classes);
  const std::size_t count = given.size(), most = pipeline_.batch_size();
  for (std::size_t first = 0; first < count; first += most) {
    const std::size_t end = std::min(first + most, count);
    prepare(batch_, pipeline_.encoder());
    for (std::size_t i = first; i < end; ++i) add(i);
    use(first, end);
  }
}

Learner::Said Learner::step(Given& given, const Truth& truth) {
  const std::unique_lock lock(mutex_);
  const ThreadLimit limit(threads_);
  Said said{};
  const auto add = [&](std::size_t i) {
    given.add_labelled(pipeline_.encoder(), truth.labels[i], batch_);
    if (!truth.costs.empty()) batch_.add_costs(truth.costs[i]);
  };
  each_minibatch(given, truth, add, [&](std::size_t first, std::size_t end) {
    if (first == 0) said = room_for(given.size(), pipeline_);
    const auto part = [&](std::vector<double>& all) {
      return std::span(all).subspan(first * said.outputs, (end - first) * said.outputs);
    };
    pipeline_.step(batch_, part(said.scores), part(said.probabilities));
  });
  return given.size() > 0 ? said : room_for(0, pipeline_);
}

void Learner::learn(Given& given, const Truth& truth, std::span<const std::uint32_t> times) {
  const std::unique_lock lock(mutex_);
  const ThreadLimit limit(threads_);
  if (times.size() != given.size()) {
    throw Error(ErrorKind::data,
                fmt::format("X has {} rows, but there are {} weights", given.size(), times.size()));
  }
  std::vector<double> scores, probabilities;
  const auto add = [&](std::size_t i) {
    if (times[i] == 0) {
      given.add(pipeline_.encoder(), batch_);
      batch_.remove_last();
      return;
    }
    given.add_labelled(pipeline_.encoder(), truth.labels[i], batch_);
    for (std::uint32_t k = 1; k < times[i]; ++k) {
      const std::span<double> copy = batch_.add(truth.labels[i]);
      std::ranges::copy(batch_.row(batch_.rows() - 2), copy.begin());
    }
  };
  each_minibatch(given, truth, add, [&](std::size_t, std::size_t) {
    if (batch_.rows() == 0) return;
    scores.resize(batch_.rows() * pipeline_.outputs());
    probabilities.resize(scores.size());
    pipeline_.step(batch_, scores, probabilities);
  });
}

}  // namespace plumbline::python

#include "learner.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "plumbline/base/error.h"
#include "plumbline/threads/thread_pool.h"

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

Learner::Said room_for(std::size_t rows, const Model& pipeline) {
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
  Signals signals;
  const ModelLock::Look hold(lock_, signals);
  const ThreadLimit limit(threads_);
  const Encoder& encoder = pipeline_.encoder();
  const std::size_t count = given.size(), outputs = pipeline_.outputs();
  Said said = room_for(count, pipeline_);
  thread_local Minibatch batch(0);
  given.rewind(encoder);
  for (std::size_t first = 0; first < count; first += kSome) {
    if (signals.due()) signals.handle();
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
  Signals signals;
  const ModelLock::Change hold(lock_, signals);
  threads_ = threads;
}

// The pipeline saves through functions that are not const because its model may have to catch up with its encoder
// first. Between minibatches it has caught up, and saving changes nothing.
void Learner::save(const std::string& path) const {
  look([&](const Model& pipeline) { const_cast<Model&>(pipeline).save(path); });
}

std::vector<std::byte> Learner::to_bytes() const {
  return look([](const Model& pipeline) { return const_cast<Model&>(pipeline).to_bytes(); });
}

void Learner::check_labels(const Truth& truth, std::size_t rows) const {
  if (truth.labels.size() != rows) {
    throw Error(ErrorKind::data,
                fmt::format("X has {} rows, but y has {}", rows, truth.labels.size()));
  }
  const std::size_t known = pipeline_.multiclass() ? pipeline_.outputs() : 2;
  const std::size_t classes = known + truth.new_classes.size();
  if (std::ranges::any_of(truth.labels, [&](Label label) { return label >= classes; })) {
    throw Error(ErrorKind::data, fmt::format("a label is none of {} classes", classes));
  }
  pipeline_.encoder().check_new_classes(truth.new_classes);
}

void Learner::check(Given& given, const Truth& truth, ModelLock::Change& hold,
                    Signals& signals) const {
  const std::size_t count = given.size();
  check_labels(truth, count);
  given.rewind(pipeline_.encoder());
  // A single minibatch of numbers, and a single row, are looked at before anything is learned anyway.
  const std::size_t few = given.teaches_encoder() ? 1 : pipeline_.batch_size();
  if (count <= few) return;
  Minibatch batch(pipeline_.schema().size());
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kSome == 0) {
      batch.clear();
      hold.pause_for(signals);
    }
    given.add(pipeline_.encoder(), batch);
  }
  given.rewind(pipeline_.encoder());
}

template <class Add, class Use>
void Learner::each_minibatch(Given& given, const Truth& truth, const Add& add, const Use& use) {
  Signals signals;
  ModelLock::Change hold(lock_, signals);
  const ThreadLimit limit(threads_);
  check(given, truth, hold, signals);
  const std::size_t count = given.size(), most = pipeline_.batch_size();
  for (std::size_t first = 0; first < count; first += most) {
    if (first > 0) hold.pause_for(signals);
    const std::size_t end = std::min(first + most, count);
    prepare(batch_, pipeline_.encoder());
    for (std::size_t i = first; i < end; ++i) add(i);
    // An array may have changed since it was checked; by now it cannot be refused any more.
    if (first == 0) pipeline_.encoder().add_classes(truth.new_classes);
    use(first, end);
    rows_learned_ += end - first;
  }
}

Learner::Said Learner::step(Given& given, const Truth& truth) {
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
  return given.size() > 0 ? said : look([](const Model& all) { return room_for(0, all); });
}

void Learner::learn(Given& given, const Truth& truth, std::span<const std::uint32_t> times) {
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

#include "shared_model.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/encoding/row_source.h"
#include "plumbline/error.h"
#include "plumbline/session.h"
#include "plumbline/threads.h"

namespace plumbline::python {
namespace {

constexpr std::size_t kSome = 256;  // rows that stay in the cache

// A source of rows and their targets for a session.
class InputSource : public RowSource {
 public:
  InputSource(InputRows& rows, const Targets& targets, const Encoder& encoder)
      : rows_(rows), targets_(targets), encoder_(encoder) {}

  bool read(RowBatch& batch, std::size_t max_rows) override {
    batch.clear(encoder_.schema());
    if (next_ == 0) batch.new_labels().classes = canonical(targets_.new_classes);
    // All rows of a minibatch may have 0 repetitions.
    while (batch.rows() == 0 && next_ < rows_.size()) {
      const std::size_t end = std::min(next_ + max_rows, rows_.size());
      for (; next_ < end; ++next_) add(batch);
    }
    return batch.rows() > 0;
  }
  std::uint64_t position() const override { return next_; }

 private:
  static std::vector<std::string> canonical(const std::vector<std::string>& names) {
    std::vector<std::string> all;
    for (const std::string& name : names) all.push_back(canonical_label(name));
    return all;
  }

  void add(RowBatch& batch) {
    const std::uint32_t times = targets_.repetitions.empty() ? 1 : targets_.repetitions[next_];
    rows_.add(encoder_, targets_.labels.empty() ? Label{0} : targets_.labels[next_], batch);
    if (!targets_.costs.empty()) batch.add_costs(targets_.costs[next_]);
    if (times == 0) batch.remove_last();
    for (std::uint32_t k = 1; k < times; ++k) batch.repeat_last();
  }

  InputRows& rows_;
  const Targets& targets_;
  const Encoder& encoder_;
  std::size_t next_ = 0;
};

void append(const Predictions& part, Predictions& all) {
  all.probabilities.insert(all.probabilities.end(), part.probabilities.begin(),
                           part.probabilities.end());
  all.scores.insert(all.scores.end(), part.scores.begin(), part.scores.end());
  all.asked.insert(all.asked.end(), part.asked.begin(), part.asked.end());
}

void reserve(std::size_t rows, std::size_t outputs, Predictions& all) {
  all.outputs = outputs;
  all.probabilities.reserve(rows * outputs);
  all.scores.reserve(rows * outputs);
}

}  // namespace

void check_kind(const Encoder& encoder, bool named) {
  if (encoder.plan().named == named) return;
  throw Error(ErrorKind::data,
              named ? "X has dicts, but the model was made from an array or a table; "
                      "give it such rows"
                    : "X is an array or a table, but the model was made from dicts; "
                      "give it such rows");
}

Predictions SharedModel::predict(InputRows& rows, Places places) const {
  Signals signals;
  const ModelLock::Look hold(lock_, signals);
  const ThreadLimit limit(threads_);
  rows.rewind(model_.encoder());
  const Targets none;
  InputSource source(rows, none, model_.encoder());
  Session session(source, model_);
  if (places == Places::unknown) session.set_ahead(Model::kFarAhead);
  Predictions all;
  reserve(rows.size(), model_.outputs(), all);
  while (session.predict(places == Places::next ? 1 : kSome)) {
    append(session.predictions(), all);
    if (places == Places::next) session.set_ahead(0);
    if (signals.due()) signals.handle();
  }
  return all;
}

void SharedModel::set_threads(std::size_t threads) {
  Signals signals;
  const ModelLock::Change hold(lock_, signals);
  threads_ = threads;
}

void SharedModel::save(const std::string& path) const {
  look([&](const Model& model) { model.save(path); });
}

std::vector<std::byte> SharedModel::to_bytes() const {
  return look([](const Model& model) { return model.to_bytes(); });
}

void SharedModel::check_targets(const Targets& targets, std::size_t rows) const {
  if (targets.labels.size() != rows) {
    throw Error(ErrorKind::data,
                fmt::format("X has {} rows, but y has {}", rows, targets.labels.size()));
  }
  if (!targets.repetitions.empty() && targets.repetitions.size() != rows) {
    throw Error(ErrorKind::data, fmt::format("X has {} rows, but there are {} weights", rows,
                                             targets.repetitions.size()));
  }
  const std::size_t present = model_.several_classes() ? model_.outputs() : 2;
  const std::size_t classes = present + targets.new_classes.size();
  if (std::ranges::any_of(targets.labels, [&](Label label) { return label >= classes; })) {
    throw Error(ErrorKind::data, fmt::format("a label is not one of {} classes", classes));
  }
  model_.check_new_classes(targets.new_classes);
}

void SharedModel::check(InputRows& rows, const Targets& targets, ModelLock::Change& hold,
                        Signals& signals) const {
  check_targets(targets, rows.size());
  const Encoder& encoder = model_.encoder();
  rows.rewind(encoder);
  // A single minibatch is checked before it is learned anyway.
  if (rows.size() <= model_.batch_size()) return;
  RowBatch batch;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % kSome == 0) {
      batch.clear(encoder.schema());
      hold.pause_for(signals);
    }
    rows.add(encoder, Label{0}, batch);
  }
  rows.rewind(encoder);
}

Predictions SharedModel::ask(InputRows& rows) {
  Signals signals;
  ModelLock::Change hold(lock_, signals);
  const ThreadLimit limit(threads_);
  rows.rewind(model_.encoder());
  const Targets none;
  InputSource source(rows, none, model_.encoder());
  Session session(source, std::as_const(model_));
  Predictions all;
  reserve(rows.size(), model_.outputs(), all);
  while (session.predict(kSome)) append(session.predictions(), all);
  model_.ask_for(all);
  return all;
}

Predictions SharedModel::step(InputRows& rows, const Targets& targets, bool every) {
  Signals signals;
  ModelLock::Change hold(lock_, signals);
  const ThreadLimit limit(threads_);
  check(rows, targets, hold, signals);
  InputSource source(rows, targets, model_.encoder());
  Session session(source, model_);
  Predictions all;
  reserve(rows.size(),
          model_.outputs() + (model_.several_classes() ? targets.new_classes.size() : 0), all);
  const auto next = [&] { return every ? session.learn(model_.batch_size()) : session.step(); };
  for (std::uint64_t learned = 0; next(); learned = session.position()) {
    append(session.predictions(), all);
    rows_learned_ += session.position() - learned;
    if (session.position() < rows.size()) hold.pause_for(signals);
  }
  return all;
}

}  // namespace plumbline::python

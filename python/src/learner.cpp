#include "learner.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "plumbline/core/error.h"
#include "plumbline/model/config.h"

namespace plumbline::python {
namespace {

PipelineConfig config_from(const std::string& json) {
  return overlay(pipeline_preset("auto"), json);
}

}  // namespace

std::unique_ptr<Learner> Learner::numeric(const std::string& config,
                                          std::vector<std::string> features,
                                          const std::vector<std::string>& classes,
                                          bool multiclass) {
  const PipelineConfig parsed = config_from(config);
  Schema schema{.features = std::move(features)};
  if (multiclass) {
    schema.classes = classes;
  } else {
    schema.negative = classes.at(0);
    schema.positive = classes.at(1);
  }
  check(schema);
  return std::make_unique<Learner>(
      Pipeline(parsed, Encoder::numeric(parsed.encoder, std::move(schema))));
}

std::unique_ptr<Learner> Learner::for_rows(const std::string& config, const Reader& reader,
                                           const std::vector<Encoder::SampleRow>& sample,
                                           const ColumnChoices& choices,
                                           std::vector<std::string>& notes) {
  const PipelineConfig parsed = config_from(config);
  return std::make_unique<Learner>(
      Pipeline(parsed, Encoder::fit(parsed.encoder, reader, sample, choices, notes)));
}

std::size_t Learner::outputs() const {
  return look([](const Pipeline& pipeline) { return pipeline.outputs(); });
}

std::vector<double> Learner::predict(const Matrix& rows, bool scores) const {
  const std::shared_lock lock(mutex_);
  const std::size_t count = rows.shape(0), outputs = pipeline_.outputs();
  std::vector<double> said(count * outputs), other(said.size());
  thread_local Minibatch batch(0);
  if (batch.columns() != pipeline_.schema().size()) batch = Minibatch(pipeline_.schema().size());
  constexpr std::size_t kSome = 256;  // stay in the cache
  for (std::size_t first = 0; first < count; first += kSome) {
    const std::size_t some = std::min(kSome, count - first);
    fill(batch, rows, nullptr, first, some);
    const auto part = [&](std::vector<double>& all) {
      return std::span(all).subspan(first * outputs, some * outputs);
    };
    pipeline_.predict(batch, part(scores ? said : other), part(scores ? other : said));
  }
  return said;
}

std::vector<double> Learner::step(const Matrix& rows, const Labels& labels) {
  const std::unique_lock lock(mutex_);
  const std::size_t count = rows.shape(0);
  if (labels.shape(0) != count) {
    throw Error(ErrorKind::data,
                fmt::format("X has {} rows, but y has {}", count, labels.shape(0)));
  }
  const std::size_t outputs = pipeline_.outputs(), classes = std::max<std::size_t>(2, outputs);
  std::vector<double> probabilities(count * outputs);
  scores_.resize(pipeline_.batch_size() * outputs);
  if (batch_.columns() != pipeline_.schema().size()) batch_ = Minibatch(pipeline_.schema().size());
  const auto* const y = static_cast<const std::uint8_t*>(labels.data());
  if (const auto* bad = std::find_if(y, y + count, [&](auto k) { return k >= classes; });
      bad != y + count) {
    throw Error(ErrorKind::data, fmt::format("label {} of row {} is none of {} classes", *bad,
                                             bad - y + 1, classes));
  }
  check_numbers(rows, pipeline_.schema().size());
  for (std::size_t first = 0; first < count; first += pipeline_.batch_size()) {
    const std::size_t some = std::min(pipeline_.batch_size(), count - first);
    fill(batch_, rows, y, first, some);
    pipeline_.step(batch_, std::span(scores_).first(some * outputs),
                   std::span(probabilities).subspan(first * outputs, some * outputs));
  }
  return probabilities;
}

std::vector<double> Learner::predict(Reader& reader) const {
  const std::shared_lock lock(mutex_);
  Rows rows(reader, std::as_const(pipeline_).encoder(), {});
  Minibatch batch(pipeline_.schema().size());
  std::vector<double> probabilities, scores;
  constexpr std::size_t kSome = 256;
  while (rows.read(batch, kSome)) {
    const std::size_t before = probabilities.size(), more = batch.rows() * pipeline_.outputs();
    probabilities.resize(before + more);
    scores.resize(more);
    pipeline_.predict(batch, scores, std::span(probabilities).subspan(before));
  }
  return probabilities;
}

// New classes may come with any minibatch, so that rows may have fewer probabilities than later ones.
std::vector<double> Learner::step(Reader& reader) {
  const std::unique_lock lock(mutex_);
  Rows rows(reader, pipeline_.encoder(), {});
  Minibatch batch(pipeline_.schema().size());
  std::vector<std::pair<std::size_t, std::vector<double>>> pieces;
  std::size_t count = 0;
  while (rows.read(batch, pipeline_.batch_size())) {
    const std::size_t outputs = pipeline_.outputs();
    std::vector<double> said(batch.rows() * outputs);
    scores_.resize(said.size());
    pipeline_.step(batch, scores_, said);
    count += batch.rows();
    pieces.emplace_back(outputs, std::move(said));
  }
  const std::size_t outputs = pipeline_.outputs();
  std::vector<double> all(count * outputs);
  auto to = all.begin();
  for (const auto& [width, said] : pieces) {
    for (auto from = said.begin(); from != said.end(); from += static_cast<std::ptrdiff_t>(width)) {
      std::copy_n(from, width, to);
      to += static_cast<std::ptrdiff_t>(outputs);
    }
  }
  return all;
}

std::vector<std::byte> Learner::to_bytes() {
  const std::unique_lock lock(mutex_);  // the model may have to grow first
  return pipeline_.to_bytes();
}

void Learner::save(const std::string& path) {
  const std::unique_lock lock(mutex_);
  pipeline_.save(path);
}

}  // namespace plumbline::python

// Templates of MulticlassModel that several of its files use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "plumbline/model/multiclass_model.h"
#include "plumbline/threads/parallel_for.h"
#include "plumbline/threads/thread_pool.h"

namespace plumbline::inline v0 {

// The smallest number of classes with a temperature; a single binary model is calibrated already.
inline constexpr std::size_t kSharpened = 3;

// The product of rows, models, learners and features (plus a constant) from which on threads pay: at least 30
// microseconds of work, of which waking a thread takes 3 (bench/threads).
inline constexpr std::size_t kWorthThreads = 20000;

// The scope of a binary model in model files.
inline std::string scope_of(std::size_t of, std::optional<std::size_t> against) {
  return against ? fmt::format("pair{}_{}", *against + 1, of + 1) : fmt::format("class{}", of + 1);
}

template <class Body>
void MulticlassModel::for_each_model(const Body& body) const {
  for (std::size_t j = 0; j < classes(); ++j) {
    if (!seen(j)) continue;
    if (!pairs()) body(j, j, std::optional<std::size_t>());
    for (std::size_t i = 0; pairs() && i < j; ++i) {
      if (seen(i)) body(pair_index(i, j), j, std::optional(i));
    }
  }
}

template <class Body>
void MulticlassModel::on_threads(std::size_t count, std::size_t rows, const Body& body) const {
  const std::size_t work =
      rows * count * static_cast<std::size_t>(config_.ensemble.size) * (features_.count + 16);
  parallel_for(count, work < kWorthThreads ? 1 : allowed_threads(), body);
}

template <class Learn>
void MulticlassModel::teach(std::span<const Binary> models, const Examples& examples,
                            bool needs_inputs, const Learn& learn) {
  selections_.resize(std::max(selections_.size(), allowed_threads()));
  taught_.resize(models.size());
  on_threads(models.size(), examples.size(), [&](std::size_t i, std::size_t worker) {
    Selection& selection = selections_[worker];
    const Examples selected = examples_for(models[i], examples, selection);
    ScoreInputs inputs;
    if (needs_inputs) {
      inputs = inputs_for(models[i], examples.size(), selection.indices, scratch_, selection.given);
    }
    taught_[i] = learn(models[i], selected, inputs);
  });
  for (const RoundRecord& record : taught_) {
    if (record.round > 0) records_.push_back(record);
  }
}

}  // namespace plumbline::inline v0

// Items under way: predicted or learned together, each with a result of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "serve/hosting.h"
#include "serve/items.h"
#include "serve/problem.h"

namespace plumbline::serve {

struct ItemBatch {
  ItemBatch(HostedPointer of, std::function<void(const ItemBatch&)> when_done)
      : hosted(std::move(of)), done(std::move(when_done)) {}

  ServedModel& model() const { return hosted->model; }
  ItemCounts& counts() const { return hosted->counts; }
  // Adds the item of a text, or its mistake.
  void add(ParsedItems parsed);
  // Records the mistake as the result of item i.
  void refuse(std::size_t i, int status, std::string detail);
  // The result of item i as JSON, or {"error": …}.
  void append_result(std::size_t i, std::string& json) const;

  const HostedPointer hosted;
  const std::function<void(const ItemBatch&)> done;
  std::vector<Item> items{};
  std::vector<Problem> problems{};
  std::vector<std::string> results{};  // JSON; empty where there is a problem
  std::vector<Forecast> forecasts{};
  std::uint64_t learned = 0;
  std::vector<std::string> classes{};
  std::atomic<std::size_t> parts_left = 0;  // given to the log
};

// Each calls `done` once, possibly later and from another thread.
void predict(const std::shared_ptr<ItemBatch>& batch);
void learn(const std::shared_ptr<ItemBatch>& batch);

// Of one row, for protocols with other requests.
std::size_t rows_ahead(const ServedModel& model);
// Appends the members of a prediction: "probability": …, or "class" and "probabilities", and the decision.
void append_prediction(const LearningModel& model, const std::vector<std::string>& classes,
                       std::span<const double> probabilities, std::string& json);

}  // namespace plumbline::serve

// The requests that carry items: predict and learn, as JSON or NDJSON.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "serve/http_server.h"
#include "serve/items.h"
#include "serve/problem.h"
#include "serve/served_model.h"

namespace plumbline::serve {

struct ItemLimits {
  std::size_t max_items = 100'000;
  std::uint64_t max_backlog = 1'000'000;
};

// What the requests of one model have done since the start of the server.
struct ItemCounts {
  std::atomic<std::uint64_t> predicted = 0, repeated = 0, accepted = 0, duplicates = 0, refused = 0;
};

// Each calls `reply` once, possibly later and from another thread.
void predict_items(ServedModel& model, const HttpRequest& request, const ItemLimits& limits,
                   ItemCounts& counts, const HttpReply& reply);
void learn_items(ServedModel& model, const HttpRequest& request, const ItemLimits& limits,
                 ItemCounts& counts, const HttpReply& reply);

// Of one row, for protocols with other requests.
std::size_t rows_ahead(const ServedModel& model);
// Appends the members of a prediction: "probability": …, or "class" and "probabilities", and the decision.
void append_prediction(const LearningModel& model, const std::vector<std::string>& classes,
                       std::span<const double> probabilities, std::string& json);

enum class ContentType { json, ndjson, other };
ContentType content_type(std::string_view header);

}  // namespace plumbline::serve

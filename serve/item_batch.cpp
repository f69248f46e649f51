#include "serve/item_batch.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "plumbline/decisions.h"
#include "plumbline/error.h"
#include "plumbline/io/text.h"

namespace plumbline::serve {
namespace {

constexpr std::size_t kRowsAtOnce = 256;    // predicted while the model is locked
constexpr std::size_t kItemsAtOnce = 2000;  // given to the log at once

using BatchPointer = std::shared_ptr<ItemBatch>;

void append_id(const Item& item, std::string& json) {
  if (!item.id) return;
  json += "\"id\":";
  append_json(*item.id, json);
  json += ',';
}

// ---- Predicting

void predict_rows(ItemBatch& request) {
  request.forecasts.resize(request.items.size());
  std::vector<const JsonRow*> rows;
  std::vector<std::size_t> places;
  std::vector<Forecast> forecasts;
  const std::size_t ahead = rows_ahead(request.model());
  const auto predict = [&] {
    if (rows.empty()) return;
    request.learned = request.model().model().predict(rows, ahead, forecasts);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (!forecasts[k].mistake.empty()) {
        request.refuse(places[k], 422, std::move(forecasts[k].mistake));
      }
      request.forecasts[places[k]] = std::move(forecasts[k]);
    }
    rows.clear();
    places.clear();
  };
  for (std::size_t i = 0; i < request.items.size(); ++i) {
    if (request.problems[i]) continue;
    if (!request.items[i].row) {
      request.refuse(i, 422, "the item has no 'row'");
      continue;
    }
    rows.push_back(&*request.items[i].row);
    places.push_back(i);
    if (rows.size() == kRowsAtOnce) predict();
  }
  predict();
}

void write_prediction(ItemBatch& request, std::size_t i, std::span<const double> probabilities,
                      std::uint64_t learned, const char* status) {
  std::string& json = request.results[i];
  json = "{";
  append_id(request.items[i], json);
  append_prediction(request.model().model(), request.classes, probabilities, json);
  fmt::format_to(std::back_inserter(json), ",\"learned\":{}", learned);
  if (status != nullptr) fmt::format_to(std::back_inserter(json), ",\"status\":\"{}\"", status);
  json += '}';
  ++request.counts().predicted;
}

void write_remembered(ItemBatch& request, std::size_t i, const Remembered& remembered) {
  const std::vector<double>& now = request.forecasts[i].probabilities;
  switch (remembered.status) {
    case Remembered::Status::remembered:
      return write_prediction(request, i, now, request.learned, "remembered");
    case Remembered::Status::labelled:
      return write_prediction(request, i, now, request.learned, "labelled");
    case Remembered::Status::repeated:
      ++request.counts().repeated;
      return write_prediction(request, i, remembered.probabilities, remembered.learned, "repeated");
    case Remembered::Status::other_row:
      return request.refuse(i, 409, "the id has been predicted with another row");
    case Remembered::Status::too_many:
      return request.refuse(i, 429,
                            "too many predictions wait for their labels; predict without id");
    case Remembered::Status::failed:
      return request.refuse(i, 503,
                            fmt::format("the log cannot be written: {}", remembered.reason));
  }
}

// ---- Learning

// Nothing if the item cannot be learned.
std::optional<NewLabel> new_label(ItemBatch& request, std::size_t i) {
  const Item& item = request.items[i];
  if (!item.label) {
    request.refuse(i, 422, "the item has no 'label'");
    return std::nullopt;
  }
  if (!item.id && !item.row) {
    request.refuse(i, 422, "the item has neither 'id' nor 'row'");
    return std::nullopt;
  }
  try {
    const LearningModel& model = request.model().model();
    NewLabel label{item.id, std::nullopt, model.checked_label(*item.label, item.label_is_truth)};
    if (item.row) {
      model.check_row(*item.row);
      label.row = item.row->to_json();
    }
    return label;
  } catch (const Error& error) {
    request.refuse(i, 422, error.sentence());
    return std::nullopt;
  }
}

void write_labelled(ItemBatch& request, std::size_t i, const Labelled& labelled) {
  const auto accept = [&](const char* status) {
    std::string& json = request.results[i];
    json = "{";
    append_id(request.items[i], json);
    fmt::format_to(std::back_inserter(json), "\"status\":\"{}\",\"number\":{}}}", status,
                   labelled.number);
  };
  switch (labelled.status) {
    case Labelled::Status::accepted:
      ++request.counts().accepted;
      return accept("accepted");
    case Labelled::Status::duplicate:
      ++request.counts().duplicates;
      return accept("duplicate");
    case Labelled::Status::unknown_id:
      return request.refuse(
          i, 404,
          "no prediction has this id, or it has expired; send the row with the label, or repeat it "
          "after the prediction");
    case Labelled::Status::other_row:
      return request.refuse(i, 409, "the id has been predicted with another row");
    case Labelled::Status::other_label:
      return request.refuse(
          i, 409,
          fmt::format("the id has the label '{}' already, which stays", labelled.first_label));
    case Labelled::Status::failed:
      return request.refuse(i, 503, fmt::format("the log cannot be written: {}", labelled.reason));
  }
}

// Gives the entries to the log in parts, and ends the batch after the last one. `ask` is given a part, its places
// and a function to call when it is written.
template <class Entry, class Ask>
void give_to_log(const BatchPointer& request, std::vector<Entry> entries,
                 std::vector<std::size_t> places, const Ask& ask) {
  if (entries.empty()) return request->done(*request);
  request->parts_left = (entries.size() + kItemsAtOnce - 1) / kItemsAtOnce;
  for (std::size_t first = 0; first < entries.size(); first += kItemsAtOnce) {
    const std::size_t last = std::min(first + kItemsAtOnce, entries.size());
    const auto at = [](auto& list, std::size_t i) {
      return std::make_move_iterator(list.begin() + static_cast<std::ptrdiff_t>(i));
    };
    ask(std::vector<Entry>(at(entries, first), at(entries, last)),
        std::vector<std::size_t>(at(places, first), at(places, last)));
  }
}

}  // namespace

// Those whose labels the model does not know yet.
std::size_t rows_ahead(const ServedModel& model) {
  return static_cast<std::size_t>(model.log().counts().pending() + model.backlog());
}

void append_prediction(const LearningModel& model, const std::vector<std::string>& classes,
                       std::span<const double> probabilities, std::string& json) {
  if (probabilities.size() == 1) {
    json += "\"probability\":";
    append_json(probabilities[0], json);
    if (const auto& costs = model.definition().costs) {
      json += ",\"decision\":";
      append_json(classes.at(decide(probabilities[0], *costs) ? 1 : 0), json);
    }
    return;
  }
  const auto best = std::ranges::max_element(probabilities) - probabilities.begin();
  json += "\"class\":";
  append_json(classes.at(static_cast<std::size_t>(best)), json);
  json += ",\"probabilities\":{";
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    if (k > 0) json += ',';
    append_json(classes.at(k), json);
    json += ':';
    append_json(probabilities[k], json);
  }
  json += '}';
}

void ItemBatch::refuse(std::size_t i, int status, std::string detail) {
  ++counts().refused;
  problems[i] = {status, std::move(detail)};
}

void ItemBatch::add(ParsedItems parsed) {
  const bool good = parsed.mistake.empty();
  items.push_back(good ? std::move(parsed.items.front()) : Item{});
  problems.emplace_back();
  if (!good) refuse(items.size() - 1, parsed.malformed ? 400 : 422, std::move(parsed.mistake));
}

void ItemBatch::append_result(std::size_t i, std::string& json) const {
  if (!problems[i]) {
    json += results[i];
    return;
  }
  json += '{';
  append_id(items[i], json);
  json += "\"error\":";
  append_json(problems[i], json);
  json += '}';
}

void predict(const BatchPointer& request) {
  request->results.resize(request->items.size());
  predict_rows(*request);
  const LearningModel& model = request->model().model();
  if (model.definition().costs || model.several_classes()) request->classes = model.classes();
  std::vector<NewPrediction> predictions;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < request->items.size(); ++i) {
    if (request->problems[i]) continue;
    const Item& item = request->items[i];
    const std::vector<double>& probabilities = request->forecasts[i].probabilities;
    if (!item.id) {
      write_prediction(*request, i, probabilities, request->learned, nullptr);
      continue;
    }
    predictions.push_back({*item.id, item.row->to_json(), probabilities, request->learned});
    places.push_back(i);
  }
  give_to_log(request, std::move(predictions), std::move(places),
              [&](std::vector<NewPrediction> part, std::vector<std::size_t> of) {
                request->model().log().remember(
                    std::move(part),
                    [request, of = std::move(of)](const std::vector<Remembered>& results) {
                      for (std::size_t k = 0; k < of.size(); ++k) {
                        write_remembered(*request, of[k], results[k]);
                      }
                      if (--request->parts_left == 0) request->done(*request);
                    });
              });
}

void learn(const BatchPointer& request) {
  request->results.resize(request->items.size());
  std::vector<NewLabel> labels;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < request->items.size(); ++i) {
    if (request->problems[i]) continue;
    if (std::optional<NewLabel> label = new_label(*request, i)) {
      labels.push_back(std::move(*label));
      places.push_back(i);
    }
  }
  give_to_log(request, std::move(labels), std::move(places),
              [&](std::vector<NewLabel> part, std::vector<std::size_t> of) {
                request->model().log().add(
                    std::move(part),
                    [request, of = std::move(of)](const std::vector<Labelled>& results) {
                      for (std::size_t k = 0; k < of.size(); ++k) {
                        write_labelled(*request, of[k], results[k]);
                      }
                      if (--request->parts_left == 0) request->done(*request);
                    });
              });
}

}  // namespace plumbline::serve

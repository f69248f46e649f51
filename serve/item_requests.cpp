#include "serve/item_requests.h"

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

// A request under way: its items, and a result for each.
struct ItemRequest {
  ItemRequest(ServedModel& served, ItemCounts& item_counts, HttpReply to)
      : model(served), counts(item_counts), reply(std::move(to)) {}

  // Records the mistake as the result of item i.
  void refuse(std::size_t i, int status, std::string detail) {
    ++counts.refused;
    problems[i] = {status, std::move(detail)};
  }
  void finish();

  ServedModel& model;
  ItemCounts& counts;
  HttpReply reply;
  bool several = false, ndjson = false;
  std::vector<Item> items{};
  std::vector<Problem> problems{};
  std::vector<std::string> results{};  // JSON; empty where there is a problem
  std::vector<Forecast> forecasts{};
  std::uint64_t learned = 0;
  std::vector<std::string> classes{};
  std::atomic<std::size_t> parts_left = 0;  // given to the log
};

using RequestPointer = std::shared_ptr<ItemRequest>;

void append_id(const Item& item, std::string& json) {
  if (!item.id) return;
  json += "\"id\":";
  append_json(*item.id, json);
  json += ',';
}

void ItemRequest::finish() {
  if (!several && !ndjson) {
    if (problems[0]) return reply.send(response_of(problems[0]));
    return reply.send({.body = results[0] + "\n"});
  }
  std::string body = ndjson ? "" : "{\"results\":[";
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0 && !ndjson) body += ',';
    if (problems[i]) {
      body += '{';
      append_id(items[i], body);
      body += "\"error\":";
      append_json(problems[i], body);
      body += '}';
    } else {
      body += results[i];
    }
    if (ndjson) body += '\n';
  }
  if (!ndjson) body += "]}\n";
  reply.send(
      {.type = ndjson ? "application/x-ndjson" : "application/json", .body = std::move(body)});
}

// ---- Reading

// The problem that concerns the request as a whole; otherwise its items are read.
Problem read_json(const HttpRequest& request, bool with_label, ItemRequest& to) {
  ParsedItems parsed = parse_items(request.body, with_label);
  if (!parsed.mistake.empty()) return {parsed.malformed ? 400 : 422, parsed.mistake};
  to.several = parsed.several;
  to.items = std::move(parsed.items);
  return {};
}

Problem read_lines(const HttpRequest& request, bool with_label, std::size_t most, ItemRequest& to) {
  to.ndjson = true;
  std::string_view rest = request.body;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty()) continue;
    if (to.items.size() == most) return {413, fmt::format("there are more than {} items", most)};
    ParsedItems parsed = parse_items(line, with_label);
    if (parsed.mistake.empty() && parsed.several) {
      parsed.mistake = "a line is an item, not a list of items";
    }
    const bool good = parsed.mistake.empty();
    to.items.push_back(good ? std::move(parsed.items.front()) : Item{});
    to.problems.resize(to.items.size());
    if (!good) {
      to.refuse(to.items.size() - 1, parsed.malformed ? 400 : 422, std::move(parsed.mistake));
    }
  }
  return {};
}

Problem read_items(const HttpRequest& request, bool with_label, const ItemLimits& limits,
                   ItemRequest& to) {
  if (!to.model.ready()) {
    return {503, fmt::format("the model is {}; try again later", name_of(to.model.state()))};
  }
  Problem problem;
  if (content_type(request.head.content_type) == ContentType::ndjson) {
    problem = read_lines(request, with_label, limits.max_items, to);
  } else {
    problem = read_json(request, with_label, to);
  }
  if (problem) return problem;
  if (to.items.size() > limits.max_items) {
    return {413, fmt::format("there are more than {} items", limits.max_items)};
  }
  to.problems.resize(to.items.size());
  to.results.resize(to.items.size());
  return {};
}

// ---- Predicting

void predict_rows(ItemRequest& request) {
  request.forecasts.resize(request.items.size());
  std::vector<const JsonRow*> rows;
  std::vector<std::size_t> places;
  std::vector<Forecast> forecasts;
  const std::size_t ahead = rows_ahead(request.model);
  const auto predict = [&] {
    if (rows.empty()) return;
    request.learned = request.model.model().predict(rows, ahead, forecasts);
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

void write_prediction(ItemRequest& request, std::size_t i, std::span<const double> probabilities,
                      std::uint64_t learned, const char* status) {
  std::string& json = request.results[i];
  json = "{";
  append_id(request.items[i], json);
  append_prediction(request.model.model(), request.classes, probabilities, json);
  fmt::format_to(std::back_inserter(json), ",\"learned\":{}", learned);
  if (status != nullptr) fmt::format_to(std::back_inserter(json), ",\"status\":\"{}\"", status);
  json += '}';
  ++request.counts.predicted;
}

void write_remembered(ItemRequest& request, std::size_t i, const Remembered& remembered) {
  const std::vector<double>& now = request.forecasts[i].probabilities;
  switch (remembered.status) {
    case Remembered::Status::remembered:
      return write_prediction(request, i, now, request.learned, "remembered");
    case Remembered::Status::labelled:
      return write_prediction(request, i, now, request.learned, "labelled");
    case Remembered::Status::repeated:
      ++request.counts.repeated;
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
std::optional<NewLabel> new_label(ItemRequest& request, std::size_t i) {
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
    const LearningModel& model = request.model.model();
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

void write_labelled(ItemRequest& request, std::size_t i, const Labelled& labelled) {
  const auto accept = [&](const char* status) {
    std::string& json = request.results[i];
    json = "{";
    append_id(request.items[i], json);
    fmt::format_to(std::back_inserter(json), "\"status\":\"{}\",\"number\":{}}}", status,
                   labelled.number);
  };
  switch (labelled.status) {
    case Labelled::Status::accepted:
      ++request.counts.accepted;
      return accept("accepted");
    case Labelled::Status::duplicate:
      ++request.counts.duplicates;
      return accept("duplicate");
    case Labelled::Status::unknown_id:
      return request.refuse(i, 404,
                            "no prediction has this id; send the row with the label, or repeat it "
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

// Gives the entries to the log in parts, and finishes the request after the last one. `ask` is given a part, its places
// and a function to call when it is written.
template <class Entry, class Ask>
void give_to_log(const RequestPointer& request, std::vector<Entry> entries,
                 std::vector<std::size_t> places, const Ask& ask) {
  if (entries.empty()) return request->finish();
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

ContentType content_type(std::string_view header) {
  const std::string_view type = trimmed(header.substr(0, header.find(';')));
  if (equal_ignoring_case(type, "application/json")) return ContentType::json;
  if (equal_ignoring_case(type, "application/x-ndjson")) return ContentType::ndjson;
  return ContentType::other;
}

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

void predict_items(ServedModel& model, const HttpRequest& http, const ItemLimits& limits,
                   ItemCounts& counts, const HttpReply& reply) {
  const auto request = std::make_shared<ItemRequest>(model, counts, reply);
  if (const Problem problem = read_items(http, /*with_label=*/false, limits, *request)) {
    return reply.send(response_of(problem));
  }
  predict_rows(*request);
  if (model.model().definition().costs || model.model().several_classes()) {
    request->classes = model.model().classes();
  }
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
                model.log().remember(std::move(part), [request, of = std::move(of)](
                                                          const std::vector<Remembered>& results) {
                  for (std::size_t k = 0; k < of.size(); ++k) {
                    write_remembered(*request, of[k], results[k]);
                  }
                  if (--request->parts_left == 0) request->finish();
                });
              });
}

void learn_items(ServedModel& model, const HttpRequest& http, const ItemLimits& limits,
                 ItemCounts& counts, const HttpReply& reply) {
  const auto request = std::make_shared<ItemRequest>(model, counts, reply);
  Problem problem = read_items(http, /*with_label=*/true, limits, *request);
  if (!problem && model.backlog() > limits.max_backlog) {
    problem = {429, fmt::format("{} labels wait to be learned; try again later", model.backlog())};
  }
  if (problem) return reply.send(response_of(problem));
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
                model.log().add(std::move(part), [request, of = std::move(of)](
                                                     const std::vector<Labelled>& results) {
                  for (std::size_t k = 0; k < of.size(); ++k) {
                    write_labelled(*request, of[k], results[k]);
                  }
                  if (--request->parts_left == 0) request->finish();
                });
              });
}

}  // namespace plumbline::serve

#include "serve/item_requests.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "plumbline/io/text.h"
#include "serve/item_batch.h"

namespace plumbline::serve {
namespace {

// Why the model takes no items now.
Problem obstacle(const ServedModel& model, ItemUse use, const ItemLimits& limits) {
  if (!model.ready()) {
    return {503, fmt::format("the model is {}; try again later", name_of(model.state()))};
  }
  if (use == ItemUse::learn && model.backlog() > limits.max_backlog) {
    return {429, fmt::format("{} labels wait to be learned; try again later", model.backlog())};
  }
  return {};
}

}  // namespace

ContentType content_type(std::string_view header) {
  const std::string_view type = trimmed(header.substr(0, header.find(';')));
  if (equal_ignoring_case(type, "application/json")) return ContentType::json;
  if (equal_ignoring_case(type, "application/x-ndjson")) return ContentType::ndjson;
  if (equal_ignoring_case(type, "application/octet-stream")) return ContentType::file;
  return ContentType::other;
}

void answer_items(const HostedPointer& hosted, ItemUse use, const HttpRequest& request,
                  const ItemLimits& limits, const HttpReply& reply) {
  Problem problem = obstacle(hosted->model, use, limits);
  ParsedItems parsed;
  if (!problem) {
    parsed = parse_items(request.body, use == ItemUse::learn);
    if (!parsed.mistake.empty()) {
      problem = {parsed.malformed ? 400 : 422, parsed.mistake};
    } else if (parsed.items.size() > limits.max_items) {
      problem = {413, fmt::format("there are more than {} items", limits.max_items)};
    }
  }
  if (problem) return reply.send(response_of(problem));
  const bool several = parsed.several;
  const auto batch =
      std::make_shared<ItemBatch>(hosted, [several, reply](const ItemBatch& finished) {
        if (!several) {
          if (finished.problems[0]) return reply.send(response_of(finished.problems[0]));
          return reply.send({.body = finished.results[0] + "\n"});
        }
        std::string body = "{\"results\":[";
        for (std::size_t i = 0; i < finished.items.size(); ++i) {
          if (i > 0) body += ',';
          finished.append_result(i, body);
        }
        reply.send({.body = body + "]}\n"});
      });
  batch->items = std::move(parsed.items);
  batch->problems.resize(batch->items.size());
  use == ItemUse::predict ? predict(batch) : learn(batch);
}

// ---- Lines

namespace {

constexpr const char* kLines = "application/x-ndjson";

// A request of lines: reads a part of the body, answers the lines that end in it, and asks for the next part when the
// answers are on their way. It lives as long as something is asked for.
class LineRequest : public std::enable_shared_from_this<LineRequest> {
 public:
  LineRequest(HostedPointer hosted, ItemUse use, const HttpRequest& request,
              const ItemLimits& limits, HttpReply reply)
      : hosted_(std::move(hosted)),
        use_(use),
        parts_(request.parts),
        limits_(limits),
        reply_(std::move(reply)) {}

  void read() {
    parts_->next([self = shared_from_this()](HttpPart part) { self->take(std::move(part)); });
  }

 private:
  void take(HttpPart part) {
    last_ = part.last;
    if (part.status != 0) return give_up({part.status, part.detail});
    if (rest_.empty()) {
      rest_ = std::move(part.bytes);
    } else {
      rest_ += part.bytes;
    }
    if (const Problem problem = obstacle(hosted_->model, use_, limits_)) {
      // In the middle of a stream, the client waits until the model has learned enough.
      if (problem.status != 429 || !stream_) return give_up(problem);
      return hosted_->model.when_learned([self = shared_from_this()] { self->try_again(); });
    }
    answer_whole_lines();
  }

  void try_again() {
    stream_->when_room([self = shared_from_this()](bool there) {
      if (there) self->take({.last = self->last_});
    });
  }

  void answer_whole_lines() {
    const auto batch = std::make_shared<ItemBatch>(
        hosted_, [self = shared_from_this()](const ItemBatch& finished) { self->send(finished); });
    const std::size_t end = last_ ? rest_.size() : rest_.rfind('\n') + 1;  // npos + 1 is 0
    if (end == 0 && rest_.size() > limits_.max_line) {
      return give_up({413, fmt::format("a line exceeds {} bytes", limits_.max_line)});
    }
    std::string_view lines = std::string_view(rest_).substr(0, end);
    while (!lines.empty()) {
      const std::size_t length = std::min(lines.find('\n'), lines.size());
      const std::string_view line = trimmed(lines.substr(0, length));
      lines.remove_prefix(std::min(length + 1, lines.size()));
      if (line.empty()) continue;
      ParsedItems parsed = parse_items(line, use_ == ItemUse::learn);
      if (parsed.mistake.empty() && parsed.several) {
        parsed.mistake = "a line is an item, not a list of items";
      }
      batch->add(std::move(parsed));
    }
    rest_.erase(0, end);
    use_ == ItemUse::predict ? predict(batch) : learn(batch);
  }

  void send(const ItemBatch& batch) {
    std::string answers;
    for (std::size_t i = 0; i < batch.items.size(); ++i) {
      batch.append_result(i, answers);
      answers += '\n';
    }
    // What fits into one part has an answer with a length.
    if (answers.empty() && !last_) return read();
    if (last_ && !stream_) return reply_.send({.type = kLines, .body = std::move(answers)});
    begin();
    if (!stream_) return;
    stream_->send(std::move(answers));
    if (last_) return stream_->end();
    stream_->when_room([self = shared_from_this()](bool there) {
      if (there) self->read();
    });
  }

  // Nothing more is read. The lines that have been answered stand.
  void give_up(const Problem& problem) {
    if (!stream_) return reply_.send(response_of(problem));
    std::string line = "{\"error\":";
    append_json(problem, line);
    stream_->send(line + "}\n");
    stream_->end();
  }

  void begin() {
    if (!stream_) stream_ = reply_.stream({.type = kLines}, HttpStream::Kind::body);
  }

  const HostedPointer hosted_;
  const ItemUse use_;
  const std::shared_ptr<HttpParts> parts_;
  const ItemLimits limits_;
  const HttpReply reply_;
  std::shared_ptr<HttpStream> stream_;  // once there is an answer, but not the last one
  std::string rest_;                    // bytes that have not been answered
  bool last_ = false;
};

}  // namespace

void answer_lines(const HostedPointer& hosted, ItemUse use, const HttpRequest& request,
                  const ItemLimits& limits, const HttpReply& reply) {
  std::make_shared<LineRequest>(hosted, use, request, limits, reply)->read();
}

}  // namespace plumbline::serve

// The requests that carry items: predict and learn, as JSON or as a stream of lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "serve/hosting.h"
#include "serve/http.h"

namespace plumbline::serve {

struct ItemLimits {
  std::size_t max_items = 100'000;
  std::uint64_t max_backlog = 1'000'000;
  std::size_t max_line = std::size_t{16} << 20;  // bytes
};

enum class ItemUse { predict, learn };

// Each calls `reply` once, possibly later and from another thread. Lines are read, answered and forgotten one part of
// the body after the other.
void answer_items(const HostedPointer& hosted, ItemUse use, const HttpRequest& request,
                  const ItemLimits& limits, const HttpReply& reply);
void answer_lines(const HostedPointer& hosted, ItemUse use, const HttpRequest& request,
                  const ItemLimits& limits, const HttpReply& reply);

enum class ContentType { json, ndjson, file, other };
ContentType content_type(std::string_view header);

}  // namespace plumbline::serve

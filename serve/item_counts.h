// What the requests of one model have done since the start of the server.
#pragma once

#include <atomic>
#include <cstdint>

namespace plumbline::serve {

struct ItemCounts {
  std::atomic<std::uint64_t> predicted = 0, repeated = 0, accepted = 0, duplicates = 0, refused = 0;
};

}  // namespace plumbline::serve

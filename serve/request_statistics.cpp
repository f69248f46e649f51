#include "serve/request_statistics.h"

#include <algorithm>

namespace plumbline::serve {

void RequestStatistics::add(const std::string& route, int status, double seconds) {
  const auto bound = std::ranges::lower_bound(kBounds, seconds);
  const std::lock_guard lock(mutex_);
  ++statuses_[{route, status}];
  Durations& durations = durations_[route];
  ++durations.counts[static_cast<std::size_t>(bound - kBounds.begin())];
  durations.sum += seconds;
}

std::map<std::pair<std::string, int>, std::uint64_t> RequestStatistics::statuses() const {
  const std::lock_guard lock(mutex_);
  return statuses_;
}

std::map<std::string, RequestStatistics::Durations> RequestStatistics::durations() const {
  const std::lock_guard lock(mutex_);
  return durations_;
}

}  // namespace plumbline::serve

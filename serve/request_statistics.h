// Counts and durations of requests, by route and status, for Prometheus.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace plumbline::serve {

class RequestStatistics {
 public:
  static constexpr std::array<double, 10> kBounds{0.0005, 0.001, 0.0025, 0.005, 0.01,
                                                  0.025,  0.05,  0.1,    0.5,   2.5};
  struct Durations {
    std::array<std::uint64_t, kBounds.size() + 1> counts{};
    double sum = 0;
  };

  // The route is one of a few names, not the path.
  void add(const std::string& route, int status, double seconds);
  std::map<std::pair<std::string, int>, std::uint64_t> statuses() const;
  std::map<std::string, Durations> durations() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> statuses_;
  std::map<std::string, Durations> durations_;
};

}  // namespace plumbline::serve

// The progress of many runs on standard error: a bar with the time that is left on a terminal, a line
// for each tenth of the work elsewhere.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace plumbline::cli {

class JobProgress {
 public:
  enum class Elsewhere { lines, nothing };

  explicit JobProgress(Elsewhere elsewhere);
  ~JobProgress();
  JobProgress(const JobProgress&) = delete;
  JobProgress& operator=(const JobProgress&) = delete;

  // `share` is how much of the work is done, from 0 to 1. What was done before the first call does
  // not count for the time that is left.
  void step(double share, const std::string& what);
  void hide();

  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  bool live_, lines_, ascii_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_{};
  std::optional<double> first_share_;
  int tenths_ = 0;
  bool visible_ = false;
};

}  // namespace plumbline::cli

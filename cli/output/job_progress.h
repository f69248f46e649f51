// The progress of many runs on standard error: a bar with the remaining time on a terminal, otherwise a
// line for each tenth of the work.
#pragma once

#include <optional>
#include <string>

#include "cli/output/status_line.h"
#include "cli/output/stopwatch.h"

namespace plumbline::cli {

class JobProgress {
 public:
  enum class Elsewhere { lines, nothing };

  explicit JobProgress(Elsewhere elsewhere);

  // `share` is the share of the work that is done, in [0, 1]. Work done before the first call does not
  // count in the estimate of the remaining time.
  void step(double share, const std::string& what);
  void hide() { line_.hide(); }

  double seconds() const { return clock_.seconds(); }

 private:
  bool live_, lines_;
  Stopwatch clock_;
  StatusLine line_;
  std::optional<double> first_share_;
  int tenths_ = 0;
};

}  // namespace plumbline::cli

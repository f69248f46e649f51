// A line on standard error that is redrawn in place: a bar, if the share of the work is known, and figures.
#pragma once

#include <optional>
#include <string>

#include "cli/output/stopwatch.h"

namespace plumbline::cli {

class StatusLine {
 public:
  StatusLine() = default;
  ~StatusLine() { hide(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // `share` is how much of the work is done, from 0 to 1. The bar takes what the figures leave.
  void draw(std::optional<double> share, const std::string& figures);
  void hide();
  // Drawn so lately that an eye would not see the next one.
  bool fresh() const { return visible_ && drawn_.seconds() < 0.1; }

 private:
  Stopwatch drawn_;
  bool visible_ = false;
};

// "1:05:09", "0:07".
std::string duration_text(double seconds);

}  // namespace plumbline::cli

// A status line on standard error that is redrawn in place: a bar, if the share of the work is known, and figures.
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

  // `share` is the share of the work that is done, in [0, 1]. The bar fills the space left by the figures.
  void draw(std::optional<double> share, const std::string& figures);
  void hide();
  // True if the line was drawn too recently for another update to be visible.
  bool fresh() const { return visible_ && drawn_.seconds() < 0.1; }

 private:
  Stopwatch drawn_;
  bool visible_ = false;
};

// "1:05:09", "0:07".
std::string duration_text(double seconds);

}  // namespace plumbline::cli

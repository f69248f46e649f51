#include "cli/output/status_line.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "cli/output/messages.h"
#include "cli/output/terminal.h"
#include "report/terminal.h"

namespace plumbline::cli {

void StatusLine::draw(std::optional<double> share, const std::string& figures) {
  const int width = terminal_width() - 1;
  std::string line = figures;
  if (share) {
    const std::string text = fmt::format(" {:>3.0f} %  {}", 100 * *share, figures);
    const int room = std::clamp(width - static_cast<int>(text.size()), 4, 24);
    line = report::bar(*share, room, !terminal_shows_unicode()) + text;
  }
  // Returns to the beginning of the line, and erases what is right of the text.
  show(fmt::format("\r{}\x1b[K", fitted(line, static_cast<std::size_t>(width))));
  drawn_ = Stopwatch();
  visible_ = true;
}

void StatusLine::hide() {
  if (!visible_) return;
  show("\r\x1b[K");
  visible_ = false;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::min(std::max(seconds, 0.0), 1e9) + 0.5);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace plumbline::cli

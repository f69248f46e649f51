#include "cli/output/job_progress.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "cli/output/messages.h"
#include "cli/output/progress.h"
#include "report/terminal.h"

namespace plumbline::cli {

JobProgress::JobProgress(Elsewhere elsewhere)
    : live_(stderr_is_terminal()),
      lines_(!live_ && elsewhere == Elsewhere::lines),
      ascii_(!terminal_shows_unicode()) {}

JobProgress::~JobProgress() { hide(); }

double JobProgress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void JobProgress::step(double share, const std::string& what) {
  if (!first_share_) {
    first_share_ = share;
    tenths_ = static_cast<int>(10 * share);
  }
  const double done = share - *first_share_, left = 1 - share;
  const std::string time =
      done > 0.005 ? "ETA " + duration_text(seconds() * left / done) : duration_text(seconds());
  if (lines_ && static_cast<int>(10 * share) > tenths_) {
    tenths_ = static_cast<int>(10 * share);
    show(fmt::format("{:>3.0f} %  {}  {}\n", 100 * share, what, time));
  }
  if (!live_) return;
  const auto now = Clock::now();
  if (visible_ && share < 1 && now - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  const std::string text = fmt::format(" {:>3.0f} %  {}  {}", 100 * share, what, time);
  const int room = terminal_width() - 1 - static_cast<int>(text.size());
  show(fmt::format("\r{}\x1b[K", fitted(report::bar(share, std::clamp(room, 4, 30), ascii_) + text,
                                        static_cast<std::size_t>(terminal_width() - 1))));
  visible_ = true;
}

void JobProgress::hide() {
  if (!visible_) return;
  show("\r\x1b[K");
  visible_ = false;
}

}  // namespace plumbline::cli

#include "cli/output/job_progress.h"

#include <fmt/format.h>

#include "cli/output/messages.h"
#include "cli/output/terminal.h"

namespace plumbline::cli {

JobProgress::JobProgress(Elsewhere elsewhere)
    : live_(stderr_is_terminal()), lines_(!live_ && elsewhere == Elsewhere::lines) {}

void JobProgress::step(double share, const std::string& what) {
  if (!first_share_) {
    first_share_ = share;
    tenths_ = static_cast<int>(10 * share);
  }
  const double done = share - *first_share_, left = 1 - share;
  const std::string time =
      done > 0.005 ? "ETA " + duration_text(seconds() * left / done) : duration_text(seconds());
  const std::string figures = fmt::format("{}  {}", what, time);
  if (lines_ && static_cast<int>(10 * share) > tenths_) {
    tenths_ = static_cast<int>(10 * share);
    show(fmt::format("{:>3.0f} %  {}\n", 100 * share, figures));
  }
  if (live_ && (share == 1 || !line_.fresh())) line_.draw(share, figures);
}

}  // namespace plumbline::cli

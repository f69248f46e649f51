#include "cli/output/progress.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "cli/output/messages.h"
#include "cli/output/terminal.h"

namespace plumbline::cli {

Progress::Progress(const std::string& mode) : mode_(Mode::none) {
  const char* const term = std::getenv("TERM");
  const bool live = stderr_is_terminal() && term != nullptr && std::strcmp(term, "dumb") != 0;
  if (mode == "table" || (mode == "auto" && !live)) mode_ = Mode::table;
  if (mode == "bar" || (mode == "auto" && live)) mode_ = Mode::bar;
}

void Progress::step(const Recorder& recorder, std::optional<double> share) {
  if (mode_ == Mode::table && recorder.batches() >= next_row_) {
    print_row(recorder);
    next_row_ *= 2;
  } else if (mode_ == Mode::bar && !line_.fresh() && seconds() >= 0.1) {
    draw_bar(recorder, share);  // not for short runs
  }
}

void Progress::print_row(const Recorder& recorder) {
  if (row_examples_ == 0) {
    show(fmt::format("{:>12} {:>10} {:>10} {:>8} {:>11} {:>12}\n", "examples", "log-loss",
                     "since last", "Brier", "calibrating", "examples/s"));
  }
  const double sum = recorder.log_loss() * static_cast<double>(recorder.examples());
  const auto since = static_cast<double>(recorder.examples() - row_examples_);
  const double rate = static_cast<double>(recorder.examples()) / std::max(seconds(), 1e-9);
  show(fmt::format("{:>12} {:>10.4f} {:>10.4f} {:>8.4f} {:>9.0f} % {:>12.0f}\n",
                   recorder.examples(), recorder.log_loss(),
                   std::max(sum - row_loss_sum_, 0.0) / since, recorder.brier(),
                   100 * recorder.calibration_share(), rate));
  row_examples_ = recorder.examples();
  row_loss_sum_ = sum;
}

void Progress::draw_bar(const Recorder& recorder, std::optional<double> share) {
  const double elapsed = seconds();
  const double rate = static_cast<double>(recorder.examples()) / std::max(elapsed, 1e-9);
  std::string line =
      fmt::format("{} examples  {}/s  log-loss {:.4f}", count_text(recorder.examples()),
                  count_text(static_cast<std::uint64_t>(rate)), recorder.log_loss());
  if (share && *share > 0.01) {
    line += fmt::format("  ETA {}", duration_text(elapsed / *share - elapsed));
  } else {
    line += fmt::format("  {}", duration_text(elapsed));
  }
  line_.draw(share, line);
}

void Progress::finish(const Recorder& recorder) {
  hide();
  if (mode_ == Mode::table && recorder.examples() > row_examples_) print_row(recorder);
}

}  // namespace plumbline::cli

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

void Progress::step(const Figures& figures, std::optional<double> share) {
  if (mode_ == Mode::table && figures.batches >= next_row_) {
    print_row(figures);
    while (next_row_ <= figures.batches) next_row_ *= 2;
  } else if (mode_ == Mode::bar && !line_.fresh() && seconds() >= 0.1) {
    draw_bar(figures, share);  // not for short runs
  }
}

void Progress::print_row(const Figures& figures) {
  if (row_examples_ == 0) {
    show(fmt::format("{:>12} {:>10} {:>10} {:>8}{} {:>12}{}\n", "examples", "log-loss",
                     "since last", "Brier", figures.calibrating ? " calibrating" : "", "examples/s",
                     figures.lag ? "        lag" : ""));
  }
  const double sum = figures.log_loss * static_cast<double>(figures.examples);
  const auto since = static_cast<double>(figures.examples - row_examples_);
  const double rate = static_cast<double>(figures.examples) / std::max(seconds(), 1e-9);
  const std::string calibrating =
      figures.calibrating ? fmt::format(" {:>9.0f} %", 100 * *figures.calibrating) : "";
  const std::string lag = figures.lag ? fmt::format(" {:>10}", *figures.lag) : "";
  show(fmt::format("{:>12} {:>10.4f} {:>10.4f} {:>8.4f}{} {:>12.0f}{}\n", figures.examples,
                   figures.log_loss, std::max(sum - row_loss_sum_, 0.0) / since, figures.brier,
                   calibrating, rate, lag));
  row_examples_ = figures.examples;
  row_loss_sum_ = sum;
}

void Progress::draw_bar(const Figures& figures, std::optional<double> share) {
  const double elapsed = seconds();
  const double rate = static_cast<double>(figures.examples) / std::max(elapsed, 1e-9);
  std::string line = fmt::format("{} examples  {}/s  log-loss {:.4f}", count_text(figures.examples),
                                 count_text(static_cast<std::uint64_t>(rate)), figures.log_loss);
  if (figures.lag) line += fmt::format("  lag {}", count_text(*figures.lag));
  if (share && *share > 0.01) {
    line += fmt::format("  ETA {}", duration_text(elapsed / *share - elapsed));
  } else {
    line += fmt::format("  {}", duration_text(elapsed));
  }
  line_.draw(share, line);
}

void Progress::finish(const Figures& figures) {
  hide();
  if (mode_ == Mode::table && figures.examples > row_examples_) print_row(figures);
}

}  // namespace plumbline::cli

#include "cli/output/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/output/messages.h"
#include "report/terminal.h"

namespace plumbline::cli {

std::string fitted(const std::string& text, std::size_t width) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts_character = (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
    if (starts_character && ++columns > width) return text.substr(0, i);
  }
  return text;
}

bool terminal_shows_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    return std::strstr(value, "UTF-8") != nullptr || std::strstr(value, "utf8") != nullptr;
  }
  return false;
}

bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

int terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::min(std::max(seconds, 0.0), 1e9) + 0.5);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string count_text(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

Progress::Progress(const std::string& mode) : mode_(Mode::none), ascii_(!terminal_shows_unicode()) {
  const char* const term = std::getenv("TERM");
  const bool live = stderr_is_terminal() && term != nullptr && std::strcmp(term, "dumb") != 0;
  if (mode == "table" || (mode == "auto" && !live)) mode_ = Mode::table;
  if (mode == "bar" || (mode == "auto" && live)) mode_ = Mode::bar;
}

Progress::~Progress() { hide(); }

double Progress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void Progress::step(const Recorder& recorder, std::optional<double> share) {
  if (mode_ == Mode::table && recorder.batches() >= next_row_) {
    print_row(recorder);
    next_row_ *= 2;
  } else if (mode_ == Mode::bar) {
    const auto now = Clock::now();
    // Not more often than an eye can see, and not at all for what is done at once.
    if (now - std::max(drawn_, start_) < std::chrono::milliseconds(100)) return;
    drawn_ = now;
    draw_bar(recorder, share);
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
  if (share) {
    // The bar takes what the figures leave.
    const std::string percent = fmt::format(" {:>3.0f} %  ", 100 * *share);
    const int room = terminal_width() - 1 - static_cast<int>(line.size() + percent.size());
    line = report::bar(*share, std::clamp(room, 4, 24), ascii_) + percent + line;
  }
  // Back to the beginning of the line, and what is right of the text is erased.
  show(fmt::format("\r{}\x1b[K", fitted(line, static_cast<std::size_t>(terminal_width() - 1))));
  visible_ = true;
}

void Progress::hide() {
  if (!visible_) return;
  show("\r\x1b[K");
  visible_ = false;
}

void Progress::finish(const Recorder& recorder) {
  hide();
  if (mode_ == Mode::table && recorder.examples() > row_examples_) print_row(recorder);
}

}  // namespace plumbline::cli

// What a long run shows on standard error while it works: a table whose rows are spaced
// exponentially, as Vowpal Wabbit's are, or a live bar on a terminal, or nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "plumbline/evaluation/recorder.h"

namespace plumbline::cli {

class Progress {
 public:
  // `mode`: auto (a bar on a terminal, else a table), table, bar or none.
  explicit Progress(const std::string& mode);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // After each minibatch; `share` is how much of the stream has been read, if that is known.
  void step(const Recorder& recorder, std::optional<double> share);
  // The last row of the table; the bar goes away.
  void finish(const Recorder& recorder);
  // Takes the bar away for a message; it comes back with the next step.
  void hide();

  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  enum class Mode { table, bar, none };

  void print_row(const Recorder& recorder);
  void draw_bar(const Recorder& recorder, std::optional<double> share);

  Mode mode_;
  bool ascii_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_{};
  bool visible_ = false;
  std::uint64_t next_row_ = 1;  // in minibatches
  // At the last row of the table.
  std::uint64_t row_examples_ = 0;
  double row_loss_sum_ = 0;
};

// "1:05:09", "0:07".
std::string duration_text(double seconds);
// 45312 as "45,312".
std::string count_text(std::uint64_t count);

// Cuts a line to so many columns: a bar that wraps cannot be redrawn.
std::string fitted(const std::string& text, std::size_t width);
// Columns of the terminal on standard error; 80 if it is none or does not say.
int terminal_width();
bool stderr_is_terminal();
// Whether the locale says that Unicode can be shown.
bool terminal_shows_unicode();

}  // namespace plumbline::cli

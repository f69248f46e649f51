// The progress of a run on standard error: a table with exponentially spaced rows, as in Vowpal Wabbit,
// or a live bar on a terminal, or nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/output/status_line.h"
#include "cli/output/stopwatch.h"
#include "cli/output/terminal.h"
#include "report/text.h"

namespace plumbline::cli {

class Progress {
 public:
  // `mode`: auto (a bar on a terminal, otherwise a table), table, bar or none.
  explicit Progress(const std::string& mode);

  // The state of the run.
  struct Figures {
    std::uint64_t examples = 0, batches = 0;
    double log_loss = 0, brier = 0;
    std::optional<double> calibrating{};  // the share of rounds that calibrated
    std::optional<std::uint64_t> lag{};   // rows that are there and not read yet
  };
  // To be called after each minibatch; `share` is the share of the stream read so far, if known.
  void step(const Figures& figures, std::optional<double> share);
  // Writes the last row of the table, or removes the bar.
  void finish(const Figures& figures);
  // Removes the bar for a message; the next step draws it again.
  void hide() { line_.hide(); }

  double seconds() const { return clock_.seconds(); }

 private:
  enum class Mode { table, bar, none };

  void print_row(const Figures& figures);
  void draw_bar(const Figures& figures, std::optional<double> share);

  Mode mode_;
  Stopwatch clock_;
  StatusLine line_;
  std::uint64_t next_row_ = 1;  // in minibatches
  // Values at the last row of the table.
  std::uint64_t row_examples_ = 0;
  double row_loss_sum_ = 0;
};

using report::count_text;

}  // namespace plumbline::cli

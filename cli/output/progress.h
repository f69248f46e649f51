// What a long run shows on standard error while it works: a table whose rows are spaced
// exponentially, as Vowpal Wabbit's are, or a live bar on a terminal, or nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/output/status_line.h"
#include "cli/output/stopwatch.h"
#include "cli/output/terminal.h"
#include "plumbline/evaluation/recorder.h"
#include "report/text.h"

namespace plumbline::cli {

class Progress {
 public:
  // `mode`: auto (a bar on a terminal, else a table), table, bar or none.
  explicit Progress(const std::string& mode);

  // After each minibatch; `share` is how much of the stream has been read, if that is known.
  void step(const Recorder& recorder, std::optional<double> share);
  // The last row of the table; the bar goes away.
  void finish(const Recorder& recorder);
  // Takes the bar away for a message; it comes back with the next step.
  void hide() { line_.hide(); }

  double seconds() const { return clock_.seconds(); }

 private:
  enum class Mode { table, bar, none };

  void print_row(const Recorder& recorder);
  void draw_bar(const Recorder& recorder, std::optional<double> share);

  Mode mode_;
  Stopwatch clock_;
  StatusLine line_;
  std::uint64_t next_row_ = 1;  // in minibatches
  // At the last row of the table.
  std::uint64_t row_examples_ = 0;
  double row_loss_sum_ = 0;
};

using report::count_text;

}  // namespace plumbline::cli

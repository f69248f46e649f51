// Settings of columns, rows and costs when a stream is read, and notes on how columns were interpreted.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "plumbline/api.h"
#include "plumbline/batch.h"
#include "plumbline/error.h"
#include "plumbline/options.h"
#include "plumbline/score_input.h"

PLUMBLINE_BEGIN_NAMESPACE

// Columns are referred to by name, or counted from 1 (from -1 backwards).
struct ColumnChoices {
  std::string label{};      // the last column if empty
  std::string positive{};   // this value against all others; the larger of two values if empty
  bool multiclass = false;  // several classes, even if no third one is among the first rows
  // All classes, in their order; those among the first rows if empty. Two of them are the negative and
  // the positive class, unless `multiclass`.
  std::vector<std::string> classes{};
  std::vector<std::string> categorical{}, numeric{}, ignore{};
  // Columns of times, which become hour of day, day of week and time since the previous row.
  std::vector<std::string> time{};
  // Columns of scores of another model, which go to the calibrator and are no features, and their meaning: one for all,
  // or one for each. Two classes only.
  std::vector<std::string> scores{};
  std::vector<ScoreInput> score_inputs{ScoreInput::probability};
  std::vector<std::string>
      missing{};  // texts that stand for a missing number, besides the usual ones
};

// A note on how columns were interpreted, and how to change that.
struct Note {
  std::string text;
  Remedies remedies{};
};

// The encoding of rows as numbers.
struct EncoderOptions {
  enum class Standardize { automatic, yes, no };

  Standardize standardize = Standardize::automatic;
  std::int64_t max_categories = 64;  // features of a categorical column; further values share one
  // Features of rows that name them; further names share features. 0 means 4096, or 262144 for sparse rows.
  std::int64_t max_features = 0;
  bool mark_missing = true;  // adds a feature that is 1 where a number is missing
  void visit(OptionVisitor& visitor);
};

// Misclassification costs of rows: fixed numbers, or columns of the stream, such as the amount of a transaction
// for the cost of missing a fraud.
struct CostOptions {
  Costs fixed{};
  // Columns of costs, which replace the fixed ones, by name or number; empty for none.
  std::string false_positive_column{}, false_negative_column{};
  // The share of the negatives that the file has kept. Each negative, and each false alarm, then stands for
  // 1/negatives_kept of them.
  double negatives_kept = 1;
};

// The rows of a stream to read, and how.
struct ReadOptions {
  bool skip_bad_rows = false;  // skips and counts bad rows; otherwise the first one is thrown
  std::uint64_t skip = 0;      // rows to skip at the beginning
  std::uint64_t limit =
      std::numeric_limits<std::uint64_t>::max();  // the largest number of good rows to read
  std::vector<std::string> ignore{};              // columns of the stream that are not in the model
  std::optional<CostOptions> costs{};             // of each row
  std::function<void(const Error&)> on_bad_row{};  // called for each row that is skipped
};

PLUMBLINE_END_NAMESPACE

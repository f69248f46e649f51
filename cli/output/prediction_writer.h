// Predictions as CSV, for `run --predictions` and `predict`.
//
//   wide, two classes:      row,label,score,probability[,decision][,ask]
//   wide, several classes:  row,label,predicted,probability=A,probability=B,…[,total_of_later_classes][,ask]
//   long:                   row,label,class,probability[,decision][,ask]; one line for each row and class
//
// The columns of a wide file are named before its first row. Classes that first occur later have no
// column of their own; the last column is the sum of their probabilities, and a message says so once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/output/output.h"
#include "plumbline/batch.h"
#include "plumbline/io/csv_writer.h"
#include "plumbline/schema.h"

namespace plumbline::cli {

class PredictionWriter {
 public:
  struct Options {
    std::string path;  // `-` is standard output
    bool append = false;
    bool long_layout = false;
    bool names = true;  // writes a line with the names of the columns
    bool decisions = false;
    bool asks = false;      // there is a label budget: whether the row's label is asked for
    bool learning = false;  // further classes may occur
  };

  // Throws an io error if the file cannot be written, or if appending and the file has other columns.
  PredictionWriter(const Options& options, const Schema& schema);

  struct Row {
    std::uint64_t number;                   // in the input file, from 1
    std::string_view label;                 // the text in the input; empty if there is none
    double score = 0;                       // for two classes
    std::span<const double> probabilities;  // of the positive class, or of each class
    std::optional<Label> decision{};
    std::uint8_t ask = 1;
  };
  void add(const Row& row);
  // Passes the added rows to the file or its buffer.
  void write();
  void flush();
  void close() { output_->close(); }

 private:
  bool several() const { return !schema_.classes.empty(); }
  std::string header(std::size_t columns) const;
  // Determines the number of classes with a column in the file to append to.
  bool has_rows_already();
  void add_wide(const Row& row);
  // The columns of both layouts after the probabilities.
  void end_line(const Row& row);
  void add_long(const Row& row);
  void tell_of_later_classes();

  Options options_;
  const Schema& schema_;
  std::size_t columns_;  // classes with a column of their own
  bool warned_ = false;
  std::unique_ptr<Output> output_;
  CsvWriter text_;
};

}  // namespace plumbline::cli

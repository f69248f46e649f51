// Rows of text from a file of any format, one after the other, in constant memory.
//
// There are two kinds of formats. In CSV and ARFF every row has one field for each column, in the
// order of `columns()`. In LibSVM and VW every row names the features that it has (the others are
// 0) and sets its label apart; such a reader has no columns. What the texts mean (numbers,
// categories, missing values, which column is the label) is for encoding/encoder.h to say.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/io/number.h"
#include "plumbline/io/source.h"

namespace plumbline {

class Error;

enum class ColumnKind { unknown, numeric, categorical };

// What a file says of one of its columns.
struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::unknown;
  std::vector<std::string> values{};  // of a categorical column that declares them

  bool operator==(const Column&) const = default;
};

struct Row {
  std::span<const std::string_view> fields{};  // one for each column, or for each of the names
  std::span<const std::string_view> names{};   // of a format without columns
  std::optional<std::string_view> label{};     // of a format without columns, if the row has one
  // The number that each field is, NaN if it is none; empty if nobody has looked (io/read_ahead.h).
  std::span<const double> numbers{};

  // As parse_number does, of the field `i`.
  bool number(std::size_t i, double& value) const {
    if (numbers.empty()) return parse_number(fields[i], value);
    value = numbers[i];
    return !std::isnan(value);
  }
};

class Stream {
 public:
  explicit Stream(std::string name) : name_(std::move(name)) {}
  virtual ~Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  const std::string& name() const { return name_; }  // of the file, for messages
  // Empty for a format whose rows name their features.
  const std::vector<Column>& columns() const { return columns_; }

  // Whether the names are the file's own; else they only count the columns.
  bool has_names() const { return has_names_; }

  // Whether numbers may have a decimal comma, as in files with another delimiter.
  bool decimal_comma() const { return decimal_comma_; }
  // Whether the next row is in memory already, so that nobody has to wait for it.
  virtual bool holds_a_row() const { return false; }

  // Reads the next row; false at the end. A row that is no row of this format throws a data error
  // with its line, and reading may go on after it.
  virtual bool next() = 0;
  // Valid until `next` is called again.
  const Row& row() const { return row_; }
  std::size_t line() const { return line_; }  // where the row begins, from 1

  // How much of the file has been read, from 0 to 1; nothing if its size is not known.
  virtual std::optional<double> share_read() const = 0;

 protected:
  [[noreturn]] void refuse(const std::string& reason, std::size_t column = 0) const;

  std::string name_;
  std::vector<Column> columns_;
  bool has_names_ = true;
  bool decimal_comma_ = false;
  Row row_;
  std::size_t line_ = 0;
};

// Whether this is wrong with one row only, so that reading may go on after it.
bool is_of_a_row(const Error& error);

}  // namespace plumbline

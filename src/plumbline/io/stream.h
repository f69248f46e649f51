// A stream of rows, one after the other, in constant memory: a file of any format, a generator, a table in memory.
//
// There are two kinds of streams. In most (CSV, ARFF, generators) every row has a field for each column, in
// the order of `columns()`. In LibSVM and VW every row names the features that it has; such a stream has no
// columns. Fields are texts, or numbers, or both. The label is one of the columns, or comes apart from them: as a
// text (LibSVM, VW), or as the index of a class (`classes()`). What texts mean (numbers, categories, missing
// values, which column is the label) is for encoding/encoder.h to say.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/data/batch.h"
#include "plumbline/io/number.h"
#include "plumbline/io/source.h"

namespace plumbline {

class Error;

enum class ColumnKind { unknown, numeric, categorical };

// What a stream says of one of its columns.
struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::unknown;
  std::vector<std::string> values{};  // of a categorical column that declares them

  bool operator==(const Column&) const = default;
};

struct Row {
  // Texts: one for each column, or for each of the names. Empty in a stream of numbers alone.
  std::span<const std::string_view> fields{};
  std::span<const std::string_view> names{};  // of a stream without columns
  std::optional<std::string_view> label{};    // a text apart from the columns
  // Fields parsed as numbers (NaN if a field is not a number, or missing); empty if not parsed yet.
  std::span<const double> numbers{};
  // The column of each number, ascending, in a sparse row of a stream with columns: others are 0.
  std::span<const std::uint32_t> columns{};
  std::optional<Label> target{};  // the index of the label's class

  std::string_view text(std::size_t i) const {
    return fields.empty() ? std::string_view{} : fields[i];
  }
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

  const std::string& name() const { return name_; }  // for messages: that of the file
  // Empty if rows name their features.
  const std::vector<Column>& columns() const { return columns_; }
  std::vector<std::string> column_names() const;
  // The names of the classes that `Row::target` counts; empty if labels are texts.
  const std::vector<std::string>& classes() const { return classes_; }

  // True if the columns' names are the stream's own; else they only count the columns.
  bool has_names() const { return has_names_; }
  // True if numbers may have a decimal comma, as in files with another delimiter.
  bool decimal_comma() const { return decimal_comma_; }
  // True if the next row is in memory already: reading it will not wait.
  virtual bool holds_a_row() const { return false; }

  // Reads the next row; false at the end. A row that is no row of this format throws a data error
  // with its line, and reading may go on after it.
  virtual bool next() = 0;
  // Valid until `next` is called again.
  const Row& row() const { return row_; }
  std::size_t line() const { return line_; }  // where the row begins, from 1

  // The share that has been read, from 0 to 1; nothing if the size is not known.
  virtual std::optional<double> share_read() const { return std::nullopt; }

 protected:
  // Takes over all that another stream says of its rows.
  void describe_as(const Stream& other);
  [[noreturn]] void refuse(const std::string& reason, std::size_t column = 0) const;

  std::string name_;
  std::vector<Column> columns_;
  std::vector<std::string> classes_;
  bool has_names_ = true;
  bool decimal_comma_ = false;
  Row row_;
  std::size_t line_ = 0;
};

// True if only one row is bad, so that reading may go on after it.
bool is_of_a_row(const Error& error);

}  // namespace plumbline

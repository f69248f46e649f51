// A stream of rows, read one at a time in constant memory: a file of any format, a generator, or a table in memory.
//
// There are two kinds of streams. In most (CSV, ARFF, generators) every row has a field for each column, in the order
// of `columns()`. In LibSVM and VW every row names its features, and the stream has no columns. Fields are texts,
// numbers, or both. The label is one of the columns, or separate: a text (LibSVM, VW), or the index of a class
// (`classes()`). The encoder (encoding/encoder.h) interprets texts: numbers, categories, missing values, the label.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/api.h"
#include "plumbline/batch.h"
#include "plumbline/error.h"
#include "plumbline/options.h"

PLUMBLINE_BEGIN_NAMESPACE

enum class ColumnKind { unknown, numeric, categorical, time };

// The description of a column by its stream.
struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::unknown;
  std::vector<std::string> values{};  // declared values of a categorical column

  bool operator==(const Column&) const = default;
};

struct Row {
  // Texts: one for each column, or for each name. Empty in a stream of numbers only.
  std::span<const std::string_view> fields{};
  std::span<const std::string_view> names{};  // feature names, in a stream without columns
  std::optional<std::string_view> label{};    // the text of a label that is not a column
  // Fields parsed as numbers (NaN if a field is not a number, or missing); empty if not parsed yet.
  std::span<const double> numbers{};
  // Sparse rows of a stream with columns: the column of each number, ascending. The other columns are 0.
  std::span<const std::uint32_t> columns{};
  std::optional<Label> target{};  // the index of the label's class

  std::string_view text(std::size_t i) const {
    return fields.empty() ? std::string_view{} : fields[i];
  }
};

class Stream {
 public:
  explicit Stream(std::string name) : name_(std::move(name)) {}
  virtual ~Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  const std::string& name() const { return name_; }  // the file's name, for messages
  // Empty if rows name their features.
  const std::vector<Column>& columns() const { return columns_; }
  std::vector<std::string> column_names() const;
  // The classes that `Row::target` indexes; empty if labels are texts.
  const std::vector<std::string>& classes() const { return classes_; }

  // True if the stream names its columns; otherwise their names only number them (x1, x2, …).
  bool has_names() const { return has_names_; }
  // True if numbers may have a decimal comma, as in files with another delimiter.
  bool decimal_comma() const { return decimal_comma_; }
  // True if the next row is in memory, so that reading it will not block.
  virtual bool holds_a_row() const { return false; }

  // Reads the next row; false at the end. Throws a data error with the line of a malformed row; reading
  // may continue after it.
  virtual bool next() = 0;
  // Valid until the next call of `next`.
  const Row& row() const { return row_; }
  std::size_t line() const { return line_; }  // the first line of the row, counted from 1

  // The share of the stream read so far, in [0, 1]; empty if the size is unknown.
  virtual std::optional<double> share_read() const { return std::nullopt; }

 protected:
  // Copies the description of another stream: columns, classes, names, decimal comma.
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

// True if the error concerns a single row, so that reading may continue after it.
bool is_of_a_row(const Error& error);

struct CsvOptions {
  std::optional<char> delimiter;  // detected if empty
  std::optional<bool> header;     // detected if empty: a first row unlike the second one
  // Expected column names, if known: a first row with one of these names, or without any number, is the header.
  // Detection then does not wait for the second row.
  std::vector<std::string> names{};
};

struct OpenOptions {
  std::string format{};  // a format's name; detected if empty
  CsvOptions csv{};      // used for CSV only
  // If a signal interrupts a read while this is true, the read ends as at the end of the file.
  const std::atomic<bool>* interrupted = nullptr;
  // Lets another thread read a file ahead; the rows are the same.
  bool read_ahead = false;
};

// Opens a file (`-` is standard input). Unless the format is named, it is detected from the content or
// the extension; the fallback is CSV.
std::unique_ptr<Stream> open_stream(const std::string& path, const OpenOptions& options = {});

// A synthetic stream, given by the name of its generator (docs/components.md) and a seed. It never ends: set a limit
// when reading it.
std::unique_ptr<Stream> open_generator(const Spec& generator, std::uint64_t seed = 1);

// ---- The first rows

// A row that owns its texts.
struct SampleRow {
  std::vector<std::string> fields{}, names{};
  std::optional<std::string> label{};
  std::vector<double> numbers{};
  std::optional<Label> target{};
};

class SampledStream : public Stream {
 public:
  static constexpr std::size_t kRows = 1000;

  // Reads up to `rows` rows, at most 16 MiB. An interruption ends the sample, and is rethrown after its
  // rows have been read.
  explicit SampledStream(std::unique_ptr<Stream> reader, std::size_t rows = kRows);

  // The good rows of the sample; errors of the others are thrown when they are read.
  const std::vector<SampleRow>& sample() const { return sample_; }

  // Throws the error of the first row if the sample has no good row.
  void need_a_row() const;

  bool holds_a_row() const override { return !held_.empty(); }
  bool next() override;
  std::optional<double> share_read() const override { return reader_->share_read(); }

 private:
  struct Held {
    std::size_t line;
    std::exception_ptr error;  // of a malformed row; null for a good one
    std::size_t index;         // of a good row in sample_
  };
  void show(const SampleRow& row);

  std::unique_ptr<Stream> reader_;
  std::vector<SampleRow> sample_;
  std::deque<Held> held_;
  std::vector<std::string_view> fields_, names_;
};

PLUMBLINE_END_NAMESPACE

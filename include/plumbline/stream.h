// A stream of rows, one after the other, in constant memory: a file of any format, a generator, a table in memory.
//
// There are two kinds of streams. In most (CSV, ARFF, generators) every row has a field for each column, in
// the order of `columns()`. In LibSVM and VW every row names the features that it has; such a stream has no
// columns. Fields are texts, or numbers, or both. The label is one of the columns, or comes apart from them: as a
// text (LibSVM, VW), or as the index of a class (`classes()`). What texts mean (numbers, categories, missing
// values, which column is the label) is for encoding/encoder.h to say.
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

struct CsvOptions {
  std::optional<char> delimiter;  // else found out
  std::optional<bool> header;     // else found out: a first row unlike the second one
  // What a header would say, if that is known: a first row with one of these names, or with no number
  // at all, is the header, and the second row need not be awaited.
  std::vector<std::string> names{};
};

struct OpenOptions {
  std::string format{};  // a name of the table; else found out
  CsvOptions csv{};      // for CSV alone
  // When a signal interrupts a read while this is true, that is the end of the file.
  const std::atomic<bool>* interrupted = nullptr;
  // Whether a thread may read a file ahead; the rows are the same.
  bool read_ahead = false;
};

// Opens a file (`-` is standard input) of the format that is named, or else of the one that its
// content shows, or its extension names, or CSV.
std::unique_ptr<Stream> open_stream(const std::string& path, const OpenOptions& options = {});

// A stream of examples that are computed, by the name of its generator and a seed (docs/components.md). It has no
// end: give a limit to what reads it.
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

  // Reads up to `rows` rows, and up to 16 MiB of them. An interruption ends the sample, and is
  // thrown when its rows have been read.
  explicit SampledStream(std::unique_ptr<Stream> reader, std::size_t rows = kRows);

  // The good ones among the first rows; what is wrong with others is said when they are read.
  const std::vector<SampleRow>& sample() const { return sample_; }

  // Throws the error of the first row if there is no good one among the first rows.
  void need_a_row() const;

  bool holds_a_row() const override { return !held_.empty(); }
  bool next() override;
  std::optional<double> share_read() const override { return reader_->share_read(); }

 private:
  struct Held {
    std::size_t line;
    std::exception_ptr error;  // of a row that is none
    std::size_t index;         // of a good one in sample_
  };
  void show(const SampleRow& row);

  std::unique_ptr<Stream> reader_;
  std::vector<SampleRow> sample_;
  std::deque<Held> held_;
  std::vector<std::string_view> fields_, names_;
};

PLUMBLINE_END_NAMESPACE

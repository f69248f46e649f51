// Rows of Python's tables and dicts. They are streams too (plumbline/stream.h), so that columns are interpreted as in
// a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "input_rows.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/stream.h"

namespace plumbline::python {

namespace nb = nanobind;

// The structures of Arrow's C data interface.
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  std::int64_t length, null_count, offset, n_buffers, n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

// The rows of any object with `__arrow_c_stream__`: pandas, polars, pyarrow. Numeric columns are read as numbers, and as
// texts only on request. All chunks are fetched at once and are not copied.
class TableRows : public InputRows, public Stream {
 public:
  explicit TableRows(nb::handle table);
  ~TableRows() override;

  // Prepares for fitting an encoder: rows have the texts of all columns, and labels of these classes are separate.
  // Throws a data error for a column that is not ignored and holds neither numbers, texts nor times.
  void show_to_fit(const std::vector<std::string>& ignore, std::vector<std::string> classes);
  std::size_t size() const override { return size_; }
  void rewind(const Encoder& encoder) override;
  void add(const Encoder& encoder, Label label, RowBatch& batch) override;

  bool next() override;

 private:
  void take_schema(ArrowArrayStream& stream);
  void take_chunks(ArrowArrayStream& stream);
  void release();
  // Throws a data error if the column cannot be read.
  void check_type(std::size_t column) const;
  void read_field(std::size_t column);

  ArrowSchema schema_{};
  std::vector<ArrowArray> chunks_;
  std::size_t size_ = 0;
  std::size_t chunk_ = 0;
  std::int64_t at_ = 0;  // row in the chunk
  Binding binding_;
  std::vector<bool> needs_text_;
  std::vector<std::string> texts_;  // per column, for texts that are not views
  std::vector<std::string_view> fields_;
  std::vector<double> numbers_;
};

// Rows that name their features, like river's dicts. A text is a separate feature, "colour=red", with value 1; None and
// NaN are left out.
class NamedRows : public InputRows, public Stream {
 public:
  NamedRows() : Stream("X") {}

  // Throws a Python error if a signal handler raises one, or if a row is not a dict.
  void add_rows(const nb::list& rows);
  void add_row(const nb::dict& features);
  std::vector<SampleRow> sample() const;

  std::size_t size() const override { return ends_.size(); }
  void rewind(const Encoder& encoder) override;
  void add(const Encoder& encoder, Label label, RowBatch& batch) override;

  bool next() override;

 private:
  std::vector<std::string> names_;
  std::vector<double> numbers_;
  std::vector<std::size_t> ends_;  // the end of each row's features
  std::vector<std::string_view> views_;
};

}  // namespace plumbline::python

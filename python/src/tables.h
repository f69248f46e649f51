// Rows of Python's tables as readers (streams/reader.h), so that columns mean what they mean in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "plumbline/streams/encoder.h"
#include "plumbline/streams/reader.h"

namespace plumbline::python {

namespace nb = nanobind;

// What Arrow's C data interface fixes.
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

// The rows of any object with `__arrow_c_stream__`: pandas, polars, pyarrow. Columns of numbers are given as
// numbers; their texts only if somebody needs them. The labels, if given, are one more column.
class TableReader : public Reader {
 public:
  TableReader(nb::handle table, std::optional<std::vector<std::string>> labels);
  ~TableReader() override;

  // The texts of all columns, for the next `rows` rows.
  void need_texts(std::size_t rows) { texts_left_ = rows; }
  // Those of one column, always.
  void need_text(std::size_t column) { needs_text_[column] = true; }

  bool next() override;
  std::optional<double> share_read() const override { return std::nullopt; }

 private:
  void take_schema(bool with_labels);
  bool take_chunk();
  void read_field(std::size_t column);
  void put_number(std::size_t column, double value);

  ArrowArrayStream* stream_;  // of the capsule, which keeps it
  nb::object capsule_;
  ArrowSchema schema_{};
  ArrowArray chunk_{};
  std::int64_t at_ = 0;  // row in the chunk
  std::optional<std::vector<std::string>> labels_;
  std::size_t texts_left_ = 0;
  std::vector<bool> needs_text_;
  std::vector<std::string> texts_;  // of each column, where it is no view
  std::vector<std::string_view> fields_;
  std::vector<double> numbers_;
};

// Rows that name their features, as river's dicts do. A text is a feature of its own, "colour=red", that is
// 1; None and NaN are left out.
class NamedRows : public Reader {
 public:
  NamedRows() : Reader("X") {}

  void add(const nb::dict& features, std::optional<std::string> label);
  const std::vector<Encoder::SampleRow>& sample();

  bool next() override;
  std::optional<double> share_read() const override { return std::nullopt; }

 private:
  struct Named {
    std::size_t end;  // of its features
    std::optional<std::string> label;
  };

  std::vector<std::string> names_;
  std::vector<double> numbers_;
  std::vector<Named> rows_;
  std::size_t next_ = 0;
  std::vector<Encoder::SampleRow> sample_;
  std::vector<std::string_view> views_, fields_;
};

}  // namespace plumbline::python

#include "tables.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "plumbline/batch.h"
#include "plumbline/encoding/column_choices.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/error.h"
#include "plumbline/io/number.h"
#include "plumbline/io/time.h"

namespace plumbline::python {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool is_null(const ArrowArray& array, std::int64_t row) {
  const auto* const valid = static_cast<const std::uint8_t*>(array.buffers[0]);
  if (array.null_count == 0 || valid == nullptr) return false;
  const std::int64_t at = array.offset + row;
  return (valid[at / 8] >> (at % 8) & 1) == 0;
}

template <class T>
T value_at(const ArrowArray& array, std::int64_t row) {
  return static_cast<const T*>(array.buffers[1])[array.offset + row];
}

bool bit_at(const ArrowArray& array, std::int64_t row) {
  const std::int64_t at = array.offset + row;
  return (static_cast<const std::uint8_t*>(array.buffers[1])[at / 8] >> (at % 8) & 1) != 0;
}

template <class Offset>
std::string_view text_at(const ArrowArray& array, std::int64_t row) {
  const auto* const offsets = static_cast<const Offset*>(array.buffers[1]) + array.offset + row;
  const char* const bytes = static_cast<const char*>(array.buffers[2]);
  return {bytes + offsets[0], static_cast<std::size_t>(offsets[1] - offsets[0])};
}

// Texts of up to 12 bytes are stored in the view itself.
std::string_view viewed_text_at(const ArrowArray& array, std::int64_t row) {
  struct View {
    std::int32_t length;
    union {
      char inlined[12];
      struct {
        char prefix[4];
        std::int32_t buffer, offset;
      } far;
    };
  };
  static_assert(sizeof(View) == 16);
  const View& view = static_cast<const View*>(array.buffers[1])[array.offset + row];
  const auto length = static_cast<std::size_t>(view.length);
  if (length <= sizeof view.inlined) return {view.inlined, length};
  const char* const bytes = static_cast<const char*>(array.buffers[2 + view.far.buffer]);
  return {bytes + view.far.offset, length};
}

bool is_text(std::string_view format) { return format == "u" || format == "U" || format == "vu"; }

std::string_view text_at(std::string_view format, const ArrowArray& array, std::int64_t row) {
  if (format == "u") return text_at<std::int32_t>(array, row);
  if (format == "U") return text_at<std::int64_t>(array, row);
  return viewed_text_at(array, row);
}

bool is_number(std::string_view format) {
  return format.size() == 1 &&
         std::string_view("cCsSiIlLefg").find(format[0]) != std::string_view::npos;
}

// Points in time: days (tdD), or whole numbers of a unit (tdm, and tss:ZONE to tsn:ZONE).
bool is_time(std::string_view format) {
  return format.starts_with("td") || format.starts_with("ts");
}

// The name of a type that is neither numbers, texts nor times.
std::string name_of_type(std::string_view format) {
  if (format.starts_with("tD")) return "durations";
  if (format.starts_with("tt")) return "times of day";
  if (is_time(format)) return "times";
  if (format.starts_with('d')) return "decimal numbers";
  if (format.starts_with('z') || format.starts_with('Z') || format.starts_with('w')) return "bytes";
  if (format.starts_with('+')) return "lists or structures";
  return fmt::format("Arrow's type '{}'", format);
}

// Half precision: a sign bit, five bits of exponent, ten bits of fraction.
double half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31) value = fraction == 0 ? std::numeric_limits<double>::infinity() : kNone;
  return bits >> 15 != 0 ? -value : value;
}

bool is_truth(std::string_view format) { return format == "b"; }

double number_at(char format, const ArrowArray& array, std::int64_t row) {
  switch (format) {
    case 'c':
      return value_at<std::int8_t>(array, row);
    case 'C':
      return value_at<std::uint8_t>(array, row);
    case 's':
      return value_at<std::int16_t>(array, row);
    case 'S':
      return value_at<std::uint16_t>(array, row);
    case 'i':
      return value_at<std::int32_t>(array, row);
    case 'I':
      return value_at<std::uint32_t>(array, row);
    case 'l':
      return static_cast<double>(value_at<std::int64_t>(array, row));
    case 'L':
      return static_cast<double>(value_at<std::uint64_t>(array, row));
    case 'e':
      return half(value_at<std::uint16_t>(array, row));
    case 'f':
      return value_at<float>(array, row);
    default:
      return value_at<double>(array, row);
  }
}

// The text of a time; zones other than UTC are for showing it only.
void write_time_at(std::string_view format, const ArrowArray& array, std::int64_t row,
                   std::string& text) {
  text.clear();
  if (format == "tdD") {
    return write_time(std::int64_t{value_at<std::int32_t>(array, row)} * 86400, 0, text);
  }
  const auto value = value_at<std::int64_t>(array, row);
  const std::int64_t units = format[2] == 's'   ? 1
                             : format[2] == 'm' ? 1'000
                             : format[2] == 'u' ? 1'000'000
                                                : 1'000'000'000;
  const std::int64_t rest = (value % units + units) % units;
  write_time((value - rest) / units, static_cast<std::uint32_t>(rest * (1'000'000'000 / units)),
             text);
}

// The exact text of a number, also if a double would round it.
void write_number(char format, const ArrowArray& array, std::int64_t row, std::string& text) {
  text.clear();
  auto to = std::back_inserter(text);
  if (format == 'l') {
    fmt::format_to(to, "{}", value_at<std::int64_t>(array, row));
  } else if (format == 'L') {
    fmt::format_to(to, "{}", value_at<std::uint64_t>(array, row));
  } else {
    fmt::format_to(to, "{}", number_at(format, array, row));
  }
}

}  // namespace

TableRows::TableRows(nb::handle table) : Stream("X") {
  const nb::object capsule = table.attr("__arrow_c_stream__")();
  auto* const stream =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  try {
    take_schema(*stream);
    take_chunks(*stream);
  } catch (...) {
    release();
    throw;
  }
}

TableRows::~TableRows() { release(); }

void TableRows::release() {
  for (ArrowArray& chunk : chunks_) chunk.release(&chunk);
  if (schema_.release != nullptr) schema_.release(&schema_);
}

void TableRows::take_schema(ArrowArrayStream& stream) {
  if (stream.get_schema(&stream, &schema_) != 0 || std::string_view(schema_.format) != "+s") {
    throw Error(ErrorKind::data, "X is not a table of columns");
  }
  for (std::int64_t j = 0; j < schema_.n_children; ++j) {
    const ArrowSchema& column = *schema_.children[j];
    Column described{.name = column.name == nullptr ? "" : column.name};
    if (column.dictionary != nullptr || is_truth(column.format)) {
      described.kind = ColumnKind::categorical;
    } else if (is_number(column.format)) {
      described.kind = ColumnKind::numeric;
    } else if (is_time(column.format)) {
      described.kind = ColumnKind::time;
    }
    columns_.push_back(std::move(described));
  }
  needs_text_.resize(columns_.size());
  texts_.resize(columns_.size());
  fields_.resize(columns_.size());
  numbers_.resize(columns_.size(), kNone);
}

void TableRows::take_chunks(ArrowArrayStream& stream) {
  while (true) {
    ArrowArray chunk{};
    if (stream.get_next(&stream, &chunk) != 0) {
      const char* const why = stream.get_last_error(&stream);
      throw Error(ErrorKind::data, fmt::format("X cannot be read: {}", why == nullptr ? "" : why));
    }
    if (chunk.release == nullptr) return;
    chunks_.push_back(chunk);
    size_ += static_cast<std::size_t>(chunk.length);
  }
}

void TableRows::check_type(std::size_t j) const {
  const ArrowSchema& column = *schema_.children[j];
  const bool has_dictionary = column.dictionary != nullptr;
  const std::string_view format = has_dictionary ? column.dictionary->format : column.format;
  if (is_text(format) || is_number(format) || is_truth(format) || format == "n") return;
  if (is_time(format) && !has_dictionary) return;
  throw Error(
      ErrorKind::data,
      fmt::format("the column '{}' has {}{}, which are no numbers, texts or times; convert it",
                  columns_[j].name, has_dictionary ? "categories that are " : "",
                  name_of_type(format)),
      {}, {{Setting::ignore, columns_[j].name, "to leave it out"}});
}

void TableRows::show_to_fit(const std::vector<std::string>& ignore,
                            std::vector<std::string> classes) {
  std::vector<bool> ignored(columns_.size());
  for (const std::size_t j : find_columns(ignore, column_names())) ignored[j] = true;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    if (!ignored[j]) check_type(j);
  }
  needs_text_.assign(columns_.size(), true);
  classes_ = std::move(classes);
}

void TableRows::rewind(const Encoder& encoder) {
  chunk_ = 0;
  at_ = 0;
  line_ = 0;
  check_kind(encoder, /*named=*/false);
  // Unlike declared types of a file, numeric columns of a table may be categories.
  for (Column& column : columns_) {
    if (column.kind == ColumnKind::numeric) column.kind = ColumnKind::unknown;
  }
  binding_ = encoder.bind(*this, /*needs_label=*/false);
  for (const auto& bound : binding_.features) check_type(bound.column);
  for (const auto column : binding_.scores) check_type(column);
  for (const auto& bound : binding_.others) needs_text_[bound.column] = true;
}

void TableRows::add(const Encoder& encoder, Label label, RowBatch& batch) {
  next();
  encoder.read(*this, binding_, label, line_, batch);
}

void TableRows::read_field(std::size_t j) {
  const ArrowSchema* type = schema_.children[j];
  const ArrowArray* array = chunks_[chunk_].children[j];
  std::int64_t row = chunks_[chunk_].offset + at_;
  numbers_[j] = kNone;
  fields_[j] = {};
  if (std::string_view(type->format) == "n" || is_null(*array, row)) return;
  const bool has_dictionary = type->dictionary != nullptr;
  if (has_dictionary) {
    row = static_cast<std::int64_t>(number_at(type->format[0], *array, row));
    type = type->dictionary;
    array = array->dictionary;
    if (is_null(*array, row)) return;
  }
  if (is_number(type->format)) {
    const double value = number_at(type->format[0], *array, row);
    if (std::isnan(value)) return;
    if (!has_dictionary) numbers_[j] = value;
    if (!has_dictionary && !needs_text_[j] && std::abs(value) <= kMaxMagnitude) return;
    write_number(type->format[0], *array, row, texts_[j]);
    fields_[j] = texts_[j];
  } else if (is_time(type->format)) {
    write_time_at(type->format, *array, row, texts_[j]);
    fields_[j] = texts_[j];
  } else if (is_truth(type->format)) {
    fields_[j] = bit_at(*array, row) ? "True" : "False";  // as pandas writes it
  } else if (is_text(type->format)) {
    // A text that is a number counts as one, as in a file.
    fields_[j] = text_at(type->format, *array, row);
    double value = 0;
    if (!has_dictionary && parse_number(fields_[j], value)) numbers_[j] = value;
  }
}

bool TableRows::next() {
  while (chunk_ < chunks_.size() && at_ >= chunks_[chunk_].length) {
    ++chunk_;
    at_ = 0;
  }
  if (chunk_ == chunks_.size()) return false;
  for (std::size_t j = 0; j < static_cast<std::size_t>(schema_.n_children); ++j) read_field(j);
  ++at_;
  ++line_;  // rows count from 1
  row_ = {.fields = fields_, .numbers = numbers_};
  return true;
}

namespace {

// True for None and for pandas' NA.
bool is_missing(nb::handle value) {
  if (value.is_none()) return true;
  const std::string_view kind = Py_TYPE(value.ptr())->tp_name;
  return kind == "NAType" || kind.ends_with(".NAType");
}

std::string text_of(nb::handle text) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes != nullptr) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();
  throw Error(ErrorKind::data,
              fmt::format("{} cannot be encoded as UTF-8", nb::cast<std::string>(nb::repr(text))));
}

// For loops that hold Python's lock.
void let_signals_in() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

void NamedRows::add_rows(const nb::list& rows) {
  for (const nb::handle row : rows) {
    let_signals_in();
    if (!nb::isinstance<nb::dict>(row)) throw nb::type_error("rows have to be dicts");
    add_row(nb::borrow<nb::dict>(row));
  }
}

void NamedRows::add_row(const nb::dict& features) {
  for (const auto& [key, value] : features) {
    if (is_missing(value)) continue;
    std::string name = text_of(nb::str(key));
    if (nb::isinstance<nb::str>(value)) {
      names_.push_back(name + "=" + text_of(value));
      numbers_.push_back(1);
      continue;
    }
    const double number = PyFloat_AsDouble(value.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw Error(ErrorKind::data, fmt::format("the feature '{}' is {}; give a number or a text",
                                               name, nb::cast<std::string>(nb::repr(value))));
    }
    if (std::isnan(number)) continue;
    if (std::abs(number) > kMaxMagnitude) {
      throw Error(ErrorKind::data, fmt::format("the feature '{}' is {}; give a number of magnitude "
                                               "up to {:g}, not infinity",
                                               name, number, kMaxMagnitude));
    }
    names_.push_back(std::move(name));
    numbers_.push_back(number);
  }
  ends_.push_back(names_.size());
}

std::vector<SampleRow> NamedRows::sample() const {
  std::vector<SampleRow> all;
  std::size_t from = 0;
  for (const std::size_t end : ends_) {
    let_signals_in();
    SampleRow& one = all.emplace_back();
    for (; from < end; ++from) {
      one.names.push_back(names_[from]);
      one.fields.push_back(fmt::format("{}", numbers_[from]));
    }
  }
  return all;
}

void NamedRows::rewind(const Encoder& encoder) {
  line_ = 0;
  check_kind(encoder, /*named=*/true);
}

void NamedRows::add(const Encoder& encoder, Label label, RowBatch& batch) {
  next();
  encoder.read(*this, {}, label, line_, batch);
}

bool NamedRows::next() {
  if (line_ == ends_.size()) return false;
  const std::size_t from = line_ == 0 ? 0 : ends_[line_ - 1], end = ends_[line_];
  views_.assign(names_.begin() + static_cast<std::ptrdiff_t>(from),
                names_.begin() + static_cast<std::ptrdiff_t>(end));
  row_ = {.names = views_, .numbers = std::span(numbers_).subspan(from, end - from)};
  ++line_;
  return true;
}

}  // namespace plumbline::python

// Reads a CSV file of numbers and tells how long that took: read_csv FILE [stream].
//
// All values are kept, as pandas and pyarrow keep them; with `stream` only one row at a time is, as
// the tool itself works. Prints rows, columns, the sum of all values, and seconds of wall clock and
// of processor.

#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "plumbline/error.h"
#include "plumbline/io/csv.h"
#include "plumbline/io/number.h"

namespace {

struct Result {
  std::size_t rows = 0, columns = 0;
  double sum = 0;
};

double parse(const plumbline::CsvReader& reader, std::string_view field) {
  const std::optional<double> number = plumbline::parse_number(field);
  if (number) return *number;
  throw plumbline::Error(plumbline::ErrorKind::data, fmt::format("'{}' is no number", field),
                         {.source = reader.name(), .line = reader.line()});
}

// The rows that are kept, in blocks: none is copied when the next one comes.
class Table {
 public:
  Table(std::size_t columns, bool keep) : columns_(columns), keep_(keep) {}

  // Room for another row; the same as before if the rows are not kept.
  double* add_row() {
    if (blocks_.empty() || row_ == kBlockRows) {
      blocks_.push_back(std::make_unique_for_overwrite<double[]>(kBlockRows * columns_));
      row_ = 0;
    }
    double* const row = blocks_.back().get() + row_ * columns_;
    if (keep_) ++row_;
    return row;
  }

 private:
  static constexpr std::size_t kBlockRows = 4096;
  std::size_t columns_;
  bool keep_;
  std::vector<std::unique_ptr<double[]>> blocks_;
  std::size_t row_ = 0;  // of the last block
};

Result read(plumbline::CsvReader& reader, bool keep) {
  Result result{.rows = 0, .columns = reader.columns().size(), .sum = 0};
  Table table(result.columns, keep);
  while (reader.next()) {
    ++result.rows;
    double* value = table.add_row();
    for (const std::string_view field : reader.row().fields) {
      *value = parse(reader, field);
      result.sum += *value++;
    }
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3 || (argc == 3 && std::string_view(argv[2]) != "stream")) {
    fmt::print(stderr, "usage: read_csv FILE [stream]\n");
    return 2;
  }
  try {
    const auto wall = std::chrono::steady_clock::now();
    const std::clock_t processor = std::clock();
    plumbline::CsvReader reader(plumbline::open_source(argv[1]), argv[1]);
    const Result result = read(reader, argc == 2);
    const double processor_seconds =
        static_cast<double>(std::clock() - processor) / double{CLOCKS_PER_SEC};
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - wall;
    fmt::print("{} {} {:.17g} {:.4f} {:.4f}\n", result.rows, result.columns, result.sum,
               seconds.count(), processor_seconds);
  } catch (const plumbline::Error& error) {
    fmt::print(stderr, "read_csv: {}\n", error.what());
    return plumbline::exit_code(error.kind());
  }
  return 0;
}

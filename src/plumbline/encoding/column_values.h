// Detects columns of times and columns that only identify rows, from the first rows.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/encoding/time_column.h"
#include "plumbline/stream.h"

namespace plumbline::inline v0 {

// The values of a column among the first rows, in their order; views of them. A text is what is neither a number nor
// missing.
struct ColumnValues {
  std::size_t rows = 0;
  std::vector<double> numbers{};
  std::vector<std::string_view> texts{};
  std::vector<double> times{};  // of texts that are times

  std::size_t all() const { return numbers.size() + texts.size(); }
  std::size_t different_numbers() const;
};

using MissingTexts = std::set<std::string, std::less<>>;
ColumnValues values_of(const std::vector<SampleRow>& sample, std::size_t column,
                       const MissingTexts& missing, bool decimal_comma);

// A text now and then among many other values is a bad row, not a sign of what the column is.
inline bool are_few(std::size_t texts, std::size_t all) { return texts * 20 <= all; }

// The notation of the column's times, if it holds times: texts are enough, numbers need a name that says so as well
// as values from 2000 to 2100.
std::optional<TimeUnit> time_unit(const ColumnValues& values, std::string_view name);
// The notation of a column that the user declares as times; nothing if it has no time.
std::optional<TimeUnit> chosen_time_unit(const ColumnValues& values);
// With the parts that tell something: the hour where it is not always midnight, the gap where rows are in the order
// of their times.
TimeColumn time_column(const ColumnValues& values, TimeUnit unit);

// Why a column only identifies rows ("counts the rows"); null if it may be a feature. Real numbers never do.
const char* identifier_reason(const ColumnValues& values, std::string_view name);

}  // namespace plumbline::inline v0

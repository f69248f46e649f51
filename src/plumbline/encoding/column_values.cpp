#include "plumbline/encoding/column_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "plumbline/io/number.h"
#include "plumbline/io/text.h"
#include "plumbline/io/time.h"

namespace plumbline::inline v0 {
namespace {

// Fewer rows may be different by chance.
constexpr std::size_t kEnoughRows = 100;

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_alphanumeric(char c) {
  return is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}
char lower_case(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

// The words of a name, in lower case: "createdAt", "created_at" and "Created At" are "created", "at".
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  bool within = false;  // a word
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool hump = within && is_upper(c) && !is_upper(name[i - 1]);
    if (is_alphanumeric(c) && (!within || hump)) words.emplace_back();
    within = is_alphanumeric(c);
    if (within) words.back() += lower_case(c);
  }
  return words;
}

template <std::size_t N>
bool is_among(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

bool is_named_as_time(std::string_view name) {
  constexpr std::array<std::string_view, 3> kWords{"ts", "at", "dt"};
  constexpr std::array<std::string_view, 4> kParts{"time", "date", "stamp", "epoch"};
  return std::ranges::any_of(words_of(name), [&](const std::string& word) {
    const auto has = [&](std::string_view part) { return word.find(part) != std::string::npos; };
    return is_among(word, kWords) || std::ranges::any_of(kParts, has);
  });
}

bool is_named_as_identifier(std::string_view name) {
  constexpr std::array<std::string_view, 10> kLast{"id",  "ids", "uid", "uuid",   "guid",
                                                   "key", "no",  "nr",  "number", "index"};
  const std::vector<std::string> words = words_of(name);
  return !words.empty() && (words.front() == "id" || is_among(words.back(), kLast));
}

// From 2000 to 2100, in seconds.
bool are_recent(const std::vector<double>& numbers, double unit) {
  constexpr double kFrom = 946684800, kTo = 4102444800;
  return std::ranges::all_of(
      numbers, [&](double number) { return number >= kFrom * unit && number <= kTo * unit; });
}

bool are_whole(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double number) { return number == std::floor(number); });
}

// Each is larger than the one before, mostly by one: rows may have been left out.
bool count_up(const std::vector<double>& numbers) {
  std::size_t other_steps = 0;
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    const double step = numbers[i] - numbers[i - 1];
    if (step < 1) return false;
    if (step != 1) ++other_steps;
  }
  return are_few(other_steps, numbers.size());
}

bool are_in_order(const std::vector<double>& times) {
  std::size_t back = 0;
  for (std::size_t i = 1; i < times.size(); ++i) back += times[i] < times[i - 1] ? 1 : 0;
  return are_few(back, times.size());
}

}  // namespace

std::size_t ColumnValues::different_numbers() const {
  return std::set<double>(numbers.begin(), numbers.end()).size();
}

ColumnValues values_of(const std::vector<SampleRow>& sample, std::size_t column,
                       const MissingTexts& missing, bool decimal_comma) {
  ColumnValues values;
  for (const SampleRow& row : sample) {
    if (row.fields.empty()) continue;  // a stream of numbers alone
    ++values.rows;
    double value = row.numbers.empty() ? std::nan("") : row.numbers[column];
    const std::string_view text = trimmed(row.fields[column]);
    if (missing.contains(text)) continue;
    if (!std::isnan(value) || parse_number(text, value) ||
        parse_number_with_commas(text, decimal_comma, value)) {
      values.numbers.push_back(value);
    } else if (!is_missing(text)) {
      values.texts.push_back(text);
      if (parse_time(text, value)) values.times.push_back(value);
    }
  }
  return values;
}

std::optional<TimeUnit> time_unit(const ColumnValues& values, std::string_view name) {
  if (!values.times.empty() && are_few(values.all() - values.times.size(), values.all())) {
    return TimeUnit::text;
  }
  if (values.numbers.empty() || !are_few(values.texts.size(), values.all()) ||
      !is_named_as_time(name)) {
    return std::nullopt;
  }
  if (are_recent(values.numbers, 1)) return TimeUnit::seconds;
  if (are_recent(values.numbers, 1000)) return TimeUnit::milliseconds;
  return std::nullopt;
}

std::optional<TimeUnit> chosen_time_unit(const ColumnValues& values) {
  if (are_few(values.numbers.size(), values.all())) {
    if (values.times.empty() && !values.texts.empty()) return std::nullopt;
    return TimeUnit::text;
  }
  // Seconds above this would be in the year 5138.
  constexpr double kMostSeconds = 1e11;
  const auto is_large = [](double number) { return std::abs(number) > kMostSeconds; };
  const auto large = std::ranges::count_if(values.numbers, is_large);
  return 2 * static_cast<std::size_t>(large) > values.numbers.size() ? TimeUnit::milliseconds
                                                                     : TimeUnit::seconds;
}

TimeColumn time_column(const ColumnValues& values, TimeUnit unit) {
  std::vector<double> times = values.times;
  for (const double number : values.numbers) {
    double seconds = 0;
    if (time_from_number(number, unit, seconds)) times.push_back(seconds);
  }
  const auto is_midnight = [](double time) { return std::fmod(time, 86400) == 0; };
  TimeColumn column{.unit = unit};
  if (times.empty() || !std::ranges::all_of(times, is_midnight))
    column.parts.push_back(TimePart::hour);
  column.parts.push_back(TimePart::weekday);
  if (are_in_order(times)) column.parts.push_back(TimePart::gap);
  return column;
}

const char* identifier_reason(const ColumnValues& values, std::string_view name) {
  const std::size_t all = values.all();
  if (all < kEnoughRows) return nullptr;
  if (2 * values.texts.size() >= all) {
    const std::unordered_set<std::string_view> texts(values.texts.begin(), values.texts.end());
    const bool different = texts.size() + values.different_numbers() == all;
    return different ? "has a different text in each row" : nullptr;
  }
  if (!values.texts.empty() || !are_whole(values.numbers)) return nullptr;
  if (all == values.rows && count_up(values.numbers)) return "counts the rows";
  const bool different = is_named_as_identifier(name) && values.different_numbers() == all;
  return different ? "has a different number in each row" : nullptr;
}

}  // namespace plumbline::inline v0

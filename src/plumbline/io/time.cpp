#include "plumbline/io/time.h"

#include <chrono>
#include <iterator>

#include <fmt/format.h>

#include "plumbline/io/text.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::int64_t kDay = 86400;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes a number of exactly `count` digits off the front.
bool take_digits(std::string_view& rest, std::size_t count, int& value) {
  if (rest.size() < count) return false;
  value = 0;
  for (const char c : take(rest, count)) {
    if (!is_digit(c)) return false;
    value = 10 * value + (c - '0');
  }
  return true;
}

bool take_char(std::string_view& rest, char c) {
  if (!rest.starts_with(c)) return false;
  rest.remove_prefix(1);
  return true;
}

bool take_date(std::string_view& rest, std::int64_t& days) {
  int year = 0, month = 0, day = 0;
  if (!take_digits(rest, 4, year) || !take_char(rest, '-') || !take_digits(rest, 2, month) ||
      !take_char(rest, '-') || !take_digits(rest, 2, day) || year == 0) {
    return false;
  }
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(year), std::chrono::month(unsigned(month)),
                            std::chrono::day(unsigned(day))};
  if (!date.ok()) return false;
  days = sys_days(date).time_since_epoch().count();
  return true;
}

// Digits behind a point or a comma; there need not be any.
bool take_fraction(std::string_view& rest, double& fraction) {
  fraction = 0;
  if (!take_char(rest, '.') && !take_char(rest, ',')) return true;
  if (rest.empty() || !is_digit(rest.front())) return false;
  std::int64_t digits = 0, scale = 1;
  for (; !rest.empty() && is_digit(rest.front()); rest.remove_prefix(1)) {
    if (scale == 1'000'000'000) continue;  // smaller ones would be lost in a double
    digits = 10 * digits + (rest.front() - '0');
    scale *= 10;
  }
  fraction = static_cast<double>(digits) / static_cast<double>(scale);
  return true;
}

bool take_time_of_day(std::string_view& rest, std::int64_t& seconds, double& fraction) {
  int hour = 0, minute = 0, second = 0;
  if (!take_digits(rest, 2, hour) || !take_char(rest, ':') || !take_digits(rest, 2, minute)) {
    return false;
  }
  if (take_char(rest, ':') && (!take_digits(rest, 2, second) || !take_fraction(rest, fraction))) {
    return false;
  }
  seconds = std::int64_t{hour} * 3600 + minute * 60 + second;
  return hour < 24 && minute < 60 && second <= 60;  // a leap second is the next minute's first
}

// The offset of the zone from UTC; nothing if there is no zone.
bool take_zone(std::string_view& rest, std::int64_t& offset) {
  offset = 0;
  skip_blanks(rest);
  if (rest.empty() || take_char(rest, 'Z') || take_char(rest, 'z')) return true;
  if (rest == "UTC" || rest == "GMT") {
    rest = {};
    return true;
  }
  const bool west = rest.front() == '-';
  if (!west && rest.front() != '+') return false;
  rest.remove_prefix(1);
  int hours = 0, minutes = 0;
  if (!take_digits(rest, 2, hours)) return false;
  take_char(rest, ':');
  if (!rest.empty() && !take_digits(rest, 2, minutes)) return false;
  offset = (std::int64_t{hours} * 60 + minutes) * 60;
  if (west) offset = -offset;
  return hours < 24 && minutes < 60;
}

}  // namespace

bool parse_time(std::string_view text, double& seconds) {
  constexpr std::size_t kShortest = 10;
  if (text.size() < kShortest) return false;
  text = trimmed(text);
  std::int64_t days = 0, of_day = 0, offset = 0;
  double fraction = 0;
  if (!take_date(text, days)) return false;
  if (!text.empty()) {
    const char separator = take(text, 1).front();
    if (separator != 'T' && separator != 't' && separator != ' ') return false;
    if (!take_time_of_day(text, of_day, fraction) || !take_zone(text, offset)) return false;
  }
  seconds = static_cast<double>(days * kDay + of_day - offset) + fraction;
  return text.empty() && seconds >= kEarliestTime && seconds <= kLatestTime;
}

void write_time(std::int64_t seconds, std::uint32_t nanoseconds, std::string& text) {
  using namespace std::chrono;
  std::int64_t days = seconds / kDay, of_day = seconds % kDay;
  if (of_day < 0) {
    --days;
    of_day += kDay;
  }
  const auto to = std::back_inserter(text);
  const double day_time = static_cast<double>(days) * static_cast<double>(kDay);
  if (day_time < kEarliestTime || day_time > kLatestTime) {
    fmt::format_to(to, "{} s", seconds);  // no time that can be read
    return;
  }
  const year_month_day date{sys_days(std::chrono::days(days))};
  fmt::format_to(to, "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", int(date.year()),
                 unsigned(date.month()), unsigned(date.day()), of_day / 3600, of_day / 60 % 60,
                 of_day % 60);
  if (nanoseconds > 0) fmt::format_to(to, ".{:09}", nanoseconds);
}

}  // namespace plumbline::inline v0

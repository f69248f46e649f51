#include "cli/options/value.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "plumbline/error.h"
#include "plumbline/io/number.h"

namespace plumbline::cli {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& wanted) {
  throw Error(ErrorKind::config, fmt::format("'{}' is not {}", text, wanted));
}

// "in (0, 1]", "above 0"
std::string real_range(const Range& range) {
  const std::string text = range.text();
  return text[0] == '(' || text[0] == '[' ? "in " + text : text;
}

template <class To>
Value number_into(To& to, const Range& range) {
  return {.set = [&to, range](const Words& words) { to = parse_real(words[0], range); },
          .range = real_range(range)};
}

}  // namespace

template <std::integral T>
std::string whole_range(T low, T high) {
  using Limits = std::numeric_limits<T>;
  if (Limits::is_signed && low == Limits::min() && high == Limits::max()) return "";
  const bool largest = std::cmp_equal(high, std::numeric_limits<std::uint64_t>::max());
  return fmt::format("from {} to {}", low, largest ? "2^64 - 1" : std::to_string(high));
}

template <std::integral T>
T parse_whole(const std::string& text, T low, T high) {
  T number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || number < low || number > high) {
    const std::string range = whole_range(low, high);
    refuse(text, "a whole number" + (range.empty() ? range : " " + range));
  }
  return number;
}

template std::int64_t parse_whole(const std::string&, std::int64_t, std::int64_t);
template std::uint64_t parse_whole(const std::string&, std::uint64_t, std::uint64_t);
template std::string whole_range(std::int64_t, std::int64_t);
template std::string whole_range(std::uint64_t, std::uint64_t);

double parse_real(const std::string& text, const Range& range) {
  const std::optional<double> number = parse_number(text);
  if (!number || !range.holds(*number)) refuse(text, "a number " + real_range(range));
  return *number;
}

Value flag(bool& to) {
  return {.set = [&to](const Words&) { to = true; }};
}

Value text(std::string& to) {
  return {.set = [&to](const Words& words) { to = words[0]; }};
}

Value path(std::string& to) {
  return {.set = [&to](const Words& words) {
    if (words[0].empty()) throw Error(ErrorKind::config, "the path is empty");
    to = words[0];
  }};
}

Value texts(Words& to, char separator) {
  return {
      .set = [&to](const Words& words) { to = words; }, .repeatable = true, .separator = separator};
}

Value number(double& to, const Range& range) { return number_into(to, range); }
Value number(std::optional<double>& to, const Range& range) { return number_into(to, range); }

}  // namespace plumbline::cli

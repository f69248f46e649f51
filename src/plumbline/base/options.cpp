#include "plumbline/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plumbline/error.h"

namespace plumbline::inline v0 {
namespace {

[[noreturn]] void refuse_spec(std::string_view text, std::string_view reason) {
  throw Error(ErrorKind::config,
              fmt::format("'{}': {}; write NAME or NAME:OPTION=VALUE,OPTION=VALUE", text, reason));
}

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Accepts integers too, and texts of numbers: values from the command line are texts.
std::optional<double> as_real(const OptionValue& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* text = std::get_if<std::string>(&value)) return parse<double>(*text);
  return std::nullopt;
}

std::optional<std::int64_t> as_integer(const OptionValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  const std::optional<double> real = as_real(value);
  if (real && std::abs(*real) < 0x1p53 && std::floor(*real) == *real) {
    return static_cast<std::int64_t>(*real);
  }
  return std::nullopt;
}

// The number of insertions, deletions, replacements and swaps of neighbours that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the table over prefixes of a: the last but one, the last, and the current one.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

std::string to_string(const OptionValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

bool Range::holds(double value) const {
  return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
}

std::string Range::text() const {
  constexpr double kMax = std::numeric_limits<double>::max();
  if (low == -kMax && high == kMax) return "any number";
  if (high == kMax) return fmt::format("{} {}", low_open ? "above" : "at least", low);
  return fmt::format("{}{}, {}{}", low_open ? '(' : '[', low, high, high_open ? ')' : ']');
}

Spec::Spec(std::string_view text) {
  const std::size_t colon = text.find(':');
  name = text.substr(0, colon);
  if (name.empty()) refuse_spec(text, "the name is missing");
  std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      refuse_spec(text, fmt::format("'{}' is not OPTION=VALUE", item));
    }
    set(item.substr(0, equals), std::string(item.substr(equals + 1)));
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
  }
}

Spec& Spec::set(std::string_view option, OptionValue value) {
  const auto same = [&](const auto& entry) { return entry.first == option; };
  const auto found = std::find_if(options.begin(), options.end(), same);
  if (found == options.end()) {
    options.emplace_back(option, std::move(value));
  } else {
    found->second = std::move(value);
  }
  return *this;
}

std::string Spec::text() const {
  std::string result = name;
  char separator = ':';
  for (const auto& [option, value] : options) {
    result += fmt::format("{}{}={}", separator, option, to_string(value));
    separator = ',';
  }
  return result;
}

OptionReader::OptionReader(const Spec& spec, std::string owner)
    : spec_(spec), owner_(std::move(owner)) {}

const OptionValue* OptionReader::find(std::string_view name) {
  visited_.emplace_back(name);
  for (const auto& [option, value] : spec_.options) {
    if (option == name) return &value;
  }
  return nullptr;
}

void OptionReader::refuse(std::string_view option, const OptionValue& value,
                          const std::string& allowed) const {
  throw Error(ErrorKind::config, fmt::format("option '{}' of {} cannot be '{}'; it takes {}",
                                             option, owner_, to_string(value), allowed));
}

void OptionReader::finish() const {
  for (const auto& [option, value] : spec_.options) {
    if (std::find(visited_.begin(), visited_.end(), option) == visited_.end()) {
      refuse_name("option of " + owner_, option, visited_);
    }
  }
}

void OptionReader::real(std::string_view name, double& value, Range range, std::string_view) {
  const OptionValue* given = find(name);
  if (given == nullptr) return;
  const std::optional<double> number = as_real(*given);
  if (!number || !range.holds(*number)) refuse(name, *given, "a number: " + range.text());
  value = *number;
}

void OptionReader::integer(std::string_view name, std::int64_t& value, Range range,
                           std::string_view) {
  const OptionValue* given = find(name);
  if (given == nullptr) return;
  const std::optional<std::int64_t> number = as_integer(*given);
  if (!number || !range.holds(static_cast<double>(*number))) {
    refuse(name, *given, "a whole number: " + range.text());
  }
  value = *number;
}

void OptionReader::flag(std::string_view name, bool& value, std::string_view) {
  const OptionValue* given = find(name);
  if (given == nullptr) return;
  const std::string text = to_string(*given);
  if (text != "true" && text != "false") refuse(name, *given, "true or false");
  value = text == "true";
}

void OptionReader::choose(std::string_view name, std::size_t& index,
                          std::span<const std::string_view> names, std::string_view) {
  const OptionValue* given = find(name);
  if (given == nullptr) return;
  const auto found = std::find(names.begin(), names.end(), to_string(*given));
  if (found == names.end()) {
    refuse(name, *given, fmt::format("one of: {}", fmt::join(names, ", ")));
  }
  index = static_cast<std::size_t>(found - names.begin());
}

Spec without_retired(const Spec& spec, std::span<const RetiredOption> retired,
                     const std::string& owner) {
  Spec result = spec;
  for (const RetiredOption& option : retired) {
    const auto found = std::ranges::find(result.options, option.name,
                                         [](const auto& entry) { return entry.first; });
    if (found == result.options.end()) continue;
    if (as_real(found->second) != option.without_effect) {
      throw Error(
          ErrorKind::config,
          fmt::format("option '{}' of {} cannot be '{}': it was removed, and only {}, which "
                      "had no effect, is still accepted; leave it out",
                      option.name, owner, to_string(found->second), option.without_effect));
    }
    result.options.erase(found);
  }
  return result;
}

void OptionLister::real(std::string_view name, double& value, Range range, std::string_view help) {
  options.push_back({std::string(name), value, range.text(), {}, std::string(help)});
}

void OptionLister::integer(std::string_view name, std::int64_t& value, Range range,
                           std::string_view help) {
  options.push_back({std::string(name), value, range.text(), {}, std::string(help)});
}

void OptionLister::flag(std::string_view name, bool& value, std::string_view help) {
  options.push_back({std::string(name), value, "true or false", {}, std::string(help)});
}

void OptionLister::choose(std::string_view name, std::size_t& index,
                          std::span<const std::string_view> names, std::string_view help) {
  options.push_back({std::string(name),
                     std::string(names[index]),
                     fmt::format("{}", fmt::join(names, " | ")),
                     {names.begin(), names.end()},
                     std::string(help)});
}

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates) {
  std::optional<std::string> result;
  std::size_t best = name.size() / 2 + 1;  // larger distances are unlikely to be typing errors
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best) {
      best = distance;
      result = candidate;
    }
  }
  if (result || name.empty()) return result;
  const auto begins = [&](const std::string& candidate) { return candidate.starts_with(name); };
  const auto found = std::find_if(candidates.begin(), candidates.end(), begins);
  if (found != candidates.end() && std::none_of(found + 1, candidates.end(), begins)) {
    result = *found;
  }
  return result;
}

void refuse_name(std::string_view what, std::string_view name,
                 std::span<const std::string> candidates) {
  constexpr std::size_t kMostListed = 40;
  const std::optional<std::string> meant = nearest(name, candidates);
  const auto listed = candidates.first(std::min(candidates.size(), kMostListed));
  const std::size_t others = candidates.size() - listed.size();
  throw Error(ErrorKind::config,
              fmt::format("unknown {} '{}';{} known: {}{}", what, name,
                          meant ? fmt::format(" did you mean '{}'?", *meant) : "",
                          candidates.empty() ? "none" : fmt::format("{}", fmt::join(listed, ", ")),
                          others > 0 ? fmt::format(" and {} more", others) : ""));
}

void refuse_second(std::string_view what, std::string_view name) {
  throw Error(ErrorKind::config, fmt::format("there is a {} '{}' already", what, name));
}

}  // namespace plumbline::inline v0

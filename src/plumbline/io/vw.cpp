#include "plumbline/io/vw.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "plumbline/io/number.h"
#include "plumbline/io/text.h"

namespace plumbline::inline v0 {
namespace {

// A long namespace before each of many features could make names without end of a short line.
constexpr std::size_t kMaxText = std::size_t{1} << 26;

bool has(std::string_view text, char c) { return text.find(c) != std::string_view::npos; }

// True if the text before the first bar can only be VW: numbers, then perhaps a tag with its quote.
bool is_sure_label(std::string_view text) {
  const bool touches = !text.empty() && !is_blank(text.back());
  std::size_t numbers = 0;
  for (;;) {
    const std::string_view word = take_word(text);
    if (word.empty()) return numbers <= 3 && !touches;
    if (word.front() == '\'') return numbers <= 3 && trimmed(text).empty();
    if (!parse_number(word)) return false;
    ++numbers;
  }
}

// Evidence of a part between bars; see VwReader::recognises.
bool is_sure_namespace(std::string_view text, bool only) {
  const bool named = !text.empty() && !is_blank(text.front());
  std::size_t words = 0;
  bool any_name = false;
  for (;;) {
    const std::string_view word = take_word(text);
    if (word.empty()) return only && !named && words > 1 && any_name;
    const std::size_t colon = word.find(':');
    const bool is_name = !parse_number(word.substr(0, colon));
    if (named && words == 0) {
      if (is_name && !trimmed(text).empty()) return true;
    } else if (colon != std::string_view::npos && colon > 0 &&
               parse_number(word.substr(colon + 1)) && (is_name || only)) {
      return true;
    }
    any_name = any_name || is_name;
    ++words;
  }
}

}  // namespace

VwReader::VwReader(std::unique_ptr<Source> source, std::string name)
    : Stream(std::move(name)), lines_(std::move(source), name_) {}

bool VwReader::recognises(std::string_view head) {
  std::string_view rest = first_line(head).text;
  const std::size_t bar = rest.find('|');
  if (bar == std::string_view::npos || rest.back() == '|') return false;
  if (!is_sure_label(take(rest, bar))) return false;
  const bool only = !has(rest.substr(1), '|');
  bool sure = false;
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the bar
    const std::string_view part = take(rest, rest.find('|'));
    if (!rest.empty() && (part.empty() || !is_blank(part.back()))) return false;
    sure = sure || is_sure_namespace(part, only);
  }
  return sure;
}

bool VwReader::next() {
  while (lines_.next()) {
    const std::string_view text = trimmed(lines_.text());
    if (text.empty()) continue;
    line_ = lines_.number();
    read_row(text);
    return true;
  }
  return false;
}

void VwReader::read_row(std::string_view text) {
  const std::size_t bar = text.find('|');
  if (bar == std::string_view::npos) {
    refuse("there is no '|' in the row; the features stand behind one");
  }
  const std::optional<std::string_view> label = read_label(take(text, bar));
  text_.clear();
  features_.clear();
  while (!text.empty()) {
    text.remove_prefix(1);  // the bar
    read_namespace(take(text, text.find('|')));
  }
  add_up_repeated();
  names_.clear();
  values_.clear();
  for (const Feature& feature : features_) {
    names_.push_back(view(feature.name));
    values_.push_back(view(feature.value));
  }
  row_ = {.fields = values_, .names = names_, .label = label};
}

std::optional<std::string_view> VwReader::read_label(std::string_view text) const {
  const bool touches = !text.empty() && !is_blank(text.back());
  text = trimmed(text);
  std::size_t last = text.size();
  while (last > 0 && !is_blank(text[last - 1])) --last;
  if (touches || text.substr(last).starts_with('\'')) text = text.substr(0, last);  // the tag

  const std::string_view label = take_word(text);
  if (label.empty()) return std::nullopt;
  if (has(label, ':') || has(label, ',') || label.front() == '\'') {
    refuse(fmt::format("the label {} is more than one number or name; that is not supported",
                       in_quotes(label)));
  }
  const std::string_view importance = take_word(text), base = take_word(text);
  if (!importance.empty() && number(importance, "importance") != 1) {
    refuse(fmt::format("example weights are not supported yet; drop the importance {}",
                       in_quotes(importance)));
  }
  if (!base.empty() && number(base, "base") != 0) {
    refuse(fmt::format("base predictions are not supported; drop the base {}", in_quotes(base)));
  }
  if (!trimmed(text).empty()) {
    refuse(fmt::format("{} is too much before the bar: label, importance, base and tag stand there",
                       in_quotes(trimmed(text))));
  }
  return label;
}

void VwReader::read_namespace(std::string_view text) {
  std::string_view space;
  double scale = 1;
  if (!text.empty() && !is_blank(text.front())) {
    const std::string_view word = take_word(text);
    const std::size_t colon = word.find(':');
    space = word.substr(0, colon);
    if (space.empty()) {
      refuse(fmt::format("a namespace must have a name before the colon of {}", in_quotes(word)));
    }
    if (colon != std::string_view::npos) scale = number(word.substr(colon + 1), "scale");
  }
  for (;;) {
    const std::string_view word = take_word(text);
    if (word.empty()) return;
    add_feature(word, space, scale);
  }
}

void VwReader::add_feature(std::string_view word, std::string_view space, double scale) {
  const std::size_t colon = word.find(':');
  const std::string_view name = word.substr(0, colon);
  const std::string_view value = colon == std::string_view::npos ? "1" : word.substr(colon + 1);
  if (name.empty()) refuse(fmt::format("the feature {} has no name", in_quotes(word)));
  if (value.empty()) refuse(fmt::format("the feature {} has no value", in_quotes(word)));
  if (has(value, ':')) {
    refuse(fmt::format("the feature {} has more than one colon", in_quotes(word)));
  }
  if (text_.size() + space.size() + word.size() > kMaxText) {
    refuse("the names of the row take more than 64 MiB with their namespaces; shorten those");
  }
  Feature feature;
  feature.name.begin = text_.size();
  if (!space.empty()) {
    text_ += space;
    text_ += '^';
  }
  text_ += name;
  feature.name.size = text_.size() - feature.name.begin;
  feature.value = scale == 1 ? own(value) : own(scale * number(value, "value"));
  features_.push_back(feature);
}

// The first of several takes the sum, and keeps its place.
void VwReader::add_up_repeated() {
  const auto name_of = [&](const Key& key) { return view(features_[key.feature].name); };
  const auto value_of = [&](const Key& key) {
    return number(view(features_[key.feature].value), "value");
  };
  order_.clear();
  for (std::size_t i = 0; i < features_.size(); ++i) {
    order_.push_back({std::hash<std::string_view>()(view(features_[i].name)), i});
  }
  std::sort(order_.begin(), order_.end(), [&](const Key& a, const Key& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    const int order = name_of(a).compare(name_of(b));
    return order != 0 ? order < 0 : a.feature < b.feature;
  });
  const std::size_t before = text_.size();
  for (std::size_t i = 0; i < order_.size();) {
    const Key first = order_[i++];
    const auto repeats = [&] {
      return i < order_.size() && order_[i].hash == first.hash &&
             name_of(order_[i]) == name_of(first);
    };
    if (!repeats()) continue;
    double sum = value_of(first);
    for (; repeats(); ++i) {
      sum += value_of(order_[i]);
      features_[order_[i].feature].name.size = 0;  // no name is empty: it is to be removed
    }
    features_[first.feature].value = own(sum);
  }
  if (text_.size() == before) return;
  std::erase_if(features_, [](const Feature& feature) { return feature.name.size == 0; });
}

double VwReader::number(std::string_view text, std::string_view what) const {
  const std::optional<double> value = parse_number(text);
  if (!value) refuse(fmt::format("the {} {} is not a number", what, in_quotes(text)));
  return *value;
}

VwReader::Piece VwReader::own(std::string_view text) {
  const std::size_t begin = text_.size();
  text_ += text;
  return {begin, text.size()};
}

VwReader::Piece VwReader::own(double value) {
  if (!std::isfinite(value)) refuse("a value is too large for a number once scaled or added up");
  const std::size_t begin = text_.size();
  fmt::format_to(std::back_inserter(text_), "{}", value);
  return {begin, text_.size() - begin};
}

}  // namespace plumbline::inline v0

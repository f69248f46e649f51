#include "plumbline/io/libsvm.h"

#include <algorithm>

#include <fmt/format.h>

#include "plumbline/io/number.h"
#include "plumbline/io/text.h"

namespace plumbline::inline v0 {
namespace {

std::string_view without_comment(std::string_view text) { return text.substr(0, text.find('#')); }

std::string_view without_leading_zeros(std::string_view digits) {
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
}

// Compares numbers without leading zeros, of any length.
bool is_less(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

bool is_feature(std::string_view word) {
  const std::size_t colon = word.find(':');
  return colon != std::string_view::npos && is_whole_number(word.substr(0, colon)) &&
         parse_number(word.substr(colon + 1)).has_value();
}

}  // namespace

LibsvmReader::LibsvmReader(std::unique_ptr<Source> source, std::string name)
    : Stream(std::move(name)), lines_(std::move(source), name_) {}

bool LibsvmReader::recognises(std::string_view head) {
  const FirstLine line = first_line(head, '#');
  std::string_view rest = without_comment(line.text);
  const std::string_view first = take_word(rest);
  const bool labelled = parse_number(first).has_value();
  if (!labelled && !is_feature(first)) return false;
  std::size_t features = 0;
  for (;;) {
    const std::string_view word = take_word(rest);
    // One pair alone, without a label, may be anything: a time of the day.
    if (word.empty()) return features > 0;
    // The last word of a line that was cut says nothing.
    if (!is_feature(word)) return features > 0 && !line.whole && rest.empty();
    ++features;
  }
}

bool LibsvmReader::next() {
  while (lines_.next()) {
    const std::string_view text = trimmed(without_comment(lines_.text()));
    if (text.empty()) continue;
    line_ = lines_.number();
    read_row(text);
    return true;
  }
  return false;
}

void LibsvmReader::read_row(std::string_view text) {
  names_.clear();
  values_.clear();
  ascending_ = true;
  std::optional<std::string_view> label;
  std::string_view word = take_word(text);
  if (word.find(':') == std::string_view::npos) {
    if (word.find(',') != std::string_view::npos) {
      refuse(fmt::format("{} is a list of labels; a row can have one label only", in_quotes(word)));
    }
    label = word;
    word = take_word(text);
  }
  for (; !word.empty(); word = take_word(text)) add_feature(word);
  if (!ascending_) refuse_repeated_names();
  row_ = {.fields = values_, .names = names_, .label = label};
}

void LibsvmReader::add_feature(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos) {
    refuse(fmt::format("{} is no feature; a feature is written INDEX:VALUE", in_quotes(word)));
  }
  const std::string_view index = word.substr(0, colon), value = word.substr(colon + 1);
  if (index == "qid") {
    refuse(fmt::format("{} is for ranking, which is not supported; remove it", in_quotes(word)));
  }
  if (!is_whole_number(index)) {
    refuse(fmt::format("the index of the feature {} must be a whole number of at least 0",
                       in_quotes(word)));
  }
  if (value.empty()) refuse(fmt::format("the feature {} has no value", in_quotes(word)));
  if (value.find(':') != std::string_view::npos) {
    refuse(fmt::format("the feature {} has more than one colon", in_quotes(word)));
  }
  const std::string_view name = without_leading_zeros(index);
  ascending_ = ascending_ && (names_.empty() || is_less(names_.back(), name));
  names_.push_back(name);
  values_.push_back(value);
}

void LibsvmReader::refuse_repeated_names() {
  sorted_ = names_;
  std::sort(sorted_.begin(), sorted_.end(), is_less);
  const auto repeated = std::adjacent_find(sorted_.begin(), sorted_.end());
  if (repeated == sorted_.end()) return;
  refuse(fmt::format("the index {} stands in the row twice", in_quotes(*repeated)));
}

}  // namespace plumbline::inline v0

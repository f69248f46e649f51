#include "plumbline/encoding/score_reader.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plumbline/encoding/column_choices.h"
#include "plumbline/encoding/label_set.h"
#include "plumbline/encoding/refuse.h"
#include "plumbline/error.h"
#include "plumbline/io/number.h"

namespace plumbline::inline v0 {
namespace {

std::string label_text(const Row& row, std::size_t column,
                       const std::vector<std::string>& classes) {
  if (row.target && !classes.empty()) return canonical_label(classes[*row.target]);
  return canonical_label(row.text(column));
}

}  // namespace

ScoreColumns resolve(const ScoreColumns& columns, const Stream& stream) {
  const std::vector<std::string> names = stream.column_names();
  if (names.empty()) {
    throw Error(ErrorKind::config,
                "rows name their features, so that there are no columns of scores",
                {.source = stream.name()});
  }
  ScoreColumns resolved{{},
                        names[find_column(columns.label.empty() ? "-1" : columns.label, names)]};
  std::set<std::string> seen{resolved.label};
  for (const std::size_t j : find_columns(columns.scores, names)) {
    if (!seen.insert(names[j]).second) {
      throw Error(ErrorKind::config, fmt::format("the column '{}' is given twice", names[j]));
    }
    resolved.scores.push_back(names[j]);
  }
  return resolved;
}

std::vector<std::string> label_values(const SampledStream& stream, const std::string& label) {
  const std::size_t column = find_column(label, stream.column_names());
  std::set<std::string> found;
  for (const SampleRow& row : stream.sample()) {
    if (column < row.fields.size() && !is_missing(row.fields[column])) {
      found.insert(canonical_label(row.fields[column]));
    }
  }
  std::vector<std::string> values(found.begin(), found.end());
  std::ranges::stable_sort(values, [](const std::string& a, const std::string& b) {
    const auto x = parse_number(a), y = parse_number(b);
    return x && y ? *x < *y : x && !y;
  });
  return values;
}

ScoreReader::ScoreReader(Stream& stream, const ScoreColumns& columns,
                         const std::vector<std::string>& classes, ReadOptions options, Check check)
    : stream_(stream),
      columns_(columns),
      places_(find_columns(columns.scores, stream.column_names())),
      label_place_(find_column(columns.label, stream.column_names())),
      counter_(stream, std::move(options)),
      check_(std::move(check)),
      scores_(columns.scores.size()) {
  for (const std::string& name : classes) {
    classes_.emplace(canonical_label(name), static_cast<Label>(classes_.size()));
  }
}

bool ScoreReader::next() {
  return counter_.next([&] { read(); });
}

void ScoreReader::read() {
  for (std::size_t m = 0; m < places_.size(); ++m) {
    scores_[m] = number(places_[m], columns_.scores[m]);
  }
  const std::string text = label_text(stream_.row(), label_place_, stream_.classes());
  const auto found = classes_.find(text);
  if (found == classes_.end()) {
    refuse(stream_, label_place_ + 1,
           is_missing(text)
               ? fmt::format("the label '{}' is missing", columns_.label)
               : fmt::format("the label '{}' is none of the {} classes", text, classes_.size()));
  }
  label_ = found->second;
  try {
    check_(scores_);
  } catch (const Error& error) {
    refuse(stream_, 0, error.sentence());
  }
}

double ScoreReader::number(std::size_t column, const std::string& name) const {
  const Row& row = stream_.row();
  double value = 0;
  if (!row.numbers.empty() && row.columns.empty() && !std::isnan(row.numbers[column])) {
    return row.numbers[column];
  }
  const std::string_view text = row.text(column);
  if (parse_number(text, value) || parse_number_with_commas(text, stream_.decimal_comma(), value)) {
    return value;
  }
  refuse(stream_, column + 1,
         is_missing(text)
             ? fmt::format("the score '{}' is missing; leave such rows out", name)
             : fmt::format("the score '{}' is '{}', which is not a number", name, text));
}

}  // namespace plumbline::inline v0

#include "plumbline/schema.h"

#include <unordered_set>

#include <fmt/format.h>

#include "plumbline/base/utf8.h"
#include "plumbline/error.h"

namespace plumbline::inline v0 {

Schema Schema::numeric(std::size_t count) {
  Schema schema;
  schema.features.reserve(count);
  for (std::size_t j = 1; j <= count; ++j) schema.features.push_back("x" + std::to_string(j));
  return schema;
}

namespace {

void check_classes(const std::vector<std::string>& classes) {
  if (classes.size() > kMostClasses) {
    throw Error(ErrorKind::config, fmt::format("there are {} classes, but at most {} are possible",
                                               classes.size(), kMostClasses));
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : classes) {
    if (!is_utf8(name)) {
      throw Error(ErrorKind::config, "the name of a class is not valid UTF-8; convert the file");
    }
    if (!seen.insert(name).second) {
      throw Error(ErrorKind::config, fmt::format("two classes are named '{}'", name));
    }
  }
}

void check_scores(const Schema& schema) {
  std::unordered_set<std::string_view> seen;
  for (const Schema::Score& score : schema.scores) {
    if (!is_utf8(score.name)) {
      throw Error(ErrorKind::config, "the name of a score is not valid UTF-8; convert the file");
    }
    if (!seen.insert(score.name).second) {
      throw Error(ErrorKind::config, fmt::format("two scores are named '{}'", score.name));
    }
  }
  if (schema.scores.empty() || schema.classes.empty()) return;
  throw Error(ErrorKind::config,
              fmt::format("the label has several classes, but the scores of other models ('{}') "
                          "need two; 'plumbline calibrate' takes scores of several classes",
                          schema.scores.front().name));
}

}  // namespace

void check_schema(const Schema& schema) {
  if (schema.size() == 0) throw Error(ErrorKind::config, "a model needs at least one feature");
  std::unordered_set<std::string_view> seen;
  for (std::size_t j = 0; j < schema.size(); ++j) {
    const std::string& name = schema.features[j];
    if (!is_utf8(name)) {
      throw Error(
          ErrorKind::config,
          fmt::format("the name of feature {} is not valid UTF-8; convert the file", j + 1));
    }
    if (!seen.insert(name).second) {
      throw Error(ErrorKind::config, fmt::format("two features are named '{}'", name));
    }
  }
  for (const std::string* text : {&schema.label, &schema.negative, &schema.positive}) {
    if (!is_utf8(*text)) {
      throw Error(ErrorKind::config,
                  "the label's name or one of its values is not valid UTF-8; convert the file");
    }
  }
  check_classes(schema.classes);
  check_scores(schema);
}

}  // namespace plumbline::inline v0

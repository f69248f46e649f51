#include "plumbline/encoding/label_set.h"

#include <algorithm>

#include <fmt/format.h>

#include "plumbline/base/utf8.h"
#include "plumbline/io/number.h"
#include "plumbline/io/text.h"

namespace plumbline::inline v0 {
namespace {

bool is_number(const std::string& text) { return parse_number(text).has_value(); }

Complaint missing_label(const Schema& schema) {
  return {fmt::format("the label '{}' is missing", schema.label)};
}

Complaint class_beside_two(const Schema& schema, std::string_view name) {
  return {fmt::format("the label {} is neither '{}' nor '{}', and the model was made for two",
                      in_quotes(name), schema.negative, schema.positive)};
}

Complaint third_label(std::string_view value, std::string_view negative,
                      std::string_view positive) {
  return {
      fmt::format("the label {} is neither '{}' nor '{}'", in_quotes(value), negative, positive),
      {{Setting::multiclass, "ovr", "if it is a class of its own"},
       {Setting::positive, "", "to set one value against all others"}}};
}

}  // namespace

std::string canonical_label(std::string_view text) {
  text = trimmed(text);
  const std::optional<double> number = parse_number(text);
  if (number) return fmt::format("{}", *number + 0.0);
  for (const char* word : {"true", "false"}) {
    if (equal_ignoring_case(text, word)) return word;
  }
  return std::string(text);
}

LabelSet::LabelSet(const Schema& schema, bool one_vs_rest, bool negative_is_guessed)
    : one_vs_rest_(one_vs_rest), negative_is_guessed_(negative_is_guessed) {
  for (std::size_t k = 0; k < schema.classes.size(); ++k) classes_.emplace(schema.classes[k], k);
}

std::optional<Label> LabelSet::read(const Schema& schema, std::string_view text, Proposal& proposal,
                                    Complaint& complaint) const {
  if (!schema.classes.empty()) return read_class(schema, text, proposal, complaint);
  const auto find = [&](std::string_view value) -> std::optional<Label> {
    if (value == schema.positive) return Label{1};
    if (value == schema.negative && !one_vs_rest_ && !negative_is_guessed_) return Label{0};
    return std::nullopt;
  };
  if (const auto label = find(text)) return label;
  const std::string value = canonical_label(text);
  if (const auto label = find(value)) return label;
  if (negative_is_guessed_ && (value == "0" || value == "-1") &&
      value == proposal.negative.value_or(value)) {
    proposal.negative = value;
    return Label{0};
  }
  if (is_missing(value)) {
    complaint = missing_label(schema);
    return std::nullopt;
  }
  if (one_vs_rest_) return Label{0};
  complaint = third_label(value, proposal.negative.value_or(schema.negative), schema.positive);
  return std::nullopt;
}

std::optional<Label> LabelSet::read_class(const Schema& schema, std::string_view text,
                                          Proposal& proposal, Complaint& complaint) const {
  const auto find = [&](std::string_view value) -> std::optional<Label> {
    const auto found = classes_.find(value);
    if (found == classes_.end()) return std::nullopt;
    return static_cast<Label>(found->second);
  };
  if (const auto label = find(text)) return label;
  const std::string name = canonical_label(text);
  if (const auto label = find(name)) return label;
  const auto proposed = std::ranges::find(proposal.classes, name);
  const auto index =
      schema.classes.size() + static_cast<std::size_t>(proposed - proposal.classes.begin());
  if (proposed == proposal.classes.end()) {
    complaint = about_new_class(schema, name, proposal.classes);
    if (!complaint.reason.empty()) return std::nullopt;
    proposal.classes.push_back(name);
  }
  return static_cast<Label>(index);
}

Complaint LabelSet::about_new_class(const Schema& schema, const std::string& name,
                                    std::span<const std::string> others) {
  const auto& classes = schema.classes;
  if (is_missing(name)) return missing_label(schema);
  if (!is_utf8(name)) return {"the label is not valid UTF-8; convert the file"};
  const bool number = is_number(name);
  const bool fits =
      number ? std::ranges::any_of(classes, is_number) : !std::ranges::all_of(classes, is_number);
  if (!fits) {
    return {
        fmt::format("the label {} is {}a number, but the classes have {}been numbers so far; "
                    "correct it",
                    in_quotes(name), number ? "" : "not ", number ? "not " : "")};
  }
  if (classes.size() + others.size() >= kMostClasses) {
    return {fmt::format("the label {} would be class {}, but {} are the most", in_quotes(name),
                        classes.size() + others.size() + 1, kMostClasses),
            {{Setting::positive}}};
  }
  return {};
}

Complaint LabelSet::check_new(const Schema& schema, std::span<const std::string> names) const {
  std::vector<std::string> earlier;
  for (const std::string& given : names) {
    const std::string name = canonical_label(given);
    if (schema.classes.empty()) return class_beside_two(schema, name);
    if (classes_.contains(name) || std::ranges::find(earlier, name) != earlier.end()) {
      return {fmt::format("the label {} reads the same as another class", in_quotes(given))};
    }
    Complaint complaint = about_new_class(schema, name, earlier);
    if (!complaint.reason.empty()) return complaint;
    earlier.push_back(name);
  }
  return {};
}

Complaint LabelSet::check(const Schema& schema, const Proposal& proposal) const {
  if (proposal.negative && !negative_is_guessed_ && *proposal.negative != schema.negative) {
    return third_label(*proposal.negative, schema.negative, schema.positive);
  }
  std::vector<std::string> added;
  for (const std::string& name : proposal.classes) {
    if (schema.classes.empty()) return class_beside_two(schema, name);
    if (classes_.contains(name)) continue;
    Complaint complaint = about_new_class(schema, name, added);
    if (!complaint.reason.empty()) return complaint;
    added.push_back(name);
  }
  return {};
}

std::vector<Label> LabelSet::commit(Schema& schema, const Proposal& proposal) {
  if (proposal.negative && negative_is_guessed_) {
    schema.negative = *proposal.negative;
    negative_is_guessed_ = false;
  }
  std::vector<Label> indices;
  for (const std::string& name : proposal.classes) {
    const auto [place, added] = classes_.emplace(name, schema.classes.size());
    if (added) schema.classes.push_back(name);
    indices.push_back(static_cast<Label>(place->second));
  }
  return indices;
}

}  // namespace plumbline::inline v0

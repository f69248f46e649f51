#include "plumbline/encoding/feature_dictionary.h"

#include <algorithm>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace plumbline::inline v0 {

std::string FeatureDictionary::Proposal::key(std::size_t column, bool other,
                                             std::string_view text) {
  return fmt::format("{}{}{}", column, other ? '*' : '=', text);
}

void FeatureDictionary::Proposal::clear() {
  if (empty()) return;
  texts_.clear();
  indices_.clear();
  values_.clear();
  overflowed_ = 0;
}

void FeatureDictionary::Proposal::shrink(std::size_t size, std::uint64_t overflowed) {
  while (texts_.size() > size) {
    const Text& last = texts_.back();
    indices_.erase(key(last.column, last.other, last.text));
    if (!last.other) --values_[last.column];
    texts_.pop_back();
  }
  overflowed_ = overflowed;
}

std::size_t FeatureDictionary::propose(std::size_t column, bool other, std::string_view text,
                                       std::size_t size, Proposal& proposal) const {
  proposal.indices_.emplace(Proposal::key(column, other, text), proposal.texts_.size());
  if (!other) ++proposal.values_[column];
  proposal.texts_.push_back({column, other, std::string(text)});
  return size + proposal.texts_.size() - 1;
}

std::size_t FeatureDictionary::of_value(std::size_t column, std::string_view value,
                                        std::size_t size, Proposal& proposal) const {
  const Column& of = columns_[column];
  const auto found = of.values.find(value);
  if (found != of.values.end()) return found->second;
  const auto proposed = [&](bool other, std::string_view text) -> std::optional<std::size_t> {
    const auto place = proposal.indices_.find(Proposal::key(column, other, text));
    if (place == proposal.indices_.end()) return std::nullopt;
    return size + place->second;
  };
  if (const auto feature = proposed(false, value)) return *feature;
  const auto more = proposal.values_.find(column);
  const std::size_t values = of.values.size() + (more == proposal.values_.end() ? 0 : more->second);
  const std::size_t features = size + proposal.texts_.size();
  if (values < limits_.categories && features < limits_.features) {
    return propose(column, false, value, size, proposal);
  }
  ++proposal.overflowed_;
  if (of.other) return *of.other;
  if (const auto feature = proposed(true, "")) return *feature;
  return propose(column, true, "", size, proposal);
}

std::size_t FeatureDictionary::of_name(std::string_view name, std::size_t size,
                                       Proposal& proposal) const {
  const auto found = names_.find(name);
  if (found != names_.end()) return found->second;
  if (proposal.size() > 0) {
    const auto place = proposal.indices_.find(Proposal::key(0, false, name));
    if (place != proposal.indices_.end()) return size + place->second;
  }
  if (size + proposal.size() < limits_.features) return propose(0, false, name, size, proposal);
  ++proposal.overflowed_;
  return XXH64(name.data(), name.size(), 0) % limits_.features;
}

std::string FeatureDictionary::take_name(std::string name) {
  // A column may be named "a=b" beside a column "a" with the value "b".
  while (!taken_.emplace(name, 0).second) name += "'";
  return name;
}

std::size_t FeatureDictionary::add(const Text& text, const ColumnName& column_name,
                                   std::vector<std::string>& names) {
  // Another proposal may have added it, or taken the last room, since this one was made.
  Proposal none;
  const std::size_t size = names.size();
  const std::size_t feature = named_       ? of_name(text.text, size, none)
                              : text.other ? columns_[text.column].other.value_or(size)
                                           : of_value(text.column, text.text, size, none);
  if (feature < size) {
    overflowed_ += none.overflowed_;
    return feature;
  }
  if (named_) {
    names_.emplace(text.text, feature);
    names.push_back(text.text);
    return feature;
  }
  const bool other = text.other || none.texts_.back().other;
  Column& column = columns_[text.column];
  if (other) {
    column.other = feature;
    overflowed_ += none.overflowed_;
  } else {
    column.values.emplace(text.text, feature);
  }
  names.push_back(
      take_name(fmt::format("{}={}", column_name(text.column), other ? "*" : text.text)));
  return feature;
}

std::vector<std::size_t> FeatureDictionary::commit(const Proposal& proposal,
                                                   const ColumnName& column_name,
                                                   std::vector<std::string>& names) {
  std::vector<std::size_t> features;
  features.reserve(proposal.size());
  for (const Text& text : proposal.texts_) {
    features.push_back(add(text, column_name, names));
  }
  overflowed_ += proposal.overflowed_;
  return features;
}

FeatureDictionary::Texts FeatureDictionary::sorted(const TextMap<std::size_t>& map) {
  Texts texts(map.begin(), map.end());
  std::ranges::sort(texts, {}, &Texts::value_type::second);
  return texts;
}

std::vector<FeatureDictionary::Text> FeatureDictionary::texts_from(std::size_t first) const {
  std::vector<std::pair<std::size_t, Text>> found;
  for (const auto& [name, feature] : names_) {
    if (feature >= first) found.push_back({feature, {0, false, name}});
  }
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    for (const auto& [value, feature] : columns_[c].values) {
      if (feature >= first) found.push_back({feature, {c, false, value}});
    }
    if (columns_[c].other && *columns_[c].other >= first) {
      found.push_back({*columns_[c].other, {c, true, ""}});
    }
  }
  std::ranges::sort(found, {}, [](const auto& item) { return item.first; });
  std::vector<Text> texts;
  for (auto& [feature, text] : found) texts.push_back(std::move(text));
  return texts;
}

void FeatureDictionary::restore_name(std::string name, std::size_t feature) {
  names_.emplace(std::move(name), feature);
}

void FeatureDictionary::restore_value(std::size_t column, std::string value, std::size_t feature) {
  columns_[column].values.emplace(std::move(value), feature);
}

}  // namespace plumbline::inline v0

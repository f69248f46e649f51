// The features of texts: each value of a categorical column, and each name in rows that name their features,
// has a feature of its own from the time when it is first seen.
//
// Looking a text up changes nothing: a new one is proposed, and gets its feature when the proposal is
// committed. When there is no room for another feature, further values of a column share one ("colour=*"), and
// further names share features by their hash. Cost: O(1) for each look-up.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plumbline/base/text_hash.h"

namespace plumbline::inline v0 {

class FeatureDictionary {
 public:
  struct Limits {
    std::size_t categories;  // values of one column
    std::size_t features;    // of all columns, or names
  };

  // A text that has a feature: a value of a column, all further values of a column (`other`), or a name.
  struct Text {
    std::size_t column;
    bool other;
    std::string text;
  };

  // Texts without a feature so far, in the order in which they were met. The first gets the feature whose index
  // is the number of features at the time, and so on.
  class Proposal {
   public:
    bool empty() const { return texts_.empty() && overflowed_ == 0; }
    std::size_t size() const { return texts_.size(); }
    void clear();
    // Withdraws all but the first `size` texts, and what overflowed after `overflowed`.
    void shrink(std::size_t size, std::uint64_t overflowed);
    std::uint64_t overflowed() const { return overflowed_; }
    // Proposes these texts, as if they were met in this order.
    explicit Proposal(std::vector<Text> texts) : texts_(std::move(texts)) {}
    Proposal() = default;

   private:
    friend class FeatureDictionary;
    static std::string key(std::size_t column, bool other, std::string_view text);

    std::vector<Text> texts_;
    TextMap<std::size_t> indices_;                         // by key
    std::unordered_map<std::size_t, std::size_t> values_;  // of each column
    std::uint64_t overflowed_ = 0;                         // texts that share a feature
  };

  FeatureDictionary(Limits limits, std::size_t columns, bool named)
      : limits_(limits), columns_(columns), named_(named) {}

  // The feature of a category's value or of a name; not below `size`, the number of features so far, if it is
  // proposed.
  std::size_t of_value(std::size_t column, std::string_view value, std::size_t size,
                       Proposal& proposal) const;
  std::size_t of_name(std::string_view name, std::size_t size, Proposal& proposal) const;

  // Adds the proposed texts; `names` are the features' names, to which theirs are appended. Gives the feature
  // of each.
  using ColumnName = std::function<std::string(std::size_t column)>;
  std::vector<std::size_t> commit(const Proposal& proposal, const ColumnName& column_name,
                                  std::vector<std::string>& names);
  // Takes the name of a feature of a column; changes it if another one has it.
  std::string take_name(std::string name);

  // Texts that had to share a feature so far.
  std::uint64_t overflowed() const { return overflowed_; }
  void set_overflowed(std::uint64_t count) { overflowed_ = count; }
  std::size_t values_of(std::size_t column) const { return columns_[column].values.size(); }

  // For saving and loading: texts with their features, in the features' order.
  using Texts = std::vector<std::pair<std::string, std::size_t>>;
  Texts names() const { return sorted(names_); }
  Texts values(std::size_t column) const { return sorted(columns_[column].values); }
  std::optional<std::size_t> other(std::size_t column) const { return columns_[column].other; }
  // The texts of the features from `first` on, in the features' order.
  std::vector<Text> texts_from(std::size_t first) const;
  void restore_name(std::string name, std::size_t feature);
  void restore_value(std::size_t column, std::string value, std::size_t feature);
  void restore_other(std::size_t column, std::size_t feature) { columns_[column].other = feature; }

 private:
  struct Column {
    TextMap<std::size_t> values{};
    std::optional<std::size_t> other{};  // the feature of all further values
  };

  static Texts sorted(const TextMap<std::size_t>& map);
  std::size_t propose(std::size_t column, bool other, std::string_view text, std::size_t size,
                      Proposal& proposal) const;
  std::size_t add(const Text& text, const ColumnName& column_name, std::vector<std::string>& names);

  Limits limits_;
  std::vector<Column> columns_;
  bool named_;
  TextMap<std::size_t> names_;  // of rows that name their features
  TextMap<char> taken_;         // the names of features of columns
  std::uint64_t overflowed_ = 0;
};

}  // namespace plumbline::inline v0

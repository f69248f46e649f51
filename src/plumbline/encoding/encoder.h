// From rows of text to rows of numbers: which column is the label, which columns are numbers and
// which are categories, and what happens to missing values. It is a part of the model: what it has
// found out and counted is saved with it.
//
//  - A number is one feature. A missing one (empty, ?, NA, NaN, null, none) becomes the running mean.
//  - A category is one feature for each of its values, 1 or 0 ("colour=red"). Values get their feature
//    when they are first seen; beyond `max_categories` they share one ("colour=*"). Missing is a
//    value like any other.
//  - In formats whose rows name their features (LibSVM, VW) each name gets a feature when it is first
//    seen; beyond `max_features` names share features by their hash.
//  - A label is one of two values, or one value against all others, or one of several classes. Those
//    are sorted, numbers by value, and further ones get their place when they are first seen.
//  - Standardising subtracts the running mean and divides by the running deviation, of numbers only.
//
// `add` makes raw rows (NaN for a missing number); `observe` counts a raw minibatch; `transform` turns
// it into what a model takes. Test-then-learn observes a minibatch before it transforms it: its
// features, unlike its labels, are known when it is predicted. Cost: O(1) for each field.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "plumbline/base/archive.h"
#include "plumbline/base/options.h"
#include "plumbline/data/batch.h"
#include "plumbline/data/schema.h"
#include "plumbline/io/sample.h"
#include "plumbline/io/stream.h"

namespace plumbline {

// What a user says of the columns. A column is named, or counted from 1 (from -1 backwards).
struct ColumnChoices {
  std::string label{};      // else the last one
  std::string positive{};   // this value against all others; else the larger of two values
  bool multiclass = false;  // several classes, even if no third one is among the first rows
  // All classes there are, in their order; else those among the first rows. Two of them are the negative
  // and the positive one, unless `multiclass`.
  std::vector<std::string> classes{};
  std::vector<std::string> categorical{}, numeric{}, ignore{};
  std::vector<std::string> missing{};  // texts that stand for a missing number, besides the usual
};

class Encoder {
 public:
  enum class Standardise { automatic, yes, no };

  struct Params {
    Standardise standardise = Standardise::automatic;
    std::int64_t max_categories = 64;
    std::int64_t max_features = 4096;
    void visit(OptionVisitor& visitor);
  };

  // What the columns of one file are to the encoder.
  struct Binding {
    struct Bound {
      std::size_t column;  // of the file
      std::size_t field;   // of the encoder
    };
    struct Number {
      std::uint32_t column, feature;
    };
    std::vector<Bound> features{};       // all that give features, in the order of the file
    std::vector<Number> numbers{};       // those of them that are numbers
    std::vector<Bound> categories{};     // the others
    std::optional<std::size_t> label{};  // the column of the label
  };

  // Finds out what the columns are from the first rows of a file (io/sample.h).
  // `notes` gets what a user should know. Throws a configuration error for columns that the
  // file does not have, and a data error if there is but one class in it, or too many for classes.
  static Encoder fit(const Params& params, const Stream& reader,
                     const std::vector<SampleRow>& sample, const ColumnChoices& choices,
                     std::vector<std::string>& notes);
  // For rows of numbers without a file, as `Schema::numeric`.
  static Encoder numeric(const Params& params, Schema schema);

  const Params& params() const { return params_; }
  const Schema& schema() const { return schema_; }
  bool one_against_rest() const { return rest_; }
  // Whether rows name their features.
  bool open() const { return open_; }
  // Whether any column is one of categories.
  bool has_categories() const;
  // How many values had to share a feature because there were too many of them.
  std::uint64_t crowded() const { return crowded_; }
  // "8 numeric columns", "3 categorical columns (12 features)", … for a summary.
  std::string summary() const;

  // Of the file that the encoder was made for; empty if its rows name their features.
  std::vector<std::string> column_names() const;
  // Whether they are the file's own.
  bool has_names() const { return has_names_; }
  // Throws a data error if the file lacks a column or has one too many. `ignore` names columns of
  // the file that do not matter.
  Binding bind(const Stream& reader, bool needs_label,
               const std::vector<std::string>& ignore = {}) const;
  // Adds the reader's row. Throws a data error with the line and the column, and changes nothing,
  // for a text that is no number where one is due, or an unknown label.
  void add_labelled(const Stream& reader, const Binding& binding, Minibatch& batch);
  // The same for a row whose label the caller knows, and the encoder too.
  void add_labelled(const Stream& reader, const Binding& binding, Label label, Minibatch& batch);
  // The same without looking at the label, and without learning new categories.
  void add_unlabelled(const Stream& reader, const Binding& binding, Minibatch& batch) const;

  // Throws a data error if one of the labels cannot be a further class, or if two of them are the same.
  void check_new_classes(std::span<const std::string> labels) const;
  // Gives further classes the next places: all of them, or, after the same errors, none.
  void add_classes(std::span<const std::string> labels);

  void observe(const Minibatch& batch);
  // Fills missing numbers in, and standardises if `standardise`; widens the batch if the encoder has
  // grown since its first row was added.
  void transform(Minibatch& batch, bool standardise) const;

  // What is not a number, as JSON; the numbers go through `archive`.
  std::string to_json() const;
  static Encoder from_json(const std::string& text, const Params& params, Schema schema);
  void archive(Archive& archive);

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  using Dictionary = std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>>;

  enum class Role { numeric, categorical, ignored, label };

  struct Field {
    std::string name;
    Role role = Role::numeric;
    std::size_t feature = 0;             // of a number
    Dictionary values{};                 // of a category
    bool words = false;                  // a category without numbers: one would be a mistake
    std::optional<std::size_t> other{};  // the feature of all further values
  };

  struct Place {
    std::size_t feature;
    double value;
  };

  class Fitter;
  friend class Fitter;

  Label label_of(const Stream& reader, std::string_view text, std::size_t column) const;
  // The same of several classes; that of a new class is the place that it will get.
  Label class_of(const Stream& reader, std::string_view text, std::size_t column) const;
  // Says why there cannot be a new class of this name, beside `others` that are new too; empty if there can.
  std::string complaint_about_class(const std::string& name, std::size_t others = 0) const;
  // Gives a new class its place, and the negative class the name that it turns out to have.
  void learn_label(Label label, std::string_view text);
  // The two halves of adding a labelled row: what can be wrong with it, and what is learned from it.
  void read_places(const Stream& reader, const Binding& binding);
  void add_places(const Stream& reader, const Binding& binding, Label label, Minibatch& batch);
  void set_schema(Schema schema);
  // Of the reader's field `i`; the column and the name are for messages.
  double number_in(const Stream& reader, std::size_t i, std::size_t column,
                   std::string_view name) const;
  // The same of a field that is no plain number, or too large.
  double other_number_in(const Stream& reader, std::size_t i, std::size_t column,
                         std::string_view name) const;
  std::size_t new_feature(std::string name, bool is_number);
  // The feature of a category's value or of a feature's name; may be a new or a shared one.
  std::size_t feature_of_value(Field& field, std::string_view value);
  std::size_t feature_of_name(std::string_view name);
  // Nothing for a name that would get a feature of its own.
  std::optional<std::size_t> known_feature(std::string_view name) const;
  // Whether each number of the row has been found already, and is not too large.
  static bool has_all_numbers(const Row& row, const Binding& binding);
  void check_category(const Stream& reader, const Binding::Bound& bound) const;
  // Calls `put(feature, value)` for each number; the categories are checked, but left to the caller.
  template <class Put>
  void read_numbers(const Stream& reader, const Binding& binding, const Put& put) const;
  // The same for each name that has a feature, and for each category.
  template <class Put>
  void read_known_names(const Stream& reader, const Put& put) const;
  template <class Put>
  void read_known_categories(const Stream& reader, const Binding& binding, const Put& put) const;
  // A row of zeros.
  std::span<double> append(Label label, Minibatch& batch) const;

  Params params_;
  Schema schema_;
  bool open_ = false;
  bool rest_ = false;
  bool negative_is_guessed_ = false;  // as 0, from rows that were all 1; it may turn out to be -1
  bool has_names_ = true;             // the columns' names came from a file
  std::set<std::string, std::less<>> missing_;
  std::vector<Field> fields_;  // without those of an open format, which are in names_
  Dictionary names_;
  Dictionary classes_;  // the place of each

  std::unordered_set<std::string> taken_;  // the features' names
  std::vector<char> is_number_;            // for each feature
  std::vector<double> count_, mean_, m2_;  // for each feature that is a number
  std::uint64_t rows_ = 0;                 // observed
  std::uint64_t crowded_ = 0;

  std::vector<Place> places_;    // scratch of add_labelled
  std::vector<double> moments_;  // scratch of observe
};

// The place of a column that a user names, or counts from 1 or backwards from -1; a configuration error
// if there is none.
std::size_t find_column(const std::string& reference, const std::vector<std::string>& names);
std::vector<std::size_t> find_columns(const std::vector<std::string>& references,
                                      const std::vector<std::string>& names);
// A label as it is compared: "+1", "1.0" and " 1" are "1", "TRUE" is "true".
std::string canonical_label(std::string_view text);
// The value of a category that a text stands for; the empty one if it is missing.
std::string_view category_of(std::string_view text);

}  // namespace plumbline

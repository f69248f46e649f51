// How an encoder is made from the first rows of a file.

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plumbline/base/error.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/io/number.h"
#include "plumbline/io/text.h"

namespace plumbline {
namespace {

// Pairs of labels of which a file may show only one in its first rows. A 1 stands for two of them: the
// first other label decides (Encoder::negative_is_guessed_).
constexpr std::array<std::pair<const char*, const char*>, 9> kPairs{{{"0", "1"},
                                                                     {"-1", "1"},
                                                                     {"false", "true"},
                                                                     {"no", "yes"},
                                                                     {"No", "Yes"},
                                                                     {"NO", "YES"},
                                                                     {"n", "y"},
                                                                     {"N", "Y"},
                                                                     {"negative", "positive"}}};

// Numbers by value, before texts in the order of their letters.
bool label_less(const std::string& a, const std::string& b) {
  const std::optional<double> x = parse_number(a), y = parse_number(b);
  if (x && y) return *x < *y;
  if (x || y) return x.has_value();
  return a < b;
}

std::string list_of(const std::vector<std::string>& texts) {
  constexpr std::size_t kMost = 10;
  std::vector<std::string> first;
  for (const std::string& text : texts) {
    if (first.size() < kMost) first.push_back(in_quotes(text));
  }
  return fmt::format("{}{}", fmt::join(first, ", "),
                     texts.size() > kMost ? fmt::format(" and {} more", texts.size() - kMost) : "");
}

}  // namespace

class Encoder::Fitter {
 public:
  Fitter(const Params& params, const Stream& reader, const std::vector<SampleRow>& sample,
         const ColumnChoices& choices, std::vector<std::string>& notes)
      : reader_(reader),
        columns_(reader.columns()),
        sample_(sample),
        choices_(choices),
        source_(reader.name()),
        notes_(notes) {
    encoder_.params_ = params;
    encoder_.has_names_ = reader.has_names();
    for (const std::string& text : choices.missing) encoder_.missing_.emplace(trimmed(text));
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      if (!is_utf8(columns_[j].name)) {
        refuse(fmt::format("the name of column {} is not valid UTF-8; convert the file", j + 1));
      }
      names_.push_back(columns_[j].name);
    }
  }

  Encoder fit() {
    if (columns_.empty()) {
      fit_names();
    } else {
      fit_columns();
    }
    if (encoder_.schema_.size() == 0) refuse("there is no column to learn from");
    check(encoder_.schema_);
    return std::move(encoder_);
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw Error(ErrorKind::data, reason, {.source = source_});
  }

  std::size_t index_of(const std::string& reference) const {
    return find_column(reference, names_);
  }
  std::vector<std::size_t> places_of(const std::vector<std::string>& references) const {
    return find_columns(references, names_);
  }

  void fit_names() {
    encoder_.open_ = true;
    encoder_.schema_.label = "label";
    for (const auto* names : {&choices_.categorical, &choices_.numeric, &choices_.ignore}) {
      if (!names->empty()) {
        throw Error(ErrorKind::config,
                    fmt::format("'{}' cannot be chosen: rows of this format name their features, "
                                "and each is a number",
                                names->front()));
      }
    }
    for (const SampleRow& row : sample_) {
      if (row.label) add_label(*row.label);
      for (const std::string& name : row.names) {
        if (is_utf8(name)) encoder_.feature_of_name(name);
      }
    }
    encoder_.crowded_ = 0;  // these rows are still to come
    choose_classes();
    notes_.push_back(fmt::format("features by name: {} in the first {} rows",
                                 encoder_.schema_.size(), sample_.size()));
  }

  void fit_columns() {
    label_ = choices_.label.empty() ? columns_.size() - 1 : index_of(choices_.label);
    const std::vector<std::size_t> categorical = places_of(choices_.categorical),
                                   numeric = places_of(choices_.numeric),
                                   ignored = places_of(choices_.ignore);
    chosen_.resize(columns_.size());
    chosen_[label_] = 1;
    for (const auto* places : {&categorical, &numeric, &ignored}) {
      for (const std::size_t j : *places) chosen_[j] = 1;
    }
    std::vector<Role> roles(columns_.size());
    for (std::size_t j = 0; j < columns_.size(); ++j) roles[j] = found_role(j);
    for (const std::size_t j : categorical) {
      roles[j] = Role::categorical;
      columns_[j].kind = ColumnKind::categorical;
    }
    for (const std::size_t j : numeric) roles[j] = Role::numeric;
    for (const std::size_t j : ignored) roles[j] = Role::ignored;
    if (roles[label_] == Role::ignored) {
      throw Error(ErrorKind::config, fmt::format("the label '{}' cannot be ignored; choose another "
                                                 "one with --label",
                                                 columns_[label_].name));
    }
    roles[label_] = Role::label;
    encoder_.schema_.label = columns_[label_].name;
    for (std::size_t j = 0; j < columns_.size(); ++j) add_field(j, roles[j]);
    for (const std::string& value : columns_[label_].values) add_label(value);
    for (const SampleRow& row : sample_) add_label(row.fields[label_]);
    choose_classes();
    tell_columns();
  }

  struct Values {
    std::size_t numbers = 0, texts = 0;
    std::set<double> different{};  // numbers
    std::string text{};            // the first one
  };

  Values values_of(std::size_t j) const {
    Values values;
    for (const SampleRow& row : sample_) {
      const std::string_view text = trimmed(row.fields[j]);
      if (is_missing(text) || encoder_.missing_.contains(text)) continue;
      double number = 0;
      if (parse_number(text, number) ||
          parse_number_with_commas(text, reader_.decimal_comma(), number)) {
        ++values.numbers;
        values.different.insert(number);
      } else if (++values.texts == 1) {
        values.text = text;
      }
    }
    return values;
  }

  // A text now and then among numbers is a bad row, not a category. But where there are more of them,
  // and the numbers are many and different, what is meant must be said.
  Role found_role(std::size_t j) const {
    if (columns_[j].kind == ColumnKind::categorical) return Role::categorical;
    if (columns_[j].kind == ColumnKind::numeric) return Role::numeric;
    const Values values = values_of(j);
    const std::size_t all = values.texts + values.numbers;
    constexpr std::size_t kFew = 20, kMany = 20;  // one in so many; so many different ones
    if (values.texts * kFew <= all) return Role::numeric;
    if (chosen_[j] == 0 && values.numbers * 2 > all && values.different.size() > kMany) {
      refuse(fmt::format(
          "the column '{0}' has numbers and texts such as {1}: say --missing {1} if that means a "
          "missing value, or --categorical '{0}', or --ignore '{0}'",
          columns_[j].name, in_quotes(values.text)));
    }
    return Role::categorical;
  }

  void add_field(std::size_t j, Role role) {
    encoder_.fields_.push_back({.name = columns_[j].name, .role = role});
    Field& field = encoder_.fields_.back();
    if (!field_names_.insert(field.name).second) {
      refuse(fmt::format("two columns are named '{}'; give them names of their own", field.name));
    }
    if (role == Role::numeric) field.feature = encoder_.new_feature(field.name, true);
    if (role != Role::categorical) return;
    for (const std::string& value : columns_[j].values) encoder_.feature_of_value(field, value);
    std::set<std::string> seen;
    for (const SampleRow& row : sample_) {
      const std::string& text = row.fields[j];
      if (!is_utf8(text)) continue;  // its row will be refused
      encoder_.feature_of_value(field, category_of(text));
      seen.insert(text);
    }
    // Only where nobody has said that the values may be anything.
    field.words = columns_[j].kind == ColumnKind::unknown && values_of(j).numbers == 0;
    encoder_.crowded_ = 0;  // these rows are still to come
    constexpr std::size_t kMany = 30;
    if (seen.size() > kMany && seen.size() > sample_.size() / 2) {
      notes_.push_back(
          fmt::format("'{0}' has {1} different values in the first {2} rows: is it an "
                      "identifier? --ignore '{0}' leaves it out",
                      field.name, seen.size(), sample_.size()));
    }
  }

  void add_label(std::string_view text) {
    const std::string label = canonical_label(text);
    const bool wanted = !choices_.positive.empty() && label == canonical_label(choices_.positive);
    if ((is_missing(label) && !wanted) || !is_utf8(label)) return;
    if (std::find(labels_.begin(), labels_.end(), label) == labels_.end()) labels_.push_back(label);
  }

  void choose_classes() {
    Schema& schema = encoder_.schema_;
    std::sort(labels_.begin(), labels_.end(), label_less);
    if (!choices_.classes.empty()) {
      labels_.clear();
      for (const std::string& label : choices_.classes) labels_.push_back(canonical_label(label));
    }
    if (labels_.empty()) refuse(fmt::format("no row has a label ('{}')", schema.label));
    if (choices_.multiclass && !choices_.positive.empty()) {
      throw Error(ErrorKind::config,
                  "--positive makes two classes and --multiclass several; leave one of them out");
    }
    if (choices_.multiclass || (choices_.positive.empty() && labels_.size() > 2)) {
      take_classes();
      return;
    }
    if (!choices_.positive.empty()) {
      schema.positive = canonical_label(choices_.positive);
      stand_against_the_rest();
    } else if (labels_.size() == 2) {
      schema.negative = labels_[0];
      schema.positive = labels_[1];
    } else {
      guess_the_other();
    }
    notes_.push_back(fmt::format("label '{}': {} is the positive class, {} the negative one",
                                 schema.label, "'" + schema.positive + "'",
                                 encoder_.rest_                  ? "everything else"
                                 : encoder_.negative_is_guessed_ ? "'0' or '-1'"
                                                                 : "'" + schema.negative + "'"));
  }

  void take_classes() {
    const std::string& label = encoder_.schema_.label;
    const bool too_many = labels_.size() > kMostClasses;
    constexpr std::size_t kMany = 32;  // more than these are rather numbers or names than classes
    if (too_many || (!choices_.multiclass && labels_.size() > kMany)) {
      refuse(fmt::format(
          "the label '{}' has {} values in the first {} rows ({}); {}--positive VALUE makes "
          "one of them the positive class and all others the negative one, --label COLUMN takes "
          "another column",
          label, labels_.size(), sample_.size(), list_of(labels_),
          too_many ? fmt::format("{} classes are the most; ", kMostClasses)
                   : "if they are classes, --multiclass ovr takes them as such, "));
    }
    Schema schema = encoder_.schema_;
    schema.classes = labels_;
    encoder_.set_schema(std::move(schema));
    notes_.push_back(fmt::format(
        "label '{}': {} class{} ({}), each with a probability; --positive VALUE makes one of them "
        "stand against all others",
        label, labels_.size(), labels_.size() == 1 ? " so far" : "es", list_of(labels_)));
  }

  void stand_against_the_rest() {
    encoder_.rest_ = true;
    encoder_.schema_.negative = "not " + encoder_.schema_.positive;
    const std::string& positive = encoder_.schema_.positive;
    if (std::find(labels_.begin(), labels_.end(), positive) == labels_.end()) {
      notes_.push_back(fmt::format("the label is never '{}' in the first {} rows; it is {}",
                                   positive, sample_.size(), list_of(labels_)));
    }
  }

  void guess_the_other() {
    for (const auto& [negative, positive] : kPairs) {
      if (labels_[0] != negative && labels_[0] != positive) continue;
      encoder_.schema_.negative = negative;
      encoder_.schema_.positive = positive;
      encoder_.negative_is_guessed_ = labels_[0] == "1";
      return;
    }
    refuse(
        fmt::format("the label '{}' is always {} in the first {} rows; say which value is the "
                    "positive class with --positive VALUE, or which column with --label COLUMN, or "
                    "that further classes will come with --multiclass ovr",
                    encoder_.schema_.label, in_quotes(labels_[0]), sample_.size()));
  }

  void tell_columns() {
    std::vector<std::string> categories;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const Field& field = encoder_.fields_[j];
      if (field.role == Role::categorical) {
        categories.push_back(fmt::format("{} ({})", field.name, field.values.size()));
      }
    }
    if (!categories.empty()) {
      notes_.push_back(fmt::format("categorical columns, with their values so far: {}",
                                   fmt::join(categories, ", ")));
    }
  }

  Encoder encoder_;
  const Stream& reader_;
  std::vector<Column> columns_;
  const std::vector<SampleRow>& sample_;
  const ColumnChoices& choices_;
  const std::string& source_;
  std::vector<std::string>& notes_;
  std::vector<std::string> names_;
  std::unordered_set<std::string> field_names_;
  std::vector<char> chosen_;  // for each column: whether the user has said what it is
  std::size_t label_ = 0;
  std::vector<std::string> labels_;
};

Encoder Encoder::fit(const Params& params, const Stream& reader,
                     const std::vector<SampleRow>& sample, const ColumnChoices& choices,
                     std::vector<std::string>& notes) {
  return Fitter(params, reader, sample, choices, notes).fit();
}

}  // namespace plumbline

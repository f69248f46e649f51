// Creates an encoder from the first rows of a stream.

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plumbline/base/utf8.h"
#include "plumbline/encoding/column_choices.h"
#include "plumbline/encoding/column_values.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/error.h"
#include "plumbline/io/number.h"
#include "plumbline/io/text.h"

namespace plumbline::inline v0 {
namespace {

// Pairs of labels of which a file may show only one in its first rows. A 1 stands for two of them: the
// first other label decides (LabelSet::negative_is_guessed).
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
  Fitter(const Params& params, const Stream& stream, const std::vector<SampleRow>& sample,
         const ColumnChoices& choices, std::vector<Note>& notes)
      : params_(params),
        stream_(stream),
        columns_(stream.columns()),
        names_(stream.column_names()),
        sample_(sample),
        choices_(choices),
        notes_(notes) {
    plan_.has_names = stream.has_names();
    plan_.marks_missing = params_.mark_missing;
    for (const std::string& text : choices.missing) plan_.missing.emplace(trimmed(text));
    for (std::size_t j = 0; j < names_.size(); ++j) {
      if (is_utf8(names_[j])) continue;
      refuse(fmt::format("the name of column {} is not valid UTF-8; convert the file", j + 1));
    }
  }

  Encoder fit() {
    if (columns_.empty()) {
      plan_names();
    } else {
      plan_columns();
    }
    find_labels();
    LabelSet labels = choose_labels();
    Encoder encoder(params_, std::move(schema_), plan_, std::move(labels));
    columns_.empty() ? add_names(encoder) : add_features(encoder);
    if (encoder.schema_.size() == 0) refuse_no_features();
    check_schema(encoder.schema_);
    return encoder;
  }

 private:
  [[noreturn]] void refuse(const std::string& reason, Remedies remedies = {}) const {
    throw Error(ErrorKind::data, reason, {.source = stream_.name()}, std::move(remedies));
  }

  [[noreturn]] void refuse_no_features() const {
    Remedies remedies;
    if (columns_.size() == 1) {
      remedies.push_back({Setting::delimiter, "", "if it has several columns"});
    }
    refuse("there is no column to learn from", std::move(remedies));
  }

  // ---- Rows that name their features

  void plan_names() {
    plan_.named = true;
    schema_.label = "label";
    for (const auto* names : {&choices_.categorical, &choices_.numeric, &choices_.time,
                              &choices_.ignore, &choices_.scores}) {
      if (names->empty()) continue;
      throw Error(ErrorKind::config,
                  fmt::format("'{}' cannot be chosen: rows of this format name their features, "
                              "and each is a number",
                              names->front()));
    }
    schema_.sparse = names_are_sparse();
  }

  // Few of many names in a row: what is absent from it is not 0, but absent.
  bool names_are_sparse() const {
    constexpr std::size_t kFewNames = 64, kShare = 8;  // at most one in so many is present
    std::unordered_set<std::string_view> names;
    std::size_t present = 0;
    for (const SampleRow& row : sample_) {
      names.insert(row.names.begin(), row.names.end());
      present += row.names.size();
    }
    return names.size() >= kFewNames && present * kShare <= names.size() * sample_.size();
  }

  void add_names(Encoder& encoder) {
    FeatureDictionary::Proposal proposal;
    for (const SampleRow& row : sample_) {
      for (const std::string& name : row.names) {
        if (is_utf8(name)) encoder.dictionary_.of_name(name, 0, proposal);
      }
    }
    encoder.take_features(proposal);
    encoder.dictionary_.set_overflowed(0);  // these rows are still to come
    notes_.push_back(
        {fmt::format("features by name: {} in the first {} rows{}", encoder.schema_.size(),
                     sample_.size(), encoder.schema_.sparse ? ", few of them in each" : "")});
  }

  // ---- Rows with columns

  void plan_columns() {
    if (label_is_apart()) add_label_column();
    label_ = choices_.label.empty() || label_is_apart() ? columns_.size() - 1
                                                        : find_column(choices_.label, names_);
    schema_.label = names_[label_];
    std::unordered_set<std::string_view> seen;
    for (const std::string& name : names_) {
      if (seen.insert(name).second) continue;
      refuse(fmt::format("two columns are named '{}'; give them names of their own", name));
    }
    const std::vector<std::optional<ColumnRole>> chosen = chosen_roles();
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      plan_.columns.push_back({.name = names_[j]});
      if (chosen[j]) {
        plan_chosen(j, *chosen[j]);
      } else {
        plan_found(j);
      }
    }
    plan_scores();
    leave_identifiers_out();
  }

  void plan_scores() {
    const std::vector<std::size_t> chosen = find_columns(choices_.scores, names_);
    const std::vector<ScoreInput>& inputs = choices_.score_inputs;
    if (inputs.size() != 1 && inputs.size() != chosen.size()) {
      throw Error(
          ErrorKind::config,
          fmt::format("there are {} inputs for {} scores; give one for all, or one for each",
                      inputs.size(), chosen.size()));
    }
    for (std::size_t m = 0; m < chosen.size(); ++m) {
      plan_.columns[chosen[m]].feature = m;
      schema_.scores.push_back({names_[chosen[m]], inputs[inputs.size() == 1 ? 0 : m]});
    }
  }

  std::vector<std::optional<ColumnRole>> chosen_roles() const {
    std::vector<std::optional<ColumnRole>> roles(columns_.size());
    for (const auto& [columns, role] : {std::pair{&choices_.categorical, ColumnRole::categorical},
                                        {&choices_.numeric, ColumnRole::numeric},
                                        {&choices_.time, ColumnRole::time},
                                        {&choices_.ignore, ColumnRole::ignored},
                                        {&choices_.scores, ColumnRole::score}}) {
      for (const std::size_t j : find_columns(*columns, names_)) roles[j] = role;
    }
    if (roles[label_] == ColumnRole::score) {
      throw Error(ErrorKind::config,
                  fmt::format("the label '{}' cannot be a score of another model", names_[label_]));
    }
    if (roles[label_] == ColumnRole::ignored) {
      throw Error(
          ErrorKind::config,
          fmt::format("the label '{}' cannot be ignored; choose another one", names_[label_]), {},
          {{Setting::label}});
    }
    roles[label_] = ColumnRole::label;
    return roles;
  }

  void plan_chosen(std::size_t j, ColumnRole role) {
    plan_.columns[j].role = role;
    if (role == ColumnRole::categorical) columns_[j].kind = ColumnKind::categorical;
    if (role == ColumnRole::time) plan_chosen_time(j);
    if (role == ColumnRole::numeric && holds_time_texts(j)) {
      set_time(plan_.columns[j], {.parts = {TimePart::seconds}});
      tell_time(plan_.columns[j]);
    }
  }

  void plan_chosen_time(std::size_t j) {
    PlannedColumn& planned = plan_.columns[j];
    const ColumnValues values = values_of_column(j);
    const auto unit = chosen_time_unit(values);
    if (!unit) {
      refuse(fmt::format(
          "the column '{}' has no times, as 2024-05-31T12:30:00 is one, but texts such as {}",
          planned.name, in_quotes(values.texts.front())));
    }
    set_time(planned, time_column(values, *unit));
    tell_time(planned);
  }

  bool holds_time_texts(std::size_t j) const {
    return columns_[j].kind == ColumnKind::time ||
           time_unit(values_of_column(j), names_[j]) == TimeUnit::text;
  }

  void plan_found(std::size_t j) {
    PlannedColumn& planned = plan_.columns[j];
    const ColumnKind kind = columns_[j].kind;
    planned.role = ColumnRole::categorical;
    if (kind == ColumnKind::categorical) return;
    const ColumnValues values = values_of_column(j);
    const auto unit = kind == ColumnKind::time ? TimeUnit::text : time_unit(values, planned.name);
    if (unit) {
      set_time(planned, time_column(values, *unit));
      tell_time(planned, {{Setting::ignore, planned.name, "to leave it out"},
                          {Setting::numeric, planned.name, "for a number"},
                          {Setting::categorical, planned.name}});
    } else if (const char* const reason = identifier_reason(values, planned.name)) {
      planned.role = ColumnRole::ignored;
      identifiers_.push_back({j, reason});
    } else {
      planned.role = kind == ColumnKind::numeric ? ColumnRole::numeric : found_role(j, values);
    }
  }

  static void set_time(PlannedColumn& planned, TimeColumn time) {
    planned.role = ColumnRole::time;
    planned.time = std::move(time);
  }

  void tell_time(const PlannedColumn& planned, Remedies remedies = {}) {
    notes_.push_back({fmt::format("'{}' is a time: {}", planned.name, description(planned.time)),
                      std::move(remedies)});
  }

  // Identifiers are left out, unless there is nothing else to learn from.
  void leave_identifiers_out() {
    const bool others = plan_.has_role(ColumnRole::numeric) ||
                        plan_.has_role(ColumnRole::categorical) || plan_.has_role(ColumnRole::time);
    for (const auto& [j, reason] : identifiers_) {
      const ColumnRole role = found_role(j, values_of_column(j));
      if (!others) {
        plan_.columns[j].role = role;
        continue;
      }
      const Setting setting = role == ColumnRole::numeric ? Setting::numeric : Setting::categorical;
      notes_.push_back({fmt::format("'{}' {} and is left out", names_[j], reason),
                        {{setting, names_[j], "to keep it"}}});
    }
  }

  // Rows bring the index of their class, and the label is none of the columns.
  bool label_is_apart() const { return !stream_.classes().empty(); }
  void add_label_column() {
    std::string name = choices_.label.empty() ? "label" : choices_.label;
    while (std::ranges::find(names_, name) != names_.end()) name += "'";
    columns_.push_back(
        {.name = name, .kind = ColumnKind::categorical, .values = stream_.classes()});
    names_.push_back(std::move(name));
  }

  ColumnValues values_of_column(std::size_t j) const {
    return values_of(sample_, j, plan_.missing, stream_.decimal_comma());
  }

  // A text now and then among numbers is a bad row, not a category: one typing error must not change the type
  // of a column. But where there are more of them,
  // and the numbers are many and different, what is meant must be chosen.
  ColumnRole found_role(std::size_t j, const ColumnValues& values) const {
    if (are_few(values.texts.size(), values.all())) return ColumnRole::numeric;
    constexpr std::size_t kMany = 20;
    if (values.numbers.size() * 2 > values.all() && values.different_numbers() > kMany) {
      const std::string text(values.texts.front());
      refuse(fmt::format("the column '{}' has numbers and texts such as {}", names_[j],
                         in_quotes(text)),
             {{Setting::missing, text, "if that means a missing value"},
              {Setting::categorical, names_[j]},
              {Setting::ignore, names_[j]}});
    }
    return ColumnRole::categorical;
  }

  void add_features(Encoder& encoder) {
    std::vector<std::string> categories;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      PlannedColumn& planned = encoder.plan_.columns[j];
      if (planned.role == ColumnRole::numeric) {
        add_numbers(encoder, planned, {planned.name});
        mark_missing(encoder, j);
      }
      if (planned.role == ColumnRole::time) {
        add_numbers(encoder, planned, feature_names(planned.time, planned.name));
      }
      if (planned.role != ColumnRole::categorical) continue;
      add_categories(encoder, j);
      categories.push_back(fmt::format("{} ({})", planned.name, encoder.dictionary_.values_of(j)));
    }
    encoder.dictionary_.set_overflowed(0);  // these rows are still to come
    if (categories.empty()) return;
    notes_.push_back({fmt::format("categorical columns, with their values so far: {}",
                                  fmt::join(categories, ", "))});
  }

  static void add_numbers(Encoder& encoder, PlannedColumn& planned,
                          const std::vector<std::string>& names) {
    planned.feature = encoder.schema_.size();
    for (const std::string& name : names) {
      encoder.schema_.features.push_back(encoder.dictionary_.take_name(name));
    }
    encoder.moments_.grow(encoder.schema_.size(), /*is_number=*/true);
  }

  // Adds the feature of missing numbers, if there are any so far.
  void mark_missing(Encoder& encoder, std::size_t j) const {
    const ColumnValues values = values_of_column(j);
    if (!plan_.marks_missing || values.all() == values.rows) return;
    FeatureDictionary::Proposal proposal;
    encoder.dictionary_.of_value(j, {}, encoder.schema_.size(), proposal);
    encoder.take_features(proposal);
  }

  void add_categories(Encoder& encoder, std::size_t j) {
    FeatureDictionary::Proposal proposal;
    const std::size_t size = encoder.schema_.size();
    const auto add = [&](std::string_view value) {
      encoder.dictionary_.of_value(j, value, size, proposal);
    };
    for (const std::string& value : columns_[j].values) add(value);
    std::set<std::string_view> seen;
    for (const SampleRow& row : sample_) {
      if (!is_utf8(row.fields[j])) continue;  // its row will be refused
      add(category_of(row.fields[j]));
      seen.insert(row.fields[j]);
    }
    encoder.take_features(proposal);
    PlannedColumn& planned = encoder.plan_.columns[j];
    // Only where it was not declared that the values may be anything.
    planned.text_only =
        columns_[j].kind == ColumnKind::unknown && values_of_column(j).numbers.empty();
    constexpr std::size_t kMany = 30;
    if (seen.size() <= kMany || seen.size() <= sample_.size() / 2) return;
    notes_.push_back({fmt::format("'{}' has {} different values in the first {} rows: is it an "
                                  "identifier?",
                                  planned.name, seen.size(), sample_.size()),
                      {{Setting::ignore, planned.name, "to leave it out"}}});
  }

  // ---- The label

  void find_labels() {
    if (!columns_.empty()) {
      for (const std::string& value : columns_[label_].values) add_label(value);
    }
    for (const SampleRow& row : sample_) {
      if (!columns_.empty() && !label_is_apart()) {
        add_label(row.fields[label_]);
      } else if (row.label) {
        add_label(*row.label);
      }
    }
    std::ranges::sort(labels_, label_less);
    // Given classes have an order of their own.
    const auto& given = choices_.classes.empty() ? stream_.classes() : choices_.classes;
    if (!given.empty()) labels_.clear();
    for (const std::string& label : given) labels_.push_back(canonical_label(label));
    if (labels_.empty()) refuse(fmt::format("no row has a label ('{}')", schema_.label));
  }

  void add_label(std::string_view text) {
    std::string label = canonical_label(text);
    const bool wanted = !choices_.positive.empty() && label == canonical_label(choices_.positive);
    if ((is_missing(label) && !wanted) || !is_utf8(label)) return;
    if (known_labels_.insert(label).second) labels_.push_back(std::move(label));
  }

  LabelSet choose_labels() {
    if (choices_.multiclass && !choices_.positive.empty()) {
      throw Error(ErrorKind::config,
                  "'positive' makes two classes and 'multiclass' several; leave one of them out");
    }
    if (choices_.multiclass || (choices_.positive.empty() && labels_.size() > 2)) {
      take_classes();
      return LabelSet(schema_);
    }
    bool one_vs_rest = false, guessed = false;
    if (!choices_.positive.empty()) {
      one_vs_rest = true;
      set_against_the_rest();
    } else if (labels_.size() == 2) {
      schema_.negative = labels_[0];
      schema_.positive = labels_[1];
    } else {
      guessed = guess_the_other();
    }
    notes_.push_back({fmt::format("label '{}': '{}' is the positive class, {} the negative one",
                                  schema_.label, schema_.positive,
                                  one_vs_rest ? "everything else"
                                  : guessed   ? "'0' or '-1'"
                                              : "'" + schema_.negative + "'")});
    return LabelSet(schema_, one_vs_rest, guessed);
  }

  void take_classes() {
    const bool too_many = labels_.size() > kMostClasses;
    constexpr std::size_t kMany = 32;  // more than these are rather numbers or names than classes
    if (too_many || (!choices_.multiclass && labels_.size() > kMany)) {
      Remedies remedies{{Setting::positive}, {Setting::label}};
      if (!too_many) {
        remedies.insert(remedies.begin(), {Setting::multiclass, "ovr", "if they are classes"});
      }
      refuse(fmt::format("the label '{}' has {} values in the first {} rows ({}){}", schema_.label,
                         labels_.size(), sample_.size(), list_of(labels_),
                         too_many ? fmt::format("; {} classes are the most", kMostClasses) : ""),
             std::move(remedies));
    }
    schema_.classes = labels_;
    notes_.push_back(
        {fmt::format("label '{}': {} class{} ({}), each with a probability", schema_.label,
                     labels_.size(), labels_.size() == 1 ? " so far" : "es", list_of(labels_)),
         {{Setting::positive, "", "to set one of them against all others"}}});
  }

  void set_against_the_rest() {
    schema_.positive = canonical_label(choices_.positive);
    schema_.negative = "not " + schema_.positive;
    if (std::ranges::find(labels_, schema_.positive) != labels_.end()) return;
    notes_.push_back({fmt::format("the label is never '{}' in the first {} rows; it is {}",
                                  schema_.positive, sample_.size(), list_of(labels_))});
  }

  // True if the negative class may turn out to have another name.
  bool guess_the_other() {
    for (const auto& [negative, positive] : kPairs) {
      if (labels_[0] != negative && labels_[0] != positive) continue;
      schema_.negative = negative;
      schema_.positive = positive;
      return labels_[0] == "1";
    }
    refuse(fmt::format("the label '{}' is always {} in the first {} rows", schema_.label,
                       in_quotes(labels_[0]), sample_.size()),
           {{Setting::positive},
            {Setting::label},
            {Setting::multiclass, "ovr", "if further classes will come"}});
  }

  const Params& params_;
  const Stream& stream_;
  std::vector<Column> columns_;
  std::vector<std::string> names_;
  const std::vector<SampleRow>& sample_;
  const ColumnChoices& choices_;
  std::vector<Note>& notes_;

  Schema schema_;
  ColumnPlan plan_;
  std::size_t label_ = 0;
  struct Identifier {
    std::size_t column;
    const char* reason;
  };
  std::vector<Identifier> identifiers_;
  std::vector<std::string> labels_;
  std::unordered_set<std::string> known_labels_;
};

Encoder Encoder::fit(const Params& params, const Stream& stream,
                     const std::vector<SampleRow>& sample, const ColumnChoices& choices,
                     std::vector<Note>& notes) {
  return Fitter(params, stream, sample, choices, notes).fit();
}

}  // namespace plumbline::inline v0

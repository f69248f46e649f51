// From rows of a stream to rows of numbers: which column is the label, which columns are numbers, categories or
// times, and what happens to missing values. It is a part of the model and is saved with it.
//
//  - A number is one feature. A missing one (empty, ?, NA, NaN, null, none) becomes the running mean, and sets another
//    feature to 1, which the column gets with its first missing number ("age=").
//  - A category is one feature for each of its values, 1 or 0 ("colour=red"). Values get their feature
//    when they are first seen; beyond `max_categories` they share one ("colour=*"). Missing is a
//    value like any other.
//  - A time is some features: hour, day of the week, time since the previous row (encoding/time_column.h). The
//    previous row is that of the batch, or the last one that was committed.
//  - In rows that name their features (LibSVM, VW, dicts) each name gets a feature when it is first
//    seen; beyond `max_features` names share features by their hash.
//  - A score of another model is no feature; a missing one is NaN.
//  - A label is one of two values, or one value against all others, or one of several classes. Those
//    are sorted, numbers by value, and further ones get their index when they are first seen.
//  - Standardizing subtracts the running mean and divides by the running deviation, of numbers only; of sparse
//    rows it only divides.
//
// `read` fills a batch of raw rows with proposals and changes nothing (encoding/row_batch.h); `commit` takes the
// proposals over and counts the rows; `transform` turns raw rows into those that a model takes. Cost: O(1) for each
// field.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/columns.h"
#include "plumbline/encoding/column_plan.h"
#include "plumbline/encoding/feature_dictionary.h"
#include "plumbline/encoding/label_set.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/encoding/running_moments.h"
#include "plumbline/error.h"
#include "plumbline/options.h"
#include "plumbline/schema.h"
#include "plumbline/stream.h"

namespace plumbline::inline v0 {

class Encoder {
 public:
  using Params = EncoderOptions;
  using Standardize = Params::Standardize;

  // Finds out what the columns are from the first rows of a stream. Throws a configuration error for columns
  // that it does not have, and a data error if there is but one class in it, or too many for classes.
  static Encoder fit(const Params& params, const Stream& stream,
                     const std::vector<SampleRow>& sample, const ColumnChoices& choices,
                     std::vector<Note>& notes);
  // For rows of numbers, dense or sparse, with the features of the schema.
  static Encoder numeric(const Params& params, Schema schema);

  const Params& params() const { return params_; }
  const Schema& schema() const { return schema_; }
  const ColumnPlan& plan() const { return plan_; }
  const LabelSet& labels() const { return labels_; }
  // Values that had to share a feature because there were too many of them.
  std::uint64_t overflowed() const { return dictionary_.overflowed(); }
  // "8 numeric columns", "3 categorical columns (12 features)", … for a summary.
  std::string summary() const;

  Binding bind(const Stream& stream, bool needs_label,
               const std::vector<std::string>& ignore = {}) const {
    return plan_.bind(stream, needs_label, ignore);
  }

  enum class LabelUse { learn, keep_text };
  // Adds the stream's row, whose number in the stream is `number`, to the batch. With `learn` it must have a
  // label; else its text is kept as it stands. Throws a data error with the line and the column for a text that
  // is no number where one is due, or an impossible label; the batch has the rows of before then.
  void read(const Stream& stream, const Binding& binding, LabelUse use, std::uint64_t number,
            RowBatch& batch) const;
  // Reads a row whose label is separate: the index of a class of the schema, or of one that the batch proposes.
  void read(const Stream& stream, const Binding& binding, Label label, std::uint64_t number,
            RowBatch& batch) const;

  // The label of the stream's row; a value that is new is proposed to the batch.
  Label read_label(const Stream& stream, const Binding& binding, RowBatch& batch) const {
    return label_of(stream, binding, batch);
  }

  // Throws a data error if these cannot be new classes.
  void check_new_classes(std::span<const std::string> names) const;
  void add_classes(std::span<const std::string> names);

  // True if rows may bring features that are new.
  bool grows() const {
    return plan_.named || plan_.has_role(ColumnRole::categorical) ||
           (plan_.marks_missing && plan_.has_role(ColumnRole::numeric));
  }
  // Throws a data error for rows that were not read for this encoder.
  void check_features(const RowBatch& batch) const;
  // True if values of this feature may be missing: numbers may, and are then imputed.
  bool may_be_missing(std::size_t feature) const {
    return feature < moments_.size() && moments_.is_number(feature);
  }
  // Throws a data error for rows whose labels are not this encoder's, or that bring classes which are no longer
  // possible, since others were taken over.
  void check_labels(const RowBatch& batch) const;
  // Adds the features and classes that the rows brought.
  void adopt(RowBatch& batch);
  // Commits, and counts the rows.
  void commit(RowBatch& batch);
  // Fills missing numbers in, and standardizes if `standardize`.
  void transform(RowBatch& batch, bool standardize) const;
  // Transforms a copy of the rows with their features below `end`, without a commit.
  void transform_known(const Batch& rows, std::size_t end, bool standardize, RowBatch& known) const;

  // A copy that takes another score besides, after those of the schema. Streams do not have it: the caller adds it to
  // the rows.
  Encoder with_score(const Schema::Score& score) const;
  // What this encoder has learned beyond a new one with `first` features: the texts of the further ones. The new one
  // becomes equal to it by `add_texts`, and by `archive` for the counts.
  std::vector<FeatureDictionary::Text> texts_from(std::size_t first) const {
    return dictionary_.texts_from(first);
  }
  void add_texts(std::vector<FeatureDictionary::Text> texts) {
    take_features(FeatureDictionary::Proposal(std::move(texts)));
  }

  // Everything but the parameters, the schema and the counts.
  std::string to_json() const;
  // Throws a model_file error for a text that `to_json` did not write for this schema.
  static Encoder from_json(const std::string& text, const Params& params, Schema schema);
  void archive(Archive& archive);

 private:
  class Fitter;
  friend class Fitter;

  Encoder(const Params& params, Schema schema, ColumnPlan plan, LabelSet labels);

  // False for sparse rows that are not standardized: nothing is missing from them.
  bool uses_moments() const;
  FeatureDictionary::Limits limits() const;
  Label label_of(const Stream& stream, const Binding& binding, RowBatch& batch) const;
  // The number in the stream's field `i`; the column and the name are for messages.
  double number_in(const Stream& stream, std::size_t i, std::size_t column,
                   std::string_view name) const;
  // The number in a field that is not a plain number, or is too large.
  double other_number_in(const Stream& stream, std::size_t i, std::size_t column,
                         std::string_view name) const;
  std::string_view category_in(const Stream& stream, const Binding::Feature& bound) const;
  // In seconds; NaN if it is missing.
  double time_in(const Stream& stream, const Binding::Feature& bound) const;
  // Sets the feature of a category's value, or of missing numbers, to 1.
  void add_value(std::size_t planned, std::string_view value, RowBatch& batch) const;
  void read_text(const Stream& stream, const Binding::Feature& bound, RowBatch& batch) const;
  void read_features(const Stream& stream, const Binding& binding, RowBatch& batch) const;
  void read_columns(const Stream& stream, const Binding& binding, RowBatch& batch) const;
  void read_sparse_columns(const Stream& stream, const Binding& binding, RowBatch& batch) const;
  void read_names(const Stream& stream, RowBatch& batch) const;
  void read_scores(const Stream& stream, const Binding& binding, RowBatch& batch) const;
  void archive_times(Archive& archive);
  std::vector<std::size_t> take_features(const FeatureDictionary::Proposal& proposal);

  Params params_;
  Schema schema_;
  ColumnPlan plan_;
  LabelSet labels_;
  FeatureDictionary dictionary_;
  RunningMoments moments_;
  std::vector<TimeHistory> times_;  // of each time column, up to the last row that was committed
};

// The value of a category that a text stands for; the empty one if it is missing.
std::string_view category_of(std::string_view text);

}  // namespace plumbline::inline v0

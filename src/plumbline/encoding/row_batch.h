// A minibatch of rows as they were read: raw numbers (NaN where one is missing), labels, costs, and what the rows
// bring that the model has not seen yet, as a proposal. Reading fills it and changes nothing else.
//
// New features and classes have the indices that they will get if the proposal is committed: from `known_features()`
// and `known_classes()` on. Reused from one read to the next, so that a steady stream allocates nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/batch.h"
#include "plumbline/encoding/feature_dictionary.h"
#include "plumbline/encoding/label_set.h"
#include "plumbline/encoding/time_column.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

class RowBatch {
 public:
  // ---- Reading

  // Forgets all rows, but not the times of the last one. Those that follow have the features and classes of the
  // schema, and perhaps new ones.
  void clear(const Schema& schema);
  // Begins a row of zeros, which must be ended or canceled.
  void begin_row();
  // The row that was begun.
  std::span<double> dense_row() { return std::span(values_).last(width_); }
  // Features that are named twice add up, to kMaxMagnitude at most. Missing is absent in a sparse row.
  void add(std::size_t feature, double value);
  FeatureDictionary::Proposal& new_features() { return new_features_; }
  LabelSet::Proposal& new_labels() { return new_labels_; }
  // The history of each time column up to the last row; that of the learned rows at first.
  std::span<TimeHistory> times(const std::vector<TimeHistory>& learned) {
    if (times_.size() != learned.size()) times_ = learned;
    return times_;
  }
  // The next row follows the last one that was learned.
  void forget_times() { times_.clear(); }
  // Adds a score of another model to the row that was begun, in the order of the schema.
  void add_score(double score) { scores_.push_back(score); }
  // Ends the row; `number` is its place in the stream, from 1.
  void end_row(Label label, std::uint64_t number);
  // Drops the row, with what it proposed.
  void cancel_row();
  void add_costs(const Costs& costs) { costs_.push_back(costs); }
  void add_label_text(std::string_view text) { label_texts_.emplace_back(text); }
  // Adds row i of these, as it is, with its features below `end`. A dense row may be added to a sparse batch,
  // without its zeros.
  void add_row(const Examples& rows, std::size_t i,
               std::size_t end = std::numeric_limits<std::size_t>::max());
  // Adds `count` rows from row `first` on.
  void add_rows(const Examples& rows, std::size_t first, std::size_t count);
  // Adds the last row once more, with its label and costs.
  void repeat_last();
  // Removes the row that was just ended, and its times.
  void remove_last();

  // ---- Using

  std::size_t rows() const { return labels_.size(); }
  bool sparse() const { return sparse_; }
  Batch features() const;
  Examples examples() const { return {features(), labels_, costs_}; }
  std::span<const std::uint64_t> numbers() const { return numbers_; }
  // As they stand in the stream; for rows that are to be predicted.
  std::span<const std::string> label_texts() const { return label_texts_; }

  std::size_t known_features() const { return known_features_; }
  std::size_t known_classes() const { return known_classes_; }
  const FeatureDictionary::Proposal& new_features() const { return new_features_; }
  const LabelSet::Proposal& new_labels() const { return new_labels_; }
  // Empty if no time has been read.
  const std::vector<TimeHistory>& times() const { return times_; }
  // Gives the new features and classes the indices that they have got in the schema, which is that of the rows
  // then. Nothing is proposed any more.
  void settle(std::span<const std::size_t> features, std::span<const Label> classes,
              const Schema& schema);

  // For transforming raw numbers in place.
  std::span<double> values() { return {values_.data(), rows() * width_}; }
  std::span<Entry> entries() { return {entries_.data(), starts_.back()}; }

 private:
  // Sets the width of all rows, including the one under way.
  void set_width(std::size_t width);
  // Adds row i of these to the row under way, without its zeros.
  void add_entries(const Batch& rows, std::size_t i, std::size_t end);
  // Puts the features of the row in order, each once.
  void end_sparse_row();
  void renumber(std::span<const std::size_t> features, std::size_t columns);

  bool sparse_ = false;
  std::size_t width_ = 0;  // of dense rows
  std::size_t scores_each_ = 0;
  std::vector<double> scores_;
  std::vector<double> values_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> starts_{0};
  std::vector<Label> labels_;
  std::vector<Costs> costs_;
  std::vector<std::uint64_t> numbers_;
  std::vector<std::string> label_texts_;

  std::size_t known_features_ = 0, known_classes_ = 0;
  FeatureDictionary::Proposal new_features_;
  LabelSet::Proposal new_labels_;
  std::vector<TimeHistory> times_;

  // Sizes of the proposal, and the width of dense rows, when the row was begun.
  struct {
    std::size_t features = 0, classes = 0, width = 0;
    std::uint64_t overflowed = 0;
    bool negative = false;
  } before_;
  std::vector<TimeHistory> times_before_;
};

}  // namespace plumbline::inline v0

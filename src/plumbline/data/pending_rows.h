// Rows that have been predicted and whose labels are not known yet, oldest first. They wait with their labels, costs
// and ages, and are then learned as they were predicted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/batch.h"
#include "plumbline/data/queue.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

// A view of pending rows.
struct Pending {
  Examples examples;
  // For each row, the number of rows between it and the last row that had been learned when it was predicted.
  std::span<const std::uint64_t> ages;
};

class PendingRows {
 public:
  explicit PendingRows(FeatureSpace features) : features_(features) {}

  std::size_t size() const { return labels_.size(); }
  std::span<const Label> labels() const { return labels_.all(); }
  // Adds rows of which the first was predicted `ahead` rows after the last learned one.
  void push(const Examples& examples, std::size_t ahead);
  // Both are valid until the next call that is not const.
  // All rows, without costs.
  Pending all();
  // The oldest rows, at most `most`: as many as all have costs, or all have none.
  Examples oldest(std::size_t most);
  std::span<const std::uint64_t> ages() const { return ages_.all(); }
  void pop(std::size_t count);
  // Increases the number of features, with value 0.
  void grow(std::size_t features);

  // Saves and loads between queues with the same features. Labels are below `classes`; at most `most` rows are loaded.
  void archive(Archive& archive, std::size_t classes, std::size_t most);

 private:
  Batch features(std::size_t count);
  void archive_dense(Archive& archive, std::size_t rows);
  void archive_sparse(Archive& archive, std::size_t rows);
  void archive_targets(Archive& archive, std::size_t rows, std::size_t classes);

  FeatureSpace features_;
  Queue<double> values_;         // dense rows
  Queue<Entry> entries_;         // sparse rows
  Queue<std::uint64_t> counts_;  // sparse rows: the number of entries of each
  Queue<Label> labels_;
  Queue<Costs> costs_;  // -1 if none were given
  Queue<std::uint64_t> ages_;

  std::vector<std::size_t> starts_;  // scratch for features()
};

}  // namespace plumbline::inline v0

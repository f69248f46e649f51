#include "plumbline/data/row_selection.h"

namespace plumbline::inline v0 {

void RowSelection::clear(const Batch& like) {
  sparse_ = like.sparse();
  columns_ = like.columns;
  values_.clear();
  entries_.clear();
  starts_.assign(1, 0);
  labels_.clear();
}

void RowSelection::add(const Batch& batch, std::size_t row, Label label) {
  if (sparse_) {
    const auto entries = batch.sparse_row(row);
    entries_.insert(entries_.end(), entries.begin(), entries.end());
    starts_.push_back(entries_.size());
  } else {
    const auto values = batch.row(row);
    values_.insert(values_.end(), values.begin(), values.end());
  }
  labels_.push_back(label);
}

Examples RowSelection::examples() const {
  Batch batch{.values = values_, .rows = labels_.size(), .columns = columns_};
  if (sparse_) {
    batch.entries = entries_;
    batch.starts = starts_;
  }
  return {batch, labels_};
}

}  // namespace plumbline::inline v0

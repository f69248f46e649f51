// Copies of selected rows of a minibatch. The object is reused, so that a steady stream allocates nothing.
#pragma once

#include <cstddef>
#include <vector>

#include "plumbline/batch.h"

namespace plumbline::inline v0 {

class RowSelection {
 public:
  // Removes all rows; the next ones have the form of the batch, dense or sparse.
  void clear(const Batch& like);
  void add(const Batch& batch, std::size_t row, Label label);
  Examples examples() const;

 private:
  bool sparse_ = false;
  std::size_t columns_ = 0;
  std::vector<double> values_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> starts_;
  std::vector<Label> labels_;
};

}  // namespace plumbline::inline v0

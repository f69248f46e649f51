// Some rows of a minibatch, copied one after the other. Reused, so that a steady stream allocates nothing.
#pragma once

#include <cstddef>
#include <vector>

#include "plumbline/batch.h"

namespace plumbline::inline v0 {

class RowSelection {
 public:
  // Rows like those of the batch are to follow.
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

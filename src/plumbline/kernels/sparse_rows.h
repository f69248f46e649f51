// A dense minibatch whose rows are mostly zeros, as sparse rows. Zeros are found by looking, so that callers
// with dense rows need not know; the results have the same bits.
#pragma once

#include <cstddef>
#include <vector>

#include "plumbline/batch.h"

namespace plumbline::inline v0::kernels {

class SparseRows {
 public:
  // Converts the rows and returns true if at most 1 of 8 values is not 0; stops early if the first row
  // has more.
  bool assign(const Batch& batch);

  Batch batch() const {
    return {
        .rows = starts_.size() - 1, .columns = columns_, .entries = entries_, .starts = starts_};
  }

 private:
  std::size_t columns_ = 0;
  std::vector<Entry> entries_;
  std::vector<std::size_t> starts_{0};
};

}  // namespace plumbline::inline v0::kernels

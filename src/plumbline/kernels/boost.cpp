#include "plumbline/kernels/boost.h"

namespace plumbline::inline v0::kernels {

void Columns::assign(const Examples& examples, bool with_features) {
  const std::size_t features = with_features ? examples.x.columns : 0;
  rows_ = examples.size();
  // Not a multiple of 128 bytes, so that features do not compete for the same cache sets.
  stride_ = (rows_ + 2 * kBlock) / 16 * 16 + 24;
  values_.assign((features + 1) * stride_, 0);
  labels_.assign(stride_, 0);
  for (std::size_t i = 0; i < rows_; ++i) {
    double* const to = &values_[kBlock + i];
    for (std::size_t j = 0; j < features; ++j) to[j * stride_] = examples.x.row(i)[j];
    labels_[kBlock + i] = examples.y[i];
  }
}

}  // namespace plumbline::inline v0::kernels

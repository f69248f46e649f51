#include "plumbline/data/score_table.h"

namespace plumbline::inline v0 {

double Scores::logit(std::size_t k, std::size_t row) const {
  const std::size_t at = k * rows + row;
  return at < logits.size() ? logits[at] : score_logit(values[at]);
}

}  // namespace plumbline::inline v0

#include "plumbline/calibrators/none.h"

#include <algorithm>

namespace plumbline::inline v0 {

void NoCalibrator::apply(std::span<const double> scores, std::span<double> probabilities) const {
  std::copy(scores.begin(), scores.end(), probabilities.begin());
}

}  // namespace plumbline::inline v0

#include "plumbline/calibrators/none.h"

#include <algorithm>

namespace plumbline {

void NoCalibrator::apply(std::span<const double> scores, std::span<double> probabilities) const {
  std::copy(scores.begin(), scores.end(), probabilities.begin());
}

}  // namespace plumbline

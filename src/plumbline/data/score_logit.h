// The score as sigmoids see it: its logit ln(s/(1 - s)), with s kept 1e-6 off 0 and 1, so that no
// score is infinitely far from the others.
#pragma once

#include <algorithm>
#include <cmath>

namespace plumbline {

inline constexpr double kScoreClip = 1e-6;

inline double clipped_score(double score) { return std::clamp(score, kScoreClip, 1 - kScoreClip); }

inline double score_logit(double score) {
  const double s = clipped_score(score);
  return std::log(s / (1 - s));
}

}  // namespace plumbline

// Limits that keep the margin of Gaussian Naive Bayes finite. The learner (learners/gaussian_nb.h) and the
// kernel (gaussian_nb.h) share them, because they compute the same bits.
#pragma once

#include <cstddef>

namespace plumbline::inline v0::kernels {

// The largest squared distance of a feature, which keeps the sum finite for distant values and tiny variances.
inline constexpr double kMaxDistance = 1e290;
// A product of this many mantissas is finite.
inline constexpr std::size_t kMostFactors = 512;
// Bounds of weights whose squares and quotients are finite and not 0.
inline constexpr double kLeastWeight = 1e-70, kMostWeight = 1e70;

}  // namespace plumbline::inline v0::kernels

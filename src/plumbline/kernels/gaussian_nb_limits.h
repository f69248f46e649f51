// Limits that keep the margin of Gaussian Naive Bayes finite. The learner (learners/gaussian_nb.h) and the
// kernel (gaussian_nb.h) give the same bits, so they share them.
#pragma once

#include <cstddef>

namespace plumbline::inline v0::kernels {

// Of each feature: keeps their sum finite when a far value meets a tiny variance.
inline constexpr double kMaxDistance = 1e290;
// A product of so many mantissas is still finite.
inline constexpr std::size_t kMostFactors = 512;
// Squares of weights within these bounds, and their quotients, are finite and not 0.
inline constexpr double kLeastWeight = 1e-70, kMostWeight = 1e70;

}  // namespace plumbline::inline v0::kernels

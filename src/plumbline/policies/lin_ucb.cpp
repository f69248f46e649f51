#include "plumbline/policies/lin_ucb.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plumbline/math/linear.h"

namespace plumbline::inline v0 {
namespace {

using Features = std::array<double, LinUcb::kSize>;
using Square = std::array<double, LinUcb::kSize * LinUcb::kSize>;

constexpr double kMaxGram = 0x1p62;
constexpr double kMaxMoment = 1e6 * 0x1p62;

// The index of row i, column j <= i in a lower triangle.
constexpr std::size_t at(std::size_t i, std::size_t j) { return i * (i + 1) / 2 + j; }

Features with_constant(const Context& context) {
  Features x{1};
  std::copy(context.begin(), context.end(), x.begin() + 1);
  return x;
}

// The square matrix with this lower triangle, for the solvers; entries above the diagonal are 0.
Square square(std::span<const double> triangle) {
  Square result{};
  for (std::size_t i = 0; i < LinUcb::kSize; ++i) {
    for (std::size_t j = 0; j <= i; ++j) result[i * LinUcb::kSize + j] = triangle[at(i, j)];
  }
  return result;
}

double dot(const Features& a, const Features& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

void LinUcb::Params::visit(OptionVisitor& visitor) {
  visitor.real("alpha", alpha, Range::closed(0, 1000), "width of the bounds");
  visitor.real("ridge", ridge, Range::closed(0.01, 1e6),
               "weight of the prior of each arm, in pulls with reward 0");
  visitor.real("forgetting", forgetting, Range::closed(0.5, 1),
               "share of the past of every arm kept after each round; 1 forgets nothing");
  range.visit(visitor);
}

LinUcb::LinUcb(const Params& params, std::span<const Action> actions, std::uint64_t)
    : params_(params), count_(actions.size()), gram_(count_ * kTriangle), moments_(count_ * kSize) {
  for (std::size_t a = 0; a < count_; ++a) {
    for (std::size_t i = 0; i < kSize; ++i) gram_[a * kTriangle + at(i, i)] = params_.ridge;
  }
}

LinUcb::Estimate LinUcb::estimate(std::size_t arm, const Context& context) const {
  Square factor = square(gram(arm));
  // No pivot is below the ridge, except by rounding.
  cholesky_factorise(factor, kSize, params_.ridge);
  // With A = LL': x'A^-1 b = (L^-1 x)'(L^-1 b).
  Features x = with_constant(context), b;
  std::ranges::copy(std::span(moments_).subspan(arm * kSize, kSize), b.begin());
  solve_lower(factor, x);
  solve_lower(factor, b);
  return {dot(x, b), params_.alpha * std::sqrt(dot(x, x))};
}

std::size_t LinUcb::choose(const Round& round) const {
  return first_best(count_, [&](std::size_t a) {
    const Estimate expected = estimate(a, round.context);
    return expected.mean + expected.padding;
  });
}

void LinUcb::reward_in(const Context& context, std::size_t arm, double reward) {
  if (params_.forgetting < 1) discount();
  const Features x = with_constant(context);
  const double clipped = params_.range.clip(reward);
  for (std::size_t i = 0; i < kSize; ++i) {
    moments_[arm * kSize + i] += clipped * x[i];
    for (std::size_t j = 0; j <= i; ++j) gram_[arm * kTriangle + at(i, j)] += x[i] * x[j];
  }
}

void LinUcb::discount() {
  for (double& value : moments_) value *= params_.forgetting;
  for (double& value : gram_) value *= params_.forgetting;
  for (std::size_t a = 0; a < count_; ++a) {
    for (std::size_t i = 0; i < kSize; ++i) {
      // The ridge is not discounted, and rounding must not reduce it.
      double& diagonal = gram_[a * kTriangle + at(i, i)];
      diagonal = std::max(params_.ridge, diagonal + (1 - params_.forgetting) * params_.ridge);
    }
  }
}

PerAction<ArmView> LinUcb::arms() const {
  PerAction<ArmView> views;
  for (std::size_t a = 0; a < count_; ++a) {
    // The first element of x is always 1, so its sums are the pulls and the rewards.
    const double pulls = std::max(0.0, gram_[a * kTriangle] - params_.ridge);
    views.push_back({pulls, pulls == 0 ? 0 : params_.range.clip(moments_[a * kSize] / pulls)});
  }
  return views;
}

void LinUcb::archive(Archive& archive) {
  archive.values("gram", gram_, count_);
  archive.values("moments", moments_, count_);
  archive.require_within("gram", gram_, -kMaxGram, kMaxGram);
  archive.require_within("moments", moments_, -kMaxMoment, kMaxMoment);
  if (!archive.loading()) return;
  for (std::size_t a = 0; a < count_; ++a) {
    Square factor = square(gram(a));
    // Rounding errors are far below half of the ridge.
    if (!(cholesky_factorise(factor, kSize, params_.ridge) >= params_.ridge / 2)) {
      archive.refuse("gram", "is not the sum of a ridge and a Gram matrix");
    }
  }
}

}  // namespace plumbline::inline v0

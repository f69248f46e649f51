// Bandits to play against: what the tests of the policies share.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "plumbline/math/rng.h"
#include "plumbline/policy.h"

namespace plumbline::test {

inline const Actions kTwo{Action::train, Action::calibrate};
inline const Actions kFour{Action::train, Action::calibrate, Action::both, Action::skip};

inline std::unique_ptr<Policy> make(const Spec& spec, const Actions& actions = kTwo,
                                    std::uint64_t seed = 1) {
  return policies().make(spec, actions, seed);
}

// Plays `rounds` rounds and calls `use` with the number of each, from 1 on, and its arm.
inline void play(Policy& policy, std::uint64_t rounds,
                 const std::function<double(std::uint64_t, std::size_t, Rng&)>& earn,
                 std::uint64_t seed, const std::function<void(std::uint64_t, std::size_t)>& use) {
  for (std::uint64_t n = 1; n <= rounds; ++n) {
    const std::size_t arm = policy.choose({.number = n + 1});
    Rng rng(seed, 77, n);
    policy.reward(arm, earn(n, arm, rng));
    use(n, arm);
  }
}

inline double bernoulli(double mean, Rng& rng) { return rng.uniform() < mean ? 1 : 0; }
inline double gaussian(double mean, Rng& rng) { return mean + rng.normal(); }

// The mean rewards of the arms on a round.
using MeansAt = std::function<const std::vector<double>&(std::uint64_t)>;
inline constexpr std::uint64_t kRuns = 40;

// The regret against the best arm of each round, averaged over runs, at each of the given rounds.
inline std::vector<double> regret(const Spec& spec, const MeansAt& means,
                                  const std::function<double(double, Rng&)>& draw,
                                  const std::vector<std::uint64_t>& at) {
  std::vector<double> result(at.size());
  const auto count = static_cast<int>(means(1).size());
  for (std::uint64_t run = 1; run <= kRuns; ++run) {
    const auto policy = make(spec, {kFour.begin(), kFour.begin() + count}, run);
    double total = 0;
    play(
        *policy, at.back(),
        [&](std::uint64_t n, std::size_t arm, Rng& rng) { return draw(means(n)[arm], rng); }, run,
        [&](std::uint64_t n, std::size_t arm) {
          total += *std::max_element(means(n).begin(), means(n).end()) - means(n)[arm];
          for (std::size_t i = 0; i < at.size(); ++i) {
            if (at[i] == n) result[i] += total / static_cast<double>(kRuns);
          }
        });
  }
  return result;
}

// The same for arms that never change.
inline std::vector<double> regret(const Spec& spec, const std::vector<double>& means,
                                  const std::function<double(double, Rng&)>& draw,
                                  const std::vector<std::uint64_t>& at) {
  const MeansAt always = [&](std::uint64_t) -> const std::vector<double>& { return means; };
  return regret(spec, always, draw, at);
}

// A policy of the given type in place of the interface, to look inside.
template <class Member>
Member& as(Policy& policy) {
  return dynamic_cast<Member&>(policy);
}

}  // namespace plumbline::test

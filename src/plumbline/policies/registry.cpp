#include "plumbline/policy.h"

#include "plumbline/policies/bayes_ucb.h"
#include "plumbline/policies/epsilon_greedy.h"
#include "plumbline/policies/exp3.h"
#include "plumbline/policies/fixed.h"
#include "plumbline/policies/greedy.h"
#include "plumbline/policies/kl_ucb.h"
#include "plumbline/policies/lin_ucb.h"
#include "plumbline/policies/schedule.h"
#include "plumbline/policies/selective.h"
#include "plumbline/policies/sliding_window_ucb.h"
#include "plumbline/policies/thompson.h"
#include "plumbline/policies/ucb1.h"

namespace plumbline::inline v0 {
namespace {

constexpr double kUcb1 = 2, kImproved = 0.5;
constexpr Discount kPaperDiscount{.gamma = 0.95};

}  // namespace

const PolicyRegistry& policies() {
  using R = PolicyRegistry;
  static const R registry(
      "policy",
      {R::row<AlwaysTrain>("always_train", "never calibrate"),
       R::row<Always>("always", "the same action on every round"),
       R::row<Fixed>("fixed", "calibrate on every N-th round"),
       R::row<Greedy>("greedy", "try every action on the minibatch, keep the best"),
       R::row<Ucb1>("ucb1", "upper confidence bounds", {.padding = kUcb1}),
       R::row<Ucb1>("ucb1_improved", "tighter upper confidence bounds", {.padding = kImproved}),
       R::row<Thompson>("thompson", "Gaussian Thompson sampling"),
       R::row<Ucb1>("discounted_ucb1", "upper confidence bounds with discounted rewards",
                    {.padding = kUcb1, .discount = kPaperDiscount}),
       R::row<Ucb1>("discounted_ucb1_improved",
                    "tighter upper confidence bounds with discounted rewards",
                    {.padding = kImproved, .discount = kPaperDiscount}),
       R::row<Thompson>("discounted_thompson", "Gaussian Thompson sampling with discounted rewards",
                        {.discount = kPaperDiscount}),
       R::row<EpsilonGreedy>("epsilon_greedy",
                             "the action with the best mean reward so far, sometimes a random one"),
       R::row<KlUcb>("kl_ucb", "upper confidence bounds by Kullback-Leibler divergence"),
       R::row<BayesUcb>("bayes_ucb", "upper quantiles of Gaussian posteriors"),
       R::row<SlidingWindowUcb>("sliding_window_ucb", "upper confidence bounds on the last plays"),
       R::row<Exp3>("exp3", "exponential weights, for adversarial rewards"),
       R::row<Exp3>("exp3s", "exponential weights that follow changes of the best action",
                    {.share = 0.001}),
       R::row<Schedule>("schedule", "train on the first rounds and on a part of every period"),
       R::row<Selective>(
           "selective",
           "train on the least certain minibatches, as many as the learn budget allows"),
       R::row<LinUcb>("lin_ucb",
                      "contextual upper confidence bounds: time since calibration, calibration "
                      "error, loss trend, drift")});
  return registry;
}

}  // namespace plumbline::inline v0

#include "plumbline/learners/logistic_bins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "plumbline/learners/logistic_adaptive.h"
#include "plumbline/math/implicit_step.h"
#include "plumbline/math/loss.h"
#include "tests/support.h"

namespace plumbline {
namespace {

using Values = std::vector<double>;

double margin(const Learner& learner, const Values& x) {
  double result = 0;
  learner.margins({.values = x, .rows = 1, .columns = x.size()}, {&result, 1});
  return result;
}

void learn(Learner& learner, const Values& x, Label y, double weight = 1) {
  learner.learn_batch({{.values = x, .rows = 1, .columns = x.size()}, {&y, 1}}, {&weight, 1},
                      Weighting::importance);
}

// The formulas of the header, with intervals of values in place of trees.
class Reference {
 public:
  Reference(const LogisticBins::Params& params, std::size_t features)
      : params_(params), intervals_(features, {Interval{}}) {}

  double margin(const Values& x) const {
    double sum = b_;
    for (std::size_t j = 0; j < x.size(); ++j) {
      for (const Interval& i : intervals_[j]) sum += i.has(x[j]) ? i.w : 0;
    }
    return sum;
  }

  void learn(const Values& x, Label y, double weight) {
    std::vector<std::pair<std::size_t, std::size_t>> passed;
    for (std::size_t j = 0; j < x.size(); ++j) {
      for (std::size_t i = 1; i < intervals_[j].size(); ++i) {
        if (intervals_[j][i].has(x[j])) passed.emplace_back(j, i);
      }
      count(intervals_[j], x[j]);
    }
    double m = b_, gain = vb_ = std::min(vb_ / params_.forgetting, 10.0);
    for (const auto& [j, i] : passed) {
      Interval& at = intervals_[j][i];
      at.v = std::min(at.v / params_.forgetting, at.most_v);
      m += at.w;
      gain += at.v;
    }
    m = implicit_margin(m, weight * gain, y);
    const double r = weight * (y - sigmoid(m)), c = weight * sigmoid(m) * (1 - sigmoid(m));
    b_ += r * vb_;
    vb_ /= 1 + c * vb_;
    for (const auto& [j, i] : passed) {
      Interval& at = intervals_[j][i];
      at.w += r * at.v;
      at.v /= 1 + c * at.v;
    }
  }

 private:
  struct Interval {
    double above = -INFINITY, up_to = INFINITY;
    double w = 0, v = 0, most_v = 0;
    int level = 0;
    bool split = false;
    Values seen{};

    bool has(double x) const { return above < x && x <= up_to; }
  };

  void count(std::vector<Interval>& all, double x) {
    const auto bin =
        std::ranges::find_if(all, [&](const Interval& i) { return !i.split && i.has(x); });
    bin->seen.push_back(x);
    if (bin->level == params_.depth || bin->seen.size() % static_cast<std::size_t>(params_.grace)) {
      return;
    }
    Values last(bin->seen.end() - 15, bin->seen.end());
    std::ranges::sort(last);
    std::optional<std::size_t> best;
    for (std::size_t i = 1; i < 15; ++i) {
      const auto off = [](std::size_t at) { return at < 7 ? 7 - at : at - 7; };
      if (last[i - 1] < last[i] && (!best || off(i) < off(*best))) best = i;
    }
    if (!best) return;
    bin->split = true;
    const double v = 1 / (params_.ridge * std::pow(2, bin->level));
    Interval low{.above = bin->above, .up_to = last[*best - 1], .v = v, .most_v = v};
    low.level = bin->level + 1;
    Interval high = low;
    high.above = low.up_to;
    high.up_to = bin->up_to;
    all.push_back(low);
    all.push_back(high);
  }

  LogisticBins::Params params_;
  std::vector<std::vector<Interval>> intervals_;
  double b_ = 0, vb_ = 10;
};

TEST(LogisticBins, TakesTheStepsOfItsFormulas) {
  const LogisticBins::Params params{.ridge = 2, .forgetting = 0.99, .grace = 20, .depth = 3};
  LogisticBins learner(params, FeatureSpace(3, false));
  Reference reference(params, 3);
  Rng rng(1, 0, 0);
  double largest = 0;
  for (int i = 0; i < 2000; ++i) {
    const Values x{rng.normal(), std::floor(4 * rng.uniform()), 7};
    const Label y = rng.uniform() < sigmoid(std::sin(3 * x[0]) + (x[1] == 2 ? 2 : -1));
    const double weight = 0.5 + 2 * rng.uniform();
    learn(learner, x, y, weight);
    reference.learn(x, y, weight);
    // Sums are in another order.
    ASSERT_NEAR(margin(learner, {x[1], x[0], 8}), reference.margin({x[1], x[0], 8}), 1e-9) << i;
    largest = std::max(largest, std::abs(margin(learner, x)));
  }
  EXPECT_GT(largest, 1);
  EXPECT_EQ(learner.thresholds(0).size(), 7u);
}

TEST(LogisticBins, EachOfAFewValuesHasABin) {
  LogisticBins learner({}, FeatureSpace(2, false));
  Rng rng(1, 0, 0);
  const std::map<double, double> odds{{3, 0.1}, {10, 0.8}, {11, 0.3}, {500, 0.9}};
  const double codes[] = {3, 10, 11, 500};
  for (int i = 0; i < 20000; ++i) {
    const double code = codes[static_cast<std::size_t>(4 * rng.uniform())];
    learn(learner, {code, 1}, rng.uniform() < odds.at(code));
  }
  EXPECT_EQ(learner.thresholds(0), (Values{3, 10, 11}));
  EXPECT_EQ(learner.thresholds(1), Values{});
  for (const auto& [code, p] : odds) {
    // The last 2000 examples count, 500 of each code.
    EXPECT_NEAR(sigmoid(margin(learner, {code, 1})), p, test::five_errors(p, 500)) << code;
  }
}

// The odds follow the logarithm of a feature with a heavy tail, which a line cannot.
TEST(LogisticBins, AHeavyTailNeedsNoLogarithm) {
  LogisticBins bins({}, FeatureSpace(1, false));
  LogisticAdaptive line({}, FeatureSpace(1, false));
  Rng rng(1, 0, 0);
  double of_bins = 0, of_line = 0, of_truth = 0;
  for (int i = 0; i < 10000; ++i) {
    const double logarithm = 2 * rng.normal();
    const double p = sigmoid(1.5 * logarithm);
    const Values x{std::exp(logarithm)};
    const Label y = rng.uniform() < p;
    if (i >= 5000) {
      of_truth += log_loss(p, y);
      of_bins += log_loss(sigmoid(margin(bins, x)), y);
      of_line += log_loss(sigmoid(margin(line, x)), y);
    }
    learn(bins, x, y);
    learn(line, x, y);
  }
  // 32 bins and their errors cost a few percent.
  EXPECT_LT(of_bins, 1.1 * of_truth);
  EXPECT_GT(of_line, 1.3 * of_truth);
}

TEST(LogisticBins, DepthAndNodesAreBounded) {
  LogisticBins shallow({.depth = 2}, FeatureSpace(2, false)),
      small({.max_nodes = 5}, FeatureSpace(2, false));
  Rng rng(1, 0, 0);
  for (int i = 0; i < 5000; ++i) {
    const Values x{rng.uniform(), rng.uniform()};
    for (LogisticBins* learner : {&shallow, &small}) learn(*learner, x, x[0] > 0.5);
  }
  EXPECT_EQ(shallow.thresholds(0).size(), 3u);
  EXPECT_EQ(shallow.thresholds(1).size(), 3u);
  // Four nodes below the roots come from two splits.
  EXPECT_EQ(small.thresholds(0).size() + small.thresholds(1).size(), 2u);
}

TEST(LogisticBins, AbsentFeaturesAndLateOnesAddNothing) {
  LogisticBins learner({}, FeatureSpace(5000, true));
  const auto batch = [](std::span<const Entry> entries, std::span<const std::size_t> starts) {
    return Batch{.rows = 1, .columns = 5000, .entries = entries, .starts = starts};
  };
  Rng rng(1, 0, 0);
  const double weight = 1;
  for (int i = 0; i < 3000; ++i) {
    const Entry entries[] = {{i % 2 == 0 ? 7u : 4500u, rng.uniform()}};
    const std::size_t starts[] = {0, 1};
    const Label y = entries[0].value > 0.5;
    learner.learn_batch({batch(entries, starts), {&y, 1}}, {&weight, 1}, Weighting::importance);
  }
  const auto margin_of = [&](const Entry& entry) {
    const std::size_t starts[] = {0, 1};
    double result = 0;
    learner.margins(batch({&entry, 1}, starts), {&result, 1});
    return result;
  };
  EXPECT_GT(margin_of({7, 0.9}), margin_of({7, 0.1}) + 3);
  EXPECT_EQ(margin_of({4500, 0.9}), margin_of({4500, 0.1}));
  EXPECT_EQ(margin_of({8, 0.9}), margin_of({4500, 0.1}));  // a feature that no row had
}

TEST(LogisticBins, AFileThatIsNoTreeIsRefused) {
  LogisticBins learner({.grace = 20}, FeatureSpace(1, false));
  Rng rng(1, 0, 0);
  for (int i = 0; i < 500; ++i) learn(learner, {rng.uniform()}, i % 2 == 0);
  const Tensors good = save_state(learner);
  const auto with = [&](const std::string& name, std::size_t index, std::uint64_t value) {
    Tensors bad = good;
    const auto tensor = std::ranges::find(bad, name, &Tensor::name);
    std::memcpy(tensor->bytes.data() + 8 * index, &value, 8);
    return bad;
  };
  LogisticBins other({.grace = 20}, FeatureSpace(1, false));
  EXPECT_NO_THROW(load_state(other, good));
  EXPECT_EQ(margin(other, {0.3}), margin(learner, {0.3}));
  for (const Tensors& bad :
       {with("roots.left", 0, 3), with("roots.left", 0, 4), with("roots.left", 0, 1000),
        with("roots.left", 0, 0), with("below.left", 2, 2), with("below.left", 0, 2),
        with("below.count", 2, 20), with("below.count", 2, 70000), with("nodes", 0, 1),
        with("nodes", 0, 1000000)}) {
    EXPECT_THROW(load_state(other, bad), Error);
  }
}

}  // namespace
}  // namespace plumbline

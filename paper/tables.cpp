#include "paper/tables.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace plumbline::paper {
namespace {

const std::vector<std::string> kStationary{"landsat",  "splice",   "musk2",   "krvskp",
                                           "waveform", "spambase", "mushroom"};

Table logistic_l1(const char* name, double lambda) {
  Spec spec{"logistic"};
  spec.set("penalty", "l1");
  spec.set("alpha", lambda);
  return {name,
          fmt::format("Logistic regression with l1 penalty, λ = {}", lambda),
          "logistic_l1",
          spec,
          10,
          lambda,
          kStationary};
}

}  // namespace

const std::vector<Table>& tables() {
  static const std::vector<Table> all{
      {"NB10_stationary", "Naive Bayes", "gaussian_nb", "gaussian_nb", 10, {}, kStationary},
      {"LR10_stationary", "Logistic regression", "logistic", "logistic", 10, {}, kStationary},
      {"LINSVM10_stationary", "Linear SVM", "linear_svm", "linear_svm", 10, {}, kStationary},
      {"PERC10_stationary", "Perceptron", "perceptron", "perceptron", 10, {}, kStationary},
      {"NB10_nonstationary",
       "Naive Bayes on streams that change",
       "gaussian_nb",
       "gaussian_nb",
       25,
       {},
       {"weather", "electricity", "forest"}},
      {"LR25_stationary", "Logistic regression", "logistic", "logistic", 25, {}, kStationary},
      {"LR50_stationary", "Logistic regression", "logistic", "logistic", 50, {}, kStationary},
      logistic_l1("LR10_stationary_lambda_0_1", 0.1),
      logistic_l1("LR10_stationary_lambda_0_01", 0.01),
      logistic_l1("LR10_stationary_lambda_0_001", 0.001)};
  return all;
}

const Table& table(const std::string& name) {
  std::vector<std::string> names;
  for (const Table& one : tables()) {
    if (one.name == name) return one;
    names.push_back(one.name);
  }
  refuse_name("table", name, names);
}

const std::vector<PolicyRow>& policy_rows() {
  static const std::vector<PolicyRow> rows{
      {"uncalibrated", "Uncalibrated", "always_train"},
      {"fixed_2", "Fixed, every 2nd", "fixed:every=2"},
      {"fixed_4", "Fixed, every 4th", "fixed:every=4"},
      {"fixed_6", "Fixed, every 6th", "fixed:every=6"},
      {"fixed_8", "Fixed, every 8th", "fixed:every=8"},
      {"fixed_10", "Fixed, every 10th", "fixed:every=10"},
      {"fixed_12", "Fixed, every 12th", "fixed:every=12"},
      {"fixed_14", "Fixed, every 14th", "fixed:every=14"},
      {"ucb1", "UCB1", "ucb1"},
      {"ucb1_improved", "UCB1-Improved", "ucb1_improved"},
      {"gts", "Thompson", "thompson"},
      {"discounted_ucb1", "Disc. UCB1", "discounted_ucb1"},
      {"discounted_ucb1_improved", "Disc. UCB1-Impr.", "discounted_ucb1_improved"},
      {"discounted_gts", "Disc. Thompson", "discounted_thompson"}};
  return rows;
}

const std::vector<std::string>& winning_bandits() {
  static const std::vector<std::string> names{"ucb1", "ucb1_improved", "gts", "discounted_gts"};
  return names;
}

std::optional<int> fixed_every(const std::string& policy) {
  constexpr std::string_view kPrefix = "fixed_";
  int every = 0;
  if (!policy.starts_with(kPrefix)) return std::nullopt;
  std::from_chars(policy.data() + kPrefix.size(), policy.data() + policy.size(), every);
  return every;
}

std::string policy_title(const std::string& name) {
  for (const PolicyRow& row : policy_rows()) {
    if (row.name == name) return row.title;
  }
  if (name == "greedy") return "Greedy";
  if (name == "coin") return "Coin";
  if (name == "always_both") return "Always both";
  if (name == "best_fixed") return "Best fixed";
  if (name == "worst_fixed") return "Worst fixed";
  return name;
}

}  // namespace plumbline::paper

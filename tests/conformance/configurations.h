// One small model for each registry row (and each option that changes how a round goes): what the
// conformance and golden tests run on. A new row is covered without a change here.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "plumbline/calibrator.h"
#include "plumbline/companions/companion.h"
#include "plumbline/config.h"
#include "plumbline/learner.h"
#include "plumbline/policies/reward_registry.h"
#include "plumbline/policy.h"

namespace plumbline::test {

struct NamedConfig {
  std::string name;
  ModelConfig config;
};

// For messages of GoogleTest.
inline void PrintTo(const NamedConfig& config, std::ostream* out) { *out << config.name; }

inline std::vector<NamedConfig> configurations() {
  ModelConfig base;
  base.ensemble.size = 3;
  base.policy = "fixed:every=2";
  std::vector<NamedConfig> list;
  const auto add = [&](const std::string& name, auto change) {
    list.push_back({name, base});
    change(list.back().config);
  };
  for (const auto& row : learners().rows()) {
    add("learner_" + row.name, [&](ModelConfig& c) { c.learner = Spec(row.name); });
  }
  add("learner_logistic_adaptive_reach",
      [](ModelConfig& c) { c.learner = "logistic_adaptive:reach=10"; });
  // These split often, until their pools of nodes are used up.
  add("learner_logistic_bins_eager",
      [](ModelConfig& c) { c.learner = "logistic_bins:grace=15,max_nodes=30"; });
  add("learner_hoeffding_tree_eager",
      [](ModelConfig& c) { c.learner = "hoeffding_tree:grace=10,delta=0.5,tau=0.5,max_nodes=15"; });
  for (const auto& row : calibrators().rows()) {
    add("calibrator_" + row.name, [&](ModelConfig& c) { c.calibrator = Spec(row.name); });
  }
  for (const auto& row : policies().rows()) {
    add("policy_" + row.name, [&](ModelConfig& c) {
      c.policy = Spec(row.name);
      c.actions = {Action::train, Action::calibrate, Action::both, Action::skip};
    });
  }
  for (const char* policy : {"always:action=both", "ucb1", "selective"}) {
    add("learn_budget_" + Spec(policy).name, [&](ModelConfig& c) {
      c.policy = policy;
      c.actions = {Action::train, Action::calibrate, Action::both, Action::skip};
      c.learn_budget = 0.3;
    });
  }
  for (const auto& row : rewards().rows()) {
    for (const char* on : {"same_batch", "next_batch", "running"}) {
      add("reward_" + row.name + "_" + on, [&](ModelConfig& c) {
        c.policy = "ucb1";
        c.reward = Spec(row.name).set("on", std::string(on));
      });
    }
  }
  // A companion of each kind, for a calibrator that listens to them.
  for (const auto& row : learners().rows()) {
    add("companion_" + row.name, [&](ModelConfig& c) {
      c.companions = {Spec(row.name)};
      c.calibrator = "stack";
    });
  }
  for (const auto& row : companions().rows()) {
    add("companion_" + row.name, [&](ModelConfig& c) {
      c.companions = {Spec(row.name)};
      // So small that they soon reuse their memory.
      if (row.name == "forest") c.companions = {"forest:trees=3,nodes=15,grace=5,candidates=5"};
      if (row.name == "neighbors") c.companions = {"neighbors:rows=40,k=3"};
      c.calibrator = "stack";
    });
  }
  add("first_round_train_then_calibrate",
      [](ModelConfig& c) { c.first_round = FirstRound::train_then_calibrate; });
  // Every choice of every option of the ensemble.
  for (const OptionInfo& option : list_params(base.ensemble)) {
    for (const std::string& choice : option.choices) {
      add("ensemble_" + option.name + "_" + choice, [&](ModelConfig& c) {
        c.ensemble = read_params(Spec("ensemble").set(option.name, choice), "", c.ensemble);
      });
    }
  }
  // And of every learner and calibrator.
  for (const auto& row : learners().rows()) {
    for (const OptionInfo& option : row.options) {
      for (const std::string& choice : option.choices) {
        add("learner_" + row.name + "_" + option.name + "_" + choice,
            [&](ModelConfig& c) { c.learner = Spec(row.name).set(option.name, choice); });
      }
    }
  }
  for (const auto& row : calibrators().rows()) {
    for (const OptionInfo& option : row.options) {
      for (const std::string& choice : option.choices) {
        add("calibrator_" + row.name + "_" + option.name + "_" + choice,
            [&](ModelConfig& c) { c.calibrator = Spec(row.name).set(option.name, choice); });
      }
    }
  }
  return list;
}

}  // namespace plumbline::test

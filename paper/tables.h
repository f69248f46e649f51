// The paper's ten tables (learner, number of learners, data sets), and the policies that each row
// compares.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plumbline/config.h"
#include "plumbline/options.h"

namespace plumbline::paper {

struct Table {
  std::string name;     // as in the published numbers
  std::string title;    // in words
  std::string learner;  // as in the published numbers
  Spec spec;            // the learner as a component
  std::int64_t size;    // T
  std::optional<double> l1_lambda;
  std::vector<std::string> data_sets;
};

const std::vector<Table>& tables();
// Throws a configuration error for an unknown name.
const Table& table(const std::string& name);

// A policy of the paper, with its name in results ("fixed_4", "gts").
struct PolicyRow {
  std::string name;
  std::string title;
  Spec spec;
  // Changes the model for this policy alone, for experiments that do not treat all policies alike (paper/control.h).
  std::function<void(ModelConfig&)> change{};
};

const std::vector<PolicyRow>& policy_rows();
// The bandits that beat the best fixed policy in the paper, by their names in results.
const std::vector<std::string>& winning_bandits();
// The N_c of "fixed_4"; empty for other policies.
std::optional<int> fixed_every(const std::string& policy);
// The title of a policy or of a column of the tables.
std::string policy_title(const std::string& name);

}  // namespace plumbline::paper

#include "paper/run_cache.h"

#include <algorithm>

#include <fmt/format.h>

#include "plumbline/policy.h"

namespace plumbline::paper {

std::string run_key(const DataSet& set, const TaskOptions& options, const ModelConfig& config,
                    std::size_t run) {
  ModelConfig used = config;
  const auto policy = policies().make(config.policy, config.actions, config.seed);
  if (!policy->needs_rewards() && !policy->needs_trials()) {
    used.reward = ModelConfig{}.reward;
    std::ranges::sort(used.actions);
  }
  return fmt::format("{}|{}|{}|{}|{}|{}|{}", set.name, set.negative, set.batch,
                     options.balance == Balance::first, options.standardise, run, to_json(used));
}

const RunResult* RunCache::find(const std::string& key) const {
  const auto found = runs_.find(key);
  return found == runs_.end() ? nullptr : &found->second;
}

void RunCache::add(const std::string& key, const RunResult& result) {
  RunResult& kept = runs_[key];
  kept.log_loss = result.log_loss;
  kept.calibrated = result.calibrated;
}

}  // namespace plumbline::paper

// Results of finished runs by their complete settings: plans that have runs in common, such as readings that differ in one
// point, run them once.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "paper/experiment.h"
#include "paper/task.h"

namespace plumbline::paper {

// Settings with equal keys have equal results, to the bit. Settings that a policy does not use are left out: rewards, and the
// order of the actions, of a policy that does not learn.
std::string run_key(const DataSet& set, const TaskOptions& options, const ModelConfig& config,
                    std::size_t run);

// Keeps log-losses and shares of calibrating, not traces.
class RunCache {
 public:
  // Null if there is no such run.
  const RunResult* find(const std::string& key) const;
  void add(const std::string& key, const RunResult& result);
  std::size_t size() const { return runs_.size(); }

 private:
  std::map<std::string, RunResult> runs_;
};

}  // namespace plumbline::paper

// The results of `plumbline compare`, and the page that it writes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plumbline/config.h"
#include "plumbline/evaluation/recorder.h"
#include "plumbline/math/stats.h"

namespace plumbline::cli {

struct ContenderRun {
  std::shared_ptr<Recorder> recorder;
  double seconds = 0;
  std::vector<std::string> classes{};  // empty for two classes
};

struct Contender {
  std::string title;
  Config config;
  std::vector<ContenderRun> runs;

  MeanInterval mean(double (Recorder::*value)() const) const;
  // Of the mean accuracies.
  std::optional<double> kappa_temporal() const;
  double examples_per_second() const;
};

// The index of the contender with the lowest mean log-loss.
std::size_t best_of(const std::vector<Contender>& contenders);

// True if decisions were measured.
bool have_costs(const std::vector<Contender>& contenders);

std::string compare_report(const std::vector<Contender>& contenders, const std::string& title,
                           const std::string& subtitle);

}  // namespace plumbline::cli

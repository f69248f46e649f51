// The result of a run over a topic: as text, as one JSON object, and as Prometheus text while it runs.
#pragma once

#include <map>
#include <string>

#include "kafka/job.h"

namespace plumbline::kafka {

struct PartitionReport {
  std::int64_t offset = 0;  // of the next message
  std::int64_t lag = 0;
};

struct Report {
  const Job& job;
  std::string source, state;
  std::map<int, PartitionReport> partitions{};  // of this process
  double seconds = 0;
  bool interrupted = false;

  std::int64_t lag() const;
};

std::string summary_of(const Report& report);
std::string json_of(const Report& report);
std::string prometheus_of(const Report& report);

}  // namespace plumbline::kafka

// A run over a topic: joins the consumer group, works on the partitions that it gets, and reports.
#pragma once

#include "cli/options/command_line.h"
#include "cli/options/kafka_options.h"

namespace plumbline::kafka {

void run(const cli::KafkaOptions& options, const cli::CommandLine& line);

}  // namespace plumbline::kafka

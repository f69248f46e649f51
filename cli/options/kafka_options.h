// The options of `plumbline kafka`, which the tool and the program for Kafka share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/model_options.h"
#include "cli/options/stream_options.h"
#include "cli/options/verb.h"

namespace plumbline::cli {

struct KafkaOptions {
  std::string topic, state;
  std::string predictions, dead_letters, labels;  // addresses of topics
  std::string group;
  std::vector<std::string> properties;  // KEY=VALUE
  std::string from = "beginning";
  bool until_end = false;
  std::uint64_t snapshot_every = 10'000, commit_every = 100;

  std::string format = "auto", delimiter = ",";
  std::vector<std::string> names, headers;
  std::string key_column, id;
  std::uint64_t label_window = 86'400, max_waiting = 100'000;
  StreamOptions stream;  // columns, bad rows, limit, sample

  std::string load;
  ModelOptions model;
  std::optional<double> false_positive_cost, false_negative_cost;

  std::string metrics;
  bool json = false;
  std::string progress = "auto";
};

// The verb, with these options as the place of its values.
Verb kafka_verb(const std::shared_ptr<KafkaOptions>& options);

}  // namespace plumbline::cli

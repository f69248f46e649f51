// The options of `plumbline serve`, which the tool and the server's own program share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/model_options.h"
#include "cli/options/stream_options.h"
#include "cli/options/verb.h"

namespace plumbline::cli {

struct ServeOptions {
  std::string data;
  std::string listen = "127.0.0.1:8080";
  std::string tokens;
  std::string tls_certificate, tls_key;
  std::size_t threads = 0;

  // The model to make, if there is none of this name.
  std::string name = "default";
  std::string model_file;
  StreamOptions sample;  // of a file with the same columns
  std::vector<std::string> classes;
  ModelOptions model;
  std::optional<double> false_positive_cost, false_negative_cost;

  std::uint64_t max_body = 16;  // MiB
  std::uint64_t max_items = 100'000;
  std::uint64_t max_pending = 10'000'000;
  std::uint64_t max_backlog = 1'000'000;
  std::uint64_t max_models = 100;
  std::uint64_t max_connections = 16'384;
  std::uint64_t request_seconds = 30, idle_seconds = 75, drain_seconds = 0;
  std::uint64_t snapshot_every = 10'000;

  // How long the log keeps events; 0 is for ever.
  std::uint64_t keep_labels = 0;
  double keep_days = 0, keep_id_days = 0, keep_pending_days = 90;

  bool replay = false;
  std::string save;
  std::string export_to;

  // True if the options say what the model is.
  bool define_a_model() const;
};

// The verb, with these options as the place of its values.
Verb serve_verb(const std::shared_ptr<ServeOptions>& options);

}  // namespace plumbline::cli

// What the lanes of a run share: the topics, the options, and the counts.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kafka/client.h"
#include "kafka/rows.h"
#include "kafka/state_folder.h"
#include "plumbline/batch.h"
#include "plumbline/columns.h"
#include "plumbline/config.h"
#include "plumbline/metrics.h"
#include "plumbline/metrics/multiclass.h"

namespace plumbline::kafka {

// How good the predictions were, of all lanes.
class Scoreboard {
 public:
  struct Figures {
    std::uint64_t examples = 0;
    double log_loss = 0, brier = 0, accuracy = 0;
  };
  // One probability for two classes; otherwise one for each.
  void add(std::span<const double> probabilities, Label label);
  Figures figures() const;

 private:
  mutable std::mutex mutex_;
  std::uint64_t examples_ = 0;
  std::unique_ptr<Metric> log_loss_ = metrics().make("log_loss"), brier_ = metrics().make("brier"),
                          accuracy_ = metrics().make("accuracy");
  MulticlassMetrics classes_;
};

struct Job {
  Connection connection;
  std::string group;
  std::string topic, labels, predictions, dead_letters;  // topics; the last three may be empty
  int prediction_partitions = 0, dead_letter_partitions = 0;
  const StateFolder* folder = nullptr;
  RowOptions rows;
  // Of a model that has to be made.
  Config config;
  ColumnChoices columns;
  std::uint64_t sample = 1000;
  // Labels of the second topic.
  std::string id;                    // the field; the key of the message if empty
  std::int64_t window = 86'400'000;  // milliseconds
  std::uint64_t max_waiting = 100'000;

  std::optional<Costs> costs;
  bool skips_bad_rows = false;
  bool from_end = false;  // where to begin, if nothing was committed
  bool until_end = false;
  std::map<int, std::int64_t> ends{},
      label_ends{};  // of each partition as of start, with `until_end`
  std::uint64_t snapshot_every = 10'000;
  Milliseconds commit_every{100};
  std::function<void(const std::string&)> tell;  // a line for the user; any thread

  Scoreboard scoreboard;
  struct Counts {
    // Messages that this run has handled for the first time.
    std::atomic<std::uint64_t> rows{0}, bad_rows{0}, learned{0}, predictions{0}, labels{0},
        unmatched_labels{0}, expired_rows{0};
    std::atomic<std::uint64_t> replayed{0};  // messages that were handled again, after a stop
    std::atomic<std::uint64_t> commits{0}, snapshots{0}, restarts{0};
  } counts;
  std::optional<std::uint64_t> limit;  // rows of this run

  // Takes one row of the limit; false if none is left.
  bool take_row();
  // True if the limit has been taken.
  bool at_limit() const;
  // The first error of a lane; the run ends with it.
  void fail(std::exception_ptr error);
  std::exception_ptr failure() const;

 private:
  mutable std::mutex mutex_;
  std::uint64_t taken_ = 0;
  std::exception_ptr failure_;
};

}  // namespace plumbline::kafka

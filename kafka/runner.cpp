#include "kafka/runner.h"

#include <map>
#include <memory>
#include <span>

#include <fmt/format.h>

#include "cli/options/checks.h"
#include "cli/output/messages.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/output/stopwatch.h"
#include "cli/shell/interrupt.h"
#include "kafka/address.h"
#include "kafka/job.h"
#include "kafka/lane.h"
#include "kafka/report.h"
#include "plumbline/base/file.h"
#include "plumbline/error.h"
#include "plumbline/io/source.h"

namespace plumbline::kafka {
namespace {

constexpr Milliseconds kFirstPatience{15'000};  // until a broker must have answered
constexpr Milliseconds kTick{100};

class Runner {
 public:
  Runner(const cli::KafkaOptions& options, const cli::CommandLine& line)
      : options_(options), line_(line), address_(parse_address(options.topic, "topic")) {
    if (address_.brokers.empty()) {
      throw Error(ErrorKind::config,
                  fmt::format("topic '{}' has no brokers; write kafka://localhost:9092/{}",
                              options.topic, address_.topic));
    }
  }

  void run() {
    prepare();
    work();
    finish();
  }

 private:
  std::string topic_of(const std::string& address, const char* option) const {
    return address.empty() ? "" : parse_topic(address, option, address_);
  }

  void prepare() {
    job_.connection = {address_.brokers, parse_properties(options_.properties)};
    job_.topic = address_.topic;
    job_.labels = topic_of(options_.labels, "--labels");
    job_.predictions = topic_of(options_.predictions, "--predictions");
    job_.dead_letters = topic_of(options_.dead_letters, "--dead-letters");
    if (options_.delimiter.size() != 1) {
      if (options_.delimiter != "tab") {
        throw Error(ErrorKind::config, "--delimiter is one character, or tab");
      }
    }
    job_.rows = {.format = options_.format,
                 .delimiter = options_.delimiter == "tab" ? '\t' : options_.delimiter[0],
                 .names = options_.names,
                 .key_column = options_.key_column,
                 .headers = options_.headers,
                 .ignore = options_.stream.columns.ignore};
    job_.config = cli::make_config(options_.model);
    if (job_.config.label_delay > 0) {
      throw Error(ErrorKind::config,
                  "--label-delay does not apply to a topic; --labels takes labels that come later");
    }
    job_.columns = options_.stream.columns;
    job_.columns.ignore.clear();  // they are no fields
    job_.columns.multiclass = !options_.model.multiclass.empty();
    job_.sample = options_.stream.sample;
    job_.id = options_.id;
    job_.window = static_cast<std::int64_t>(options_.label_window) * 1000;
    job_.max_waiting = options_.max_waiting;
    if (options_.false_positive_cost) {
      job_.costs = Costs{*options_.false_positive_cost, *options_.false_negative_cost};
    }
    job_.skips_bad_rows = options_.stream.skips_bad_rows();
    job_.from_end = options_.from == "end";
    job_.until_end = options_.until_end;
    job_.snapshot_every = options_.snapshot_every;
    job_.commit_every = Milliseconds(options_.commit_every);
    if (options_.stream.limit > 0) job_.limit = options_.stream.limit;
    job_.tell = [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      if (progress_) progress_->hide();
      cli::say("{}", line);
    };
    if (!options_.metrics.empty()) check_writable(options_.metrics);
    find_topics();
    folder_ = std::make_unique<StateFolder>(
        options_.state,
        StateFolder::Identity{.topic = job_.topic, .labels = job_.labels, .group = options_.group});
    job_.folder = folder_.get();
    job_.group = folder_->group();
    set_initial();
  }

  void find_topics() {
    const Client client(RD_KAFKA_PRODUCER, job_.connection, {});
    try {
      const int partitions = client.partitions(job_.topic, kFirstPatience);
      if (!job_.labels.empty()) {
        const int labels = client.partitions(job_.labels, kFirstPatience);
        if (labels != partitions) {
          throw Error(ErrorKind::config,
                      fmt::format("'{}' has {} partitions, but '{}' has {}; labels must be in the "
                                  "partition of their row",
                                  job_.labels, labels, job_.topic, partitions));
        }
      }
      const auto make = [&](const std::string& topic) {
        return topic.empty() ? 0 : client.partitions_or_make(topic, partitions, kFirstPatience);
      };
      job_.prediction_partitions = make(job_.predictions);
      job_.dead_letter_partitions = make(job_.dead_letters);
      for (int i = 0; job_.until_end && i < partitions; ++i) {
        job_.ends[i] = client.bounds(job_.topic, i, kFirstPatience).high;
        if (!job_.labels.empty()) {
          job_.label_ends[i] = client.bounds(job_.labels, i, kFirstPatience).high;
        }
      }
    } catch (const Trouble& trouble) {
      throw Error(ErrorKind::io, trouble.what());
    }
  }

  void set_initial() {
    if (!options_.load.empty()) {
      if (options_.model.any() || options_.stream.any_columns()) {
        throw Error(ErrorKind::config,
                    "--load begins with a model that has its configuration and its columns; leave "
                    "out the options of the model and of the columns, or leave out --load");
      }
      Model model = Model::load(options_.load);
      model.set_position("");
      if (!folder_->offer_initial(model) && folder_->initial().to_bytes() != model.to_bytes()) {
        throw Error(ErrorKind::config,
                    fmt::format("the folder '{}' was begun with another model than '{}'; use "
                                "another --state",
                                options_.state, options_.load));
      }
    } else if (options_.model.any() && folder_->has_initial() &&
               to_json(folder_->initial().config()) != to_json(job_.config)) {
      throw Error(ErrorKind::config,
                  fmt::format("the folder '{}' was begun with another configuration; leave out the "
                              "options of the model, or use another --state",
                              options_.state));
    }
  }

  // ---- The work

  void work() {
    progress_ = std::make_unique<cli::Progress>(options_.progress);
    Group group(job_.connection, job_.group, job_.topic,
                {.assigned = [this](const auto& partitions) { assign(partitions); },
                 .revoked = [this](const auto& partitions) { revoke(partitions); }});
    cli::Stopwatch since_metrics;
    try {
      while (!ending()) {
        group.poll(kTick);
        note_lanes();
        {
          const std::lock_guard lock(mutex_);
          if (job_.counts.rows > 0) progress_->step(figures(), std::nullopt);
        }
        if (!options_.metrics.empty() && since_metrics.seconds() >= 1) {
          write_metrics();
          since_metrics = {};
        }
      }
    } catch (const Error&) {
      job_.fail(std::current_exception());
    }
    std::vector<int> mine;
    for (const auto& [partition, lane] : lanes_) mine.push_back(partition);
    note_lanes();
    revoke(mine);
    group.leave();
  }

  void assign(const std::vector<int>& partitions) {
    for (const int partition : partitions) {
      if (!lanes_.contains(partition)) {
        lanes_.emplace(partition, std::make_unique<Lane>(job_, partition));
      }
    }
  }

  void revoke(const std::vector<int>& partitions) {
    const bool last = ending();  // before the lanes are gone
    for (const int partition : partitions) {
      if (const auto lane = lanes_.find(partition); lane != lanes_.end()) {
        lane->second->ask_to_stop();
      }
    }
    for (const int partition : partitions) {
      const auto lane = lanes_.find(partition);
      if (lane == lanes_.end()) continue;
      lane->second->stop();
      note(*lane->second);
      lanes_.erase(lane);
      if (!last) report_.partitions.erase(partition);  // another process has it now
    }
  }

  bool ending() const {
    return cli::interrupted() || job_.failure() || job_.at_limit() || all_finished();
  }

  bool all_finished() const {
    if (lanes_.empty()) return false;
    for (const auto& [partition, lane] : lanes_) {
      if (!lane->finished()) return false;
    }
    return true;
  }

  void note(const Lane& lane) {
    report_.partitions[lane.partition()] = {lane.offset(), lane.lag()};
  }
  void note_lanes() {
    for (const auto& [partition, lane] : lanes_) note(*lane);
  }

  cli::Progress::Figures figures() const {
    const Scoreboard::Figures now = job_.scoreboard.figures();
    return {.examples = now.examples,
            .batches = now.examples,
            .log_loss = now.log_loss,
            .brier = now.brier,
            .lag = static_cast<std::uint64_t>(report_.lag())};
  }

  void write_metrics() {
    const std::string text = prometheus_of(report_);
    write_file(options_.metrics, std::as_bytes(std::span(text)));
  }

  // ---- The end

  void finish() {
    const std::exception_ptr failure = job_.failure();
    report_.seconds = progress_->seconds();
    report_.interrupted = cli::interrupted();
    progress_->finish(job_.scoreboard.figures().examples > 0 ? figures()
                                                             : cli::Progress::Figures{});
    if (!options_.metrics.empty()) write_metrics();
    if (failure || report_.interrupted) tell_how_to_go_on(failure != nullptr);
    if (!failure) cli::print(options_.json ? json_of(report_) : summary_of(report_));
    if (failure) std::rethrow_exception(failure);
    if (report_.interrupted) throw Interrupted{};
  }

  void tell_how_to_go_on(bool failed) const {
    const std::uint64_t rows = job_.counts.rows;
    cli::CommandLine command = line_;
    if (job_.limit && *job_.limit > rows) {
      command.set("--limit", std::to_string(*job_.limit - rows));
    }
    cli::say("{} after {} rows", failed ? "stopped" : "interrupted", rows);
    cli::say("the models are saved in '{}'; go on with: {}", options_.state, command.text());
  }

  const cli::KafkaOptions& options_;
  const cli::CommandLine& line_;
  Address address_;
  Job job_;
  std::unique_ptr<StateFolder> folder_;
  Report report_{.job = job_, .source = address_.text(), .state = options_.state};
  std::mutex mutex_;  // of the progress, and of what is written beside it
  std::unique_ptr<cli::Progress> progress_;
  std::map<int, std::unique_ptr<Lane>> lanes_;
};

}  // namespace

void run(const cli::KafkaOptions& options, const cli::CommandLine& line) {
  cli::catch_interrupts();
  Runner(options, line).run();
}

}  // namespace plumbline::kafka

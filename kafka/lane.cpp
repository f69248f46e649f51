#include "kafka/lane.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "kafka/sampling.h"
#include "plumbline/error.h"
#include "plumbline/threads.h"

namespace plumbline::kafka {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Milliseconds kPatience{30'000};           // for one request
constexpr Milliseconds kPause{1'000};               // before another attempt
constexpr Milliseconds kWait{50};                   // for the next message
constexpr Milliseconds kShortWait{5};               // if there are two logs
constexpr std::size_t kLongestOrder = 3000;         // brokers store notes of up to 4096 bytes
constexpr std::uint64_t kMostUncommitted = 10'000;  // messages

}  // namespace

// ---- The work between two attempts

class Lane::Work {
 public:
  explicit Work(Lane& lane)
      : lane_(lane),
        job_(lane.job_),
        partition_(lane.partition_),
        rows_(job_.connection, job_.group, job_.topic, partition_),
        publisher_(job_.connection, fmt::format("{}-{}-{}", job_.group, job_.topic, partition_)) {
    if (has_labels()) labels_.emplace(job_.connection, job_.group, job_.labels, partition_);
  }

  void run() {
    publisher_.begin(kPatience);  // from here on, nobody else commits for this partition
    if (!open()) return;
    try {
      while (!lane_.stopping_ && step()) {
      }
    } catch (const Error&) {
      // What was good before is kept.
      finish();
      throw;
    }
    finish();
  }

 private:
  bool has_labels() const { return !job_.labels.empty(); }

  // ---- The state at the beginning

  // False if it was stopped before.
  bool open() {
    const auto committed = rows_.committed(kPatience);
    std::string tag;
    if (committed) {
      const std::size_t space = std::min(committed->note.find(' '), committed->note.size());
      tag = committed->note.substr(0, space);
      if (tag.empty()) {
        throw Error(ErrorKind::config,
                    fmt::format("the group '{}' has committed offsets that are not plumbline's; "
                                "choose another --group",
                                job_.group));
      }
      replay_ = Order::parse(committed->note.substr(std::min(space + 1, committed->note.size())));
      committed_ = committed->offset;
    }
    PartitionModel::Offsets from{};
    std::optional<Model> model;
    if (committed && !tag.starts_with(kStart)) {
      model = job_.folder->load(partition_, tag);
      from = PartitionModel::offsets_of(*model).value();
    } else {
      from = committed ? parse_start(tag) : begin();
      if (!job_.folder->has_initial() &&
          !make_initial(job_, rows_, labels_, from, lane_.stopping_)) {
        return false;
      }
      model = job_.folder->initial();
      model->set_position("");
      if (!committed) {
        tag = fmt::format("{}{}-{}", kStart, from.rows, from.labels);
        committed_ = from.rows;
      }
    }
    tag_ = tag;
    model_.emplace(*std::move(model), PartitionModel::Options{.partition = partition_,
                                                              .rows = job_.rows,
                                                              .costs = job_.costs,
                                                              .separate_labels = has_labels(),
                                                              .id = job_.id,
                                                              .window = job_.window,
                                                              .max_waiting = job_.max_waiting});
    if (from.rows > committed_) {
      throw Error(ErrorKind::config,
                  fmt::format("the group '{}' has been set back to offset {} of partition {}, "
                              "before the model's {}; begin anew with an empty --state folder and "
                              "another --group",
                              job_.group, committed_, partition_, from.rows));
    }
    order_ = replay_;
    since_snapshot_ = 0;
    rows_.read_from(from.rows);
    if (labels_) labels_->read_from(from.labels);
    safe_ = from.rows;
    safe_labels_ = from.labels;
    lane_.offset_ = from.rows;
    return true;
  }

  // Where to begin if nothing was committed.
  PartitionModel::Offsets begin() {
    const auto from = [&](const Log& log) {
      const Client::Bounds bounds = log.bounds(kPatience);
      return job_.from_end ? bounds.high : bounds.low;
    };
    return {from(rows_), labels_ ? from(*labels_) : 0};
  }

  static constexpr const char* kStart = "start-";
  static PartitionModel::Offsets parse_start(const std::string& tag) {
    PartitionModel::Offsets from{};
    const char* at = tag.data() + std::string_view(kStart).size();
    const char* const end = tag.data() + tag.size();
    const auto rows = std::from_chars(at, end, from.rows);
    if (rows.ec == std::errc() && rows.ptr != end) {
      if (std::from_chars(rows.ptr + 1, end, from.labels).ptr == end) return from;
    }
    throw Error(ErrorKind::data, "the note of the committed offset is not plumbline's");
  }

  // ---- Messages

  bool replaying() const { return has_labels() ? !replay_.empty() : rows_.position() < committed_; }

  // The log of the next message; null if it is not there yet.
  Log* next_log() {
    if (!labels_) return rows_.peek(kWait) != nullptr ? &rows_ : nullptr;
    if (!replay_.empty()) {
      Log& log = replay_.next_is_label() ? *labels_ : rows_;
      return log.peek(kWait) != nullptr ? &log : nullptr;
    }
    // By their times, if both are there; rows first, so that a label of the same time finds its row.
    const Message* const row = rows_.peek(kShortWait);
    const Message* const label = labels_->peek(kShortWait);
    if (row != nullptr && label != nullptr) {
      const bool row_first = std::max(row_time_, row->time) <= std::max(label_time_, label->time);
      return row_first ? &rows_ : &*labels_;
    }
    if (row != nullptr && labels_->at_end()) return &rows_;
    if (label != nullptr && rows_.at_end()) return &*labels_;
    return nullptr;
  }

  // False at the end of the work.
  bool step() {
    if (done()) return false;
    Log* const log = next_log();
    if (log != nullptr) {
      const bool is_label = log != &rows_, again = replaying();
      if (!again && !is_label && !job_.take_row()) return false;
      take(*log, is_label, again);
    }
    lane_.lag_ = rows_.lag() + (labels_ ? labels_->lag() : 0);
    if (dirty_ && (uncommitted_ >= kMostUncommitted || order_.size() >= kLongestOrder ||
                   Clock::now() >= due_)) {
      commit();
    }
    if (snapshot_is_due()) snapshot();
    return true;
  }

  bool done() const {
    if (job_.failure()) return true;
    if (!job_.until_end || replaying()) return false;
    const auto at_end = [&](const Log& log, const std::map<int, std::int64_t>& ends) {
      const auto end = ends.find(partition_);
      return log.at_end() || (end != ends.end() && log.position() >= end->second);
    };
    return at_end(rows_, job_.ends) && (!labels_ || at_end(*labels_, job_.label_ends));
  }

  void take(Log& log, bool is_label, bool again) {
    Message message = log.pop();
    std::int64_t& latest = is_label ? label_time_ : row_time_;
    latest = std::max(latest, message.time);
    const std::int64_t offset = message.offset;
    const bool stops = !again && !job_.skips_bad_rows && job_.dead_letters.empty();
    outcome_ = {};
    try {
      is_label ? model_->take_label(std::move(message), outcome_, stops)
               : model_->take_row(std::move(message), outcome_, stops);
    } catch (const Error& error) {
      throw Error(error.kind(),
                  fmt::format("'{}', partition {}, offset {}: {}; --on-bad-row skip passes over "
                              "such messages, --dead-letters TOPIC keeps them",
                              log.topic(), partition_, offset, error.sentence()));
    }
    if (!replay_.empty()) replay_.take();
    if (has_labels() && !again) order_.add(is_label);
    const std::int64_t before = safe_;
    safe_ = has_labels() ? rows_.position() : model_->complete_up_to(rows_.position());
    if (labels_) safe_labels_ = labels_->position();
    lane_.offset_ = safe_;
    ++since_snapshot_;
    count(is_label, again);
    publish(again);
    if (!again && (has_labels() || safe_ > before) && safe_ >= committed_) {
      if (!dirty_) due_ = Clock::now() + job_.commit_every;
      dirty_ = true;
      ++uncommitted_;
    }
  }

  void count(bool is_label, bool again) {
    if (again) {
      ++job_.counts.replayed;
      ++repeated_;
      if (!replaying()) {
        job_.tell(fmt::format("partition {}: {} message{} since the saved model {} learned again",
                              partition_, repeated_, repeated_ == 1 ? "" : "s",
                              repeated_ == 1 ? "was" : "were"));
      }
      return;
    }
    ++(is_label ? job_.counts.labels : job_.counts.rows);
    job_.counts.unmatched_labels += outcome_.unmatched_labels;
    job_.counts.expired_rows += outcome_.expired_rows;
  }

  // Outputs of messages that were committed before are left out.
  void publish(bool again) {
    const auto is_new = [&](std::int64_t offset) {
      return has_labels() ? !again : offset >= committed_;
    };
    for (const Outcome::Prediction& prediction : outcome_.predictions) {
      if (!is_new(prediction.offset)) continue;
      ++job_.counts.predictions;
      if (job_.predictions.empty()) continue;
      publisher_.publish({.topic = job_.predictions,
                          .partition = partition_ % job_.prediction_partitions,
                          .key = prediction.key,
                          .value = prediction.value});
    }
    for (Outcome::BadMessage& bad : outcome_.bad) {
      if (is_new(bad.message.offset)) report(bad);
    }
    if (!outcome_.predictions.empty() ? !is_new(outcome_.predictions.front().offset) : again) {
      return;
    }
    job_.counts.learned += outcome_.learned;
    for (const Outcome::Measured& one : outcome_.measured) {
      job_.scoreboard.add(one.probabilities, one.label);
    }
  }

  void report(Outcome::BadMessage& bad) {
    const std::string& topic = bad.is_label ? job_.labels : job_.topic;
    const std::uint64_t number = ++job_.counts.bad_rows;
    if (job_.dead_letters.empty()) {
      constexpr std::uint64_t kTold = 5;
      if (number <= kTold) {
        job_.tell(fmt::format("skipped: '{}', partition {}, offset {}: {}", topic, partition_,
                              bad.message.offset, bad.reason));
      } else if (number == kTold + 1) {
        job_.tell("further bad messages are only counted");
      }
      return;
    }
    Publisher::Record record{.topic = job_.dead_letters,
                             .partition = partition_ % job_.dead_letter_partitions,
                             .key = std::move(bad.message.key),
                             .value = std::move(bad.message.value),
                             .headers = std::move(bad.message.headers),
                             .time = bad.message.time};
    record.headers.emplace_back("plumbline-reason", std::move(bad.reason));
    record.headers.emplace_back("plumbline-topic", topic);
    record.headers.emplace_back("plumbline-partition", fmt::format("{}", partition_));
    record.headers.emplace_back("plumbline-offset", fmt::format("{}", bad.message.offset));
    publisher_.publish(record);
  }

  // ---- Commits

  void commit() {
    std::vector<Publisher::Offset> offsets{
        {job_.topic, partition_, safe_, fmt::format("{} {}", tag_, order_.text())}};
    if (labels_) offsets.push_back({job_.labels, partition_, safe_labels_, ""});
    publisher_.commit(job_.group, offsets, kPatience);
    committed_ = safe_;
    dirty_ = false;
    uncommitted_ = 0;
    ++job_.counts.commits;
  }

  bool snapshot_is_due() const {
    return !dirty_ && !replaying() &&
           (since_snapshot_ >= job_.snapshot_every || order_.size() >= kLongestOrder);
  }

  // All outputs up to here are committed. The note names the new file only once it is there.
  void snapshot() {
    const std::string tag =
        has_labels() ? fmt::format("{}-{}", safe_, safe_labels_) : fmt::format("{}", safe_);
    since_snapshot_ = 0;
    if (tag == tag_) return;
    job_.folder->save(partition_, tag, model_->model_at(safe_, safe_labels_));
    tag_ = tag;
    order_.clear();
    commit();
    job_.folder->remove_before(partition_, tag);
    ++job_.counts.snapshots;
  }

  void finish() {
    if (replaying()) return;  // nothing is new
    if (dirty_) commit();
    if (since_snapshot_ > 0) snapshot();
  }

  Lane& lane_;
  Job& job_;
  int partition_;
  Log rows_;
  std::optional<Log> labels_{};
  Publisher publisher_;
  std::optional<PartitionModel> model_{};
  Outcome outcome_{};

  std::string tag_{};           // of the saved model that the note is relative to
  Order order_{}, replay_{};    // since then: all of it, and what is still to be repeated
  std::int64_t committed_ = 0;  // rows before this offset have their outputs
  std::int64_t safe_ = 0, safe_labels_ = 0;  // offsets behind what the model has learned
  std::int64_t row_time_ = 0, label_time_ = 0;
  bool dirty_ = false;  // something is not committed
  std::uint64_t uncommitted_ = 0, since_snapshot_ = 0, repeated_ = 0;
  Clock::time_point due_{};
};

// ---- Lane

Lane::Lane(Job& job, int partition) : job_(job), partition_(partition) {
  thread_ = std::thread([this] { run(); });
}

void Lane::stop() noexcept {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

void Lane::run() noexcept {
  const ThreadLimit one(1);
  std::string told;
  while (true) {
    try {
      Work(*this).run();
      break;
    } catch (const Trouble& trouble) {
      ++job_.counts.restarts;
      if (told != trouble.what()) {
        told = trouble.what();
        job_.tell(fmt::format("partition {}: {}; {}", partition_, told,
                              stopping_ ? "what was not committed is done again next time"
                                        : "going on from what was committed"));
      }
      if (stopping_) break;
      for (Milliseconds waited{0}; waited < kPause && !stopping_; waited += kWait) {
        std::this_thread::sleep_for(kWait);
      }
    } catch (...) {
      job_.fail(std::current_exception());
      break;
    }
  }
  finished_ = true;
}

}  // namespace plumbline::kafka

#include "serve/event_log.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <variant>

#include <sqlite3.h>

#include "plumbline/sqlite/database.h"
#include "serve/log_cleaner.h"

namespace plumbline::serve {

struct Remember {
  std::vector<NewPrediction> predictions;
  std::function<void(std::vector<Remembered>)> report;
};
struct AddLabels {
  std::vector<NewLabel> labels;
  std::function<void(std::vector<Labelled>)> report;
};
struct AddSnapshot {
  const Snapshot* snapshot;
  std::promise<void>* done;
};
using LogRequest = std::variant<Remember, AddLabels, AddSnapshot>;

namespace {

constexpr int kLogVersion = 2;
using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLongestUnflushed{100};
constexpr std::chrono::minutes kCleaningPause{1};
constexpr std::size_t kGroup = 4096;  // items in one transaction
constexpr int kPagesToMove = 2000;    // in the write-ahead log, before the second thread moves them
constexpr int kMostPages = 64 * 1024;  // before the writing thread itself does

constexpr const char* kTables = R"(
CREATE TABLE prediction (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL, time INTEGER NOT NULL, row TEXT NOT NULL,
  probabilities BLOB NOT NULL, learned INTEGER NOT NULL);
CREATE UNIQUE INDEX prediction_id ON prediction (id);
CREATE TABLE label (
  number INTEGER PRIMARY KEY, id TEXT, time INTEGER NOT NULL, label TEXT NOT NULL,
  prediction INTEGER, row TEXT);
CREATE UNIQUE INDEX label_id ON label (id) WHERE id IS NOT NULL;
CREATE TABLE snapshot (
  number INTEGER PRIMARY KEY, file TEXT NOT NULL, metrics TEXT NOT NULL, time INTEGER NOT NULL,
  bytes INTEGER NOT NULL);
CREATE TABLE counts (remembered INTEGER NOT NULL, predicted INTEGER NOT NULL, labels INTEGER NOT NULL);
INSERT INTO counts VALUES (0, 0, 0);
)";
// What the cleaner has removed; see LogCleaner.
constexpr const char* kTablesOfVersion2 = R"(
CREATE TABLE cleaned (
  trimmed INTEGER NOT NULL, forgotten INTEGER NOT NULL, expired_to INTEGER NOT NULL, expired INTEGER NOT NULL);
INSERT INTO cleaned VALUES (0, 0, 0, 0);
)";

std::size_t items(const LogRequest& request) {
  if (const auto* const remember = std::get_if<Remember>(&request)) {
    return remember->predictions.size();
  }
  if (const auto* const labels = std::get_if<AddLabels>(&request)) return labels->labels.size();
  return 1;
}

void open_for_writing(Database& database) {
  database.run("PRAGMA auto_vacuum = INCREMENTAL");  // of a new log
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA synchronous = FULL");
  database.run("PRAGMA wal_autocheckpoint = 0");
  database.run("PRAGMA cache_size = -65536");
  database.run("PRAGMA journal_size_limit = 67108864");
  database.run("BEGIN IMMEDIATE");
  Statement version(database, "PRAGMA user_version");
  version.step();
  const std::int64_t found = version.integer(0);
  version.reset();
  if (found > kLogVersion) {
    throw DatabaseError("the log was written by a newer version of plumbline");
  }
  if (found == 0) database.run(kTables);
  if (found < kLogVersion) {
    database.run(kTablesOfVersion2);
    database.run(("PRAGMA user_version = " + std::to_string(kLogVersion)).c_str());
  }
  database.run("COMMIT");
}

}  // namespace

Time now() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

struct EventLog::Impl {
  Impl(const std::string& log_path, Options log_options)
      : path(log_path), options(log_options), database(log_path) {
    open_for_writing(database);
    statements.emplace(database);
    Statement counted(database, "SELECT remembered, predicted, labels FROM counts");
    counted.step();
    written = {whole(counted.integer(0)), whole(counted.integer(1)), whole(counted.integer(2))};
    counted.reset();
    cleaner.emplace(database, options.retention);
    cleaner->count(written);
    current = written;
    sqlite3_wal_hook(
        database.handle(),
        [](void* self, sqlite3*, const char*, int pages) {
          static_cast<Impl*>(self)->pages_in_log = pages;
          return SQLITE_OK;
        },
        this);
    writer = std::thread([this] { write(); });
    mover = std::thread([this] { move_pages(); });
  }

  ~Impl() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    wake.notify_all();
    wake_mover.notify_all();
    writer.join();
    mover.join();
  }

  void ask(LogRequest request) {
    {
      const std::lock_guard lock(mutex);
      requests.push_back(std::move(request));
    }
    wake.notify_one();
  }

  // ---- The writing thread

  void write() {
    std::vector<LogRequest> group;
    while (take(group)) {
      if (!group.empty() || unflushed) write(group);
      group.clear();
      clean();
      if (few_pages_left.exchange(false) || pages_in_log >= kMostPages) {
        checkpoint_now();
      } else if (pages_in_log >= kPagesToMove) {
        wake_mover.notify_one();
      }
    }
  }

  // Waits for requests, or until what was written before is to be flushed; false if the log is to be closed.
  bool take(std::vector<LogRequest>& group) {
    std::unique_lock lock(mutex);
    const auto has_work = [&] { return stopping || !requests.empty(); };
    const auto now = SteadyClock::now();
    wake.wait_until(lock, unflushed ? std::min(cleaning, now + kLongestUnflushed) : cleaning,
                    has_work);
    for (std::size_t count = 0; !requests.empty() && count < kGroup;) {
      count += items(requests.front());
      group.push_back(std::move(requests.front()));
      requests.pop_front();
    }
    return !group.empty() || unflushed || !stopping;
  }

  // A step between two groups, for a quarter of the time at most.
  void clean() {
    const auto begin = SteadyClock::now();
    if (begin < cleaning) return;
    bool more = false;
    try {
      set_flush(false);
      database.run("BEGIN IMMEDIATE");
      more = cleaner->step(current.labels, now());
      database.run("COMMIT");
      more = cleaner->shrink() || more;
    } catch (const DatabaseError&) {  // the next group reports what is wrong
      if (database.in_transaction()) database.try_run("ROLLBACK");
      cleaner->reload();
      more = false;
    }
    const auto end = SteadyClock::now();
    cleaning = more ? end + 3 * (end - begin) : end + kCleaningPause;
    const std::lock_guard lock(counts_mutex);
    cleaner->count(current);
    cleaner->count(written);
  }

  // Predictions alone are not flushed: the operating system has them, and the next flush takes them along.
  void set_flush(bool flush) {
    if (flush == flushes) return;
    database.run(flush ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    flushes = flush;
  }

  struct Results {
    std::vector<Remembered> remembered{};
    std::vector<Labelled> labelled{};
  };

  void write(std::vector<LogRequest>& group) {
    std::vector<Results> results(group.size());
    std::string reason;
    // Also under a load of predictions that never pauses.
    const bool flush = group.empty() || SteadyClock::now() - flushed >= kLongestUnflushed ||
                       !std::ranges::all_of(group, [](const LogRequest& request) {
                         return std::holds_alternative<Remember>(request);
                       });
    try {
      set_flush(flush);
      database.run("BEGIN IMMEDIATE");
      time = now();
      for (std::size_t i = 0; i < group.size(); ++i) apply(group[i], results[i]);
      statements->set_counts
          .with(integer(current.remembered), integer(current.predicted), integer(current.labels))
          .execute();
      database.run("COMMIT");
      unflushed = !flush;
      if (flush) flushed = SteadyClock::now();
    } catch (const DatabaseError& error) {
      if (group.empty()) unflushed = false;  // not again and again
      reason = error.what();
      if (database.in_transaction()) database.try_run("ROLLBACK");
      current = counts();
    }
    const bool labels = publish(reason);
    for (std::size_t i = 0; i < group.size(); ++i) report(group[i], results[i], reason);
    if (labels && notify) notify();
  }

  // Returns true if there are further labels.
  bool publish(const std::string& reason) {
    const std::lock_guard lock(counts_mutex);
    const bool labels = current.labels > written.labels;
    written = current;
    failure = reason;
    return labels;
  }

  static void report(LogRequest& request, Results& results, const std::string& reason) {
    if (auto* const remember = std::get_if<Remember>(&request)) {
      if (!reason.empty()) {
        results.remembered.assign(remember->predictions.size(), {.reason = reason});
      }
      remember->report(std::move(results.remembered));
    } else if (auto* const labels = std::get_if<AddLabels>(&request)) {
      if (!reason.empty()) results.labelled.assign(labels->labels.size(), {.reason = reason});
      labels->report(std::move(results.labelled));
    } else {
      std::promise<void>& done = *std::get<AddSnapshot>(request).done;
      if (reason.empty()) {
        done.set_value();
      } else {
        done.set_exception(std::make_exception_ptr(DatabaseError(reason)));
      }
    }
  }

  void apply(const LogRequest& request, Results& results) {
    if (const auto* const remember = std::get_if<Remember>(&request)) {
      for (const NewPrediction& one : remember->predictions) {
        results.remembered.push_back(apply(one));
      }
    } else if (const auto* const labels = std::get_if<AddLabels>(&request)) {
      for (const NewLabel& one : labels->labels) results.labelled.push_back(apply(one));
    } else {
      const Snapshot& snapshot = *std::get<AddSnapshot>(request).snapshot;
      statements->add_snapshot
          .with(integer(snapshot.number), std::string_view(snapshot.file),
                std::string_view(snapshot.metrics), snapshot.time, integer(snapshot.bytes))
          .execute();
      statements->drop_snapshots.with().execute();
      cleaning = SteadyClock::now();  // less is needed now
    }
  }

  Remembered apply(const NewPrediction& prediction) {
    using enum Remembered::Status;
    const std::string_view id = prediction.id;
    if (statements->find_label.with(id).step()) {
      statements->find_label.reset();
      return {.status = labelled};
    }
    Statement& find = statements->find_prediction;
    if (find.with(id).step()) {
      Remembered known{.status = other_row};
      if (find.text(1) == prediction.row) {
        known.status = repeated;
        known.probabilities.assign(find.numbers(2).begin(), find.numbers(2).end());
        known.learned = whole(find.integer(3));
      }
      find.reset();
      return known;
    }
    if (current.pending() >= options.max_pending) return {.status = too_many};
    statements->add_prediction
        .with(integer(current.remembered + 1), id, time, std::string_view(prediction.row),
              std::span<const double>(prediction.probabilities), integer(prediction.learned))
        .execute();
    ++current.remembered;
    return {.status = remembered};
  }

  Labelled apply(const NewLabel& label) {
    using enum Labelled::Status;
    std::optional<std::int64_t> prediction;
    if (label.id) {
      const std::string_view id = *label.id;
      Statement& known = statements->find_label;
      if (known.with(id).step()) {
        Labelled result{.status = duplicate, .number = whole(known.integer(0))};
        if (known.text(1) != label.label) {
          result.status = other_label;
          result.first_label = known.text(1);
        }
        known.reset();
        return result;
      }
      Statement& find = statements->find_prediction;
      if (find.with(id).step()) {
        prediction = find.integer(0);
        const bool same = !label.row || find.text(1) == *label.row;
        find.reset();
        if (!same) return {.status = other_row};
      } else if (!label.row) {
        return {.status = unknown_id};
      }
    }
    ++current.labels;
    if (prediction) ++current.predicted;
    const auto view = [](const std::optional<std::string>& text) {
      return text ? std::optional<std::string_view>(*text) : std::nullopt;
    };
    statements->add_label
        .with(integer(current.labels), view(label.id), time, std::string_view(label.label),
              prediction, prediction ? std::nullopt : view(label.row))
        .execute();
    return {.status = accepted, .number = current.labels};
  }

  // ---- The thread that moves pages

  void move_pages() {
    std::optional<Database> own;
    std::unique_lock lock(mutex);
    while (true) {
      wake_mover.wait(lock, [&] { return stopping || pages_in_log >= kPagesToMove; });
      if (stopping) return;
      lock.unlock();
      pages_in_log = 0;
      try {
        if (!own) own.emplace(path);
        if (own->checkpoint() < kPagesToMove) few_pages_left = true;
      } catch (const DatabaseError&) {  // what is in the write-ahead log is safe there
      }
      lock.lock();
      wake_mover.wait_for(lock, std::chrono::milliseconds(200), [&] { return stopping; });
    }
  }

  // While pages are moved, new ones come. When few are left, this thread moves them, between two groups: then the log
  // is empty, and the next group begins it anew. It also does so if new pages come faster than they are moved.
  void checkpoint_now() {
    try {
      database.checkpoint();
    } catch (const DatabaseError&) {  // the next commit reports it
    }
  }

  LogCounts counts() const {
    const std::lock_guard lock(counts_mutex);
    return written;
  }

  const std::string path;
  const Options options;
  Database database;  // of the writing thread
  struct Statements {
    explicit Statements(Database& database)
        : find_label(database, "SELECT number, label FROM label WHERE id = ?"),
          find_prediction(
              database, "SELECT number, row, probabilities, learned FROM prediction WHERE id = ?"),
          add_prediction(database, "INSERT INTO prediction VALUES (?, ?, ?, ?, ?, ?)"),
          add_label(database, "INSERT INTO label VALUES (?, ?, ?, ?, ?, ?)"),
          add_snapshot(database, "INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?, ?)"),
          drop_snapshots(database,
                         "DELETE FROM snapshot WHERE number NOT IN "
                         "(SELECT number FROM snapshot ORDER BY number DESC LIMIT 2)"),
          set_counts(database, "UPDATE counts SET remembered = ?, predicted = ?, labels = ?") {}
    Statement find_label, find_prediction, add_prediction, add_label, add_snapshot, drop_snapshots,
        set_counts;
  };
  std::optional<Statements> statements;
  LogCounts current;                  // with the group that is being written
  Time time = 0;                      // of that group
  bool flushes = true;                // the present setting of the database
  SteadyClock::time_point flushed{};  // the time of the last flush
  bool unflushed = false;             // the last group was not flushed
  std::optional<LogCleaner> cleaner;
  SteadyClock::time_point cleaning = SteadyClock::now();  // the time of its next step

  mutable std::mutex counts_mutex;
  LogCounts written;
  std::string failure;
  std::function<void()> notify;

  std::mutex mutex;
  std::condition_variable wake, wake_mover;
  std::deque<LogRequest> requests;
  bool stopping = false;
  std::atomic<int> pages_in_log = 0;
  std::atomic<bool> few_pages_left = false;
  std::thread writer, mover;
};

EventLog::EventLog(const std::string& path, Options options)
    : impl_(std::make_unique<Impl>(path, options)) {}
EventLog::~EventLog() = default;

void EventLog::remember(std::vector<NewPrediction> predictions,
                        std::function<void(std::vector<Remembered>)> report) {
  impl_->ask(Remember{std::move(predictions), std::move(report)});
}

void EventLog::add(std::vector<NewLabel> labels,
                   std::function<void(std::vector<Labelled>)> report) {
  impl_->ask(AddLabels{std::move(labels), std::move(report)});
}

void EventLog::add(const Snapshot& snapshot) {
  std::promise<void> done;
  impl_->ask(AddSnapshot{&snapshot, &done});
  done.get_future().get();
}

void EventLog::on_labels(std::function<void()> notify) { impl_->notify = std::move(notify); }
LogCounts EventLog::counts() const { return impl_->counts(); }

std::string EventLog::failure() const {
  const std::lock_guard lock(impl_->counts_mutex);
  return impl_->failure;
}

}  // namespace plumbline::serve

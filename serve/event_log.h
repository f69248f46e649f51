// The log of one model: predictions that wait for their labels, labels in the order in which they are learned, and
// snapshots. An SQLite database in WAL mode.
//
// One thread writes. It takes all requests that have come while the last group was written, writes them in one
// transaction, and reports each when the group is written. A group with a label is flushed to the disk before it is
// reported, so that requests of many connections share a flush. A group of predictions alone is in the hands of the
// operating system when it is reported, and on disk with the next flush, 0.1 s later if no label comes before: it
// survives the death of the process at once, and a power failure after that time. The order of events is that of the
// groups. A second thread moves pages from the write-ahead log to the database, so that the first one does not wait
// for it.
//
// Labels are numbered from 1 without gaps. The model is a function of the labels with their rows, in this order. Rows
// that both snapshots have may be removed (log_cleaner.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace plumbline::serve {

// Microseconds since 1970.
using Time = std::int64_t;
Time now();
inline double in_seconds(Time time) { return static_cast<double>(time) / 1e6; }

// A prediction to be remembered under its id.
struct NewPrediction {
  std::string id;
  std::string row;  // JSON
  std::vector<double> probabilities;
  std::uint64_t learned;  // labels that the model had been given
};

struct Remembered {
  enum class Status { remembered, repeated, labelled, other_row, too_many, failed };
  Status status = Status::failed;
  // As given first, for a repeated prediction.
  std::vector<double> probabilities{};
  std::uint64_t learned = 0;
  std::string reason{};  // if it failed
};

struct NewLabel {
  std::optional<std::string> id;
  std::optional<std::string> row;  // JSON
  std::string label;
};

struct Labelled {
  enum class Status { accepted, duplicate, unknown_id, other_row, other_label, failed };
  Status status = Status::failed;
  std::uint64_t number = 0;   // of the label, if it is in the log
  std::string first_label{};  // if another one came first
  std::string reason{};       // if it failed
};

// A label to learn.
struct LabelRecord {
  std::uint64_t number;
  std::string id;  // empty if it has none
  std::string row;
  std::string label;
  Time time;
  std::optional<Time> predicted;      // if there was a prediction
  std::vector<double> probabilities;  // as predicted
};

// All that is known of an id.
struct KnownId {
  std::optional<Time> predicted{}, labelled{};
  std::string row{}, label{};
  std::vector<double> probabilities{};
  std::uint64_t number = 0;
};

struct Snapshot {
  std::uint64_t number = 0;  // the last label learned
  std::string file;          // in the folder of the log
  std::string metrics;       // JSON
  Time time = 0;
  std::uint64_t bytes = 0;
};

// How long events are kept. 0 is for ever.
struct Retention {
  std::uint64_t labels = 0;  // the last labels, whose rows are kept
  double label_days = 0;     // and no older ones
  double id_days = 0;        // the ids of labels whose rows were removed
  double pending_days = 90;  // predictions without a label
};

struct LogCounts {
  std::uint64_t remembered = 0;  // predictions with an id
  std::uint64_t predicted = 0;   // labels of such predictions
  std::uint64_t labels = 0;
  std::uint64_t expired = 0;  // predictions that were removed before their label came
  std::uint64_t trimmed = 0;  // the rows of the labels up to this number were removed
  std::uint64_t pending() const { return remembered - predicted - expired; }
};

class EventLog {
 public:
  struct Options {
    std::uint64_t max_pending = 10'000'000;
    Retention retention{};
  };

  // Opens or creates the log. Throws DatabaseError.
  EventLog(const std::string& path, Options options);
  // Writes what has been asked for.
  ~EventLog();
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  // The results are reported by the writing thread, in the order of the items; the function must not wait for it.
  void remember(std::vector<NewPrediction> predictions,
                std::function<void(std::vector<Remembered>)> report);
  void add(std::vector<NewLabel> labels, std::function<void(std::vector<Labelled>)> report);
  // Waits until it is written. Throws DatabaseError.
  void add(const Snapshot& snapshot);
  // Called by the writing thread when further labels are on disk.
  void on_labels(std::function<void()> notify);

  LogCounts counts() const;
  // Why the last group could not be written; empty if it was.
  std::string failure() const;

  // A connection for reading; each thread needs its own. The log must outlive it.
  class Reader {
   public:
    explicit Reader(const std::string& path);
    ~Reader();
    // The labels after this number, at most so many.
    std::vector<LabelRecord> labels(std::uint64_t after, std::size_t most);
    std::optional<KnownId> find(const std::string& id);
    // The newest first.
    std::vector<Snapshot> snapshots();
    // The rows of the labels up to this number have been removed.
    std::uint64_t trimmed();
    // From now on, all is read as it is now.
    void hold();

   private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
  };

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace plumbline::serve

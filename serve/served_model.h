// A named model in its folder: its log, the thread that learns what is in the log, and snapshots.
//
// The thread always learns from the log, whether the labels have just come or are replayed after a restart, so that
// both give the same model to the bit. A snapshot is a model file together with the number of its last label and its
// metrics; a restart loads the newest one and learns the labels after it.
//
//   FOLDER/definition.json           what the model was before its first label
//   FOLDER/initial.safetensors       the file that it was made from, if any
//   FOLDER/log.sqlite                predictions, labels, and which snapshots there are
//   FOLDER/snapshot-N.safetensors    the model after label N, for the last two snapshots
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "serve/event_log.h"
#include "serve/learning_model.h"

namespace plumbline::serve {

class ServedModel {
 public:
  struct Options {
    EventLog::Options log{};
    std::uint64_t snapshot_every = 10'000;  // labels
    double snapshot_seconds = 300;          // at least so often, if there are new labels
  };
  enum class State { replaying, ready, stopping, failed };

  // Makes the folder of a new model. Throws if it exists.
  static void create(const std::string& folder, const Definition& definition,
                     const std::vector<std::byte>& file);

  // Opens the folder, and begins to replay its log.
  ServedModel(std::string name, std::string folder, Options options);
  // Learns what is in the log, for at most ten seconds, and takes a snapshot.
  ~ServedModel();

  // From now on it is not ready; its thread learns what is in the log, and takes a snapshot.
  void begin_to_stop();
  // Its thread ends at once instead: for a model that is to be removed.
  void leave_unsaved();

  const std::string& name() const { return name_; }
  const std::string& folder() const { return folder_; }
  State state() const { return state_; }
  std::string reason() const;  // of the failure
  bool ready() const { return state_ == State::ready; }

  const LearningModel& model() const { return *model_; }
  EventLog& log() { return *log_; }
  const EventLog& log() const { return *log_; }
  std::uint64_t log_bytes() const;
  // Labels in the log that the model has not learned.
  std::uint64_t backlog() const;
  std::optional<KnownId> find(const std::string& id) const;

  // ---- Asked of the learning thread, which answers between two minibatches

  struct SnapshotResult {
    std::optional<Snapshot> snapshot{};
    std::string mistake{};
  };
  void take_snapshot(std::function<void(SnapshotResult)> report);
  struct FileResult {
    std::optional<std::vector<std::byte>> bytes{};
    std::uint64_t learned = 0;
  };
  void get_file(std::function<void(FileResult)> report);

  // Calls `report` when further labels have been learned, or none will be.
  void when_learned(std::function<void()> report);

  std::optional<Snapshot> last_snapshot() const;
  // How long the last replay took, in seconds, and how many labels it learned.
  double replay_seconds() const { return replay_seconds_; }
  std::uint64_t replayed() const { return replayed_; }

 private:
  void run();
  void recover();
  bool restore(const Snapshot& snapshot);
  // Learns all whole minibatches in the log up to this number.
  void learn_up_to(std::uint64_t number);
  bool snapshot_is_due() const;
  SnapshotResult snapshot();
  void remove_old_files();
  void wake();
  bool ask(std::function<void()> errand);
  void tell_waiting();
  void fail(const std::string& reason);

  const std::string name_, folder_;
  const Options options_;
  std::unique_ptr<EventLog> log_;
  std::unique_ptr<EventLog::Reader> reader_;  // of the learning thread
  std::unique_ptr<LearningModel> model_;
  std::atomic<State> state_ = State::replaying;
  std::atomic<double> replay_seconds_ = 0;
  std::atomic<std::uint64_t> replayed_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool has_news_ = false, stopping_ = false, unsaved_ = false, finished_ = false;
  std::vector<std::function<void()>> errands_, waiting_;  // waiting_: until labels are learned
  std::string reason_;
  std::optional<Snapshot> last_snapshot_;

  mutable std::mutex finder_mutex_;
  mutable std::unique_ptr<EventLog::Reader> finder_;

  std::thread thread_;  // last, so that all else is there when it starts
};

const char* name_of(ServedModel::State state);

}  // namespace plumbline::serve

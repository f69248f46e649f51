#include "serve/served_model.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <exception>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "plumbline/base/file.h"
#include "plumbline/error.h"
#include "plumbline/sqlite/database.h"
#include "serve/journal.h"

namespace plumbline::serve {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kLabelsAtOnce = 512;  // read from the log
constexpr std::chrono::seconds kTimeToStop{10};

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The number of the last label of which there is a snapshot file; 0 if there is none.
std::uint64_t last_snapshot_file(const std::string& folder) {
  constexpr std::string_view kPrefix = "snapshot-";
  std::uint64_t last = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    std::uint64_t number = 0;
    if (!name.starts_with(kPrefix)) continue;
    const char* const digits = name.data() + kPrefix.size();
    if (std::from_chars(digits, name.data() + name.size(), number).ec == std::errc{}) {
      last = std::max(last, number);
    }
  }
  return last;
}

// A database without a header is new, or has been lost.
void check_that_log_is_there(const std::string& folder, const std::string& log) {
  std::error_code error;
  const auto size = fs::file_size(log, error);
  if (error || size < 100) {
    if (const std::uint64_t number = last_snapshot_file(folder)) {
      throw Error(ErrorKind::io,
                  fmt::format("the log is missing or empty, though there is a snapshot of label "
                              "{}; restore the log from a backup, or move the folder away and "
                              "start from the snapshot with --model",
                              number),
                  {.source = log});
    }
  }
}

}  // namespace

const char* name_of(ServedModel::State state) {
  switch (state) {
    case ServedModel::State::replaying:
      return "replaying";
    case ServedModel::State::ready:
      return "ready";
    case ServedModel::State::stopping:
      return "stopping";
    case ServedModel::State::failed:
      break;
  }
  return "failed";
}

void ServedModel::create(const std::string& folder, const Definition& definition,
                         const std::vector<std::byte>& file) {
  // Under another name first: a folder with the right name is complete.
  const fs::path unfinished = folder + ".new";
  std::error_code error;
  fs::remove_all(unfinished, error);
  fs::create_directory(unfinished, error);
  if (error) {
    throw Error(ErrorKind::io, fmt::format("cannot create the folder: {}", error.message()),
                {.source = unfinished.string()});
  }
  if (!definition.file.empty()) write_file(unfinished / definition.file, file);
  const std::string json = definition.to_json();
  write_file(unfinished / "definition.json", std::as_bytes(std::span(json)));
  fs::rename(unfinished, folder, error);
  if (error) {
    throw Error(ErrorKind::io, fmt::format("cannot create the folder: {}", error.message()),
                {.source = folder});
  }
}

ServedModel::ServedModel(std::string name, std::string folder, Options options)
    : name_(std::move(name)), folder_(std::move(folder)), options_(options) {
  model_ = std::make_unique<LearningModel>(Definition::load(folder_), folder_);
  const std::string log = folder_ + "/log.sqlite";
  check_that_log_is_there(folder_, log);
  try {
    log_ = std::make_unique<EventLog>(log, options_.log);
    reader_ = std::make_unique<EventLog::Reader>(log);
    finder_ = std::make_unique<EventLog::Reader>(log);
  } catch (const DatabaseError& error) {
    throw Error(ErrorKind::io, error.what(), {.source = log});
  }
  log_->on_labels([this] { wake(); });
  thread_ = std::thread([this] { run(); });
}

void ServedModel::begin_to_stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    if (state_ != State::failed) state_ = State::stopping;
  }
  changed_.notify_all();
}

void ServedModel::leave_unsaved() {
  {
    const std::lock_guard lock(mutex_);
    unsaved_ = true;
  }
  begin_to_stop();
}

ServedModel::~ServedModel() {
  begin_to_stop();
  thread_.join();
  log_.reset();  // before what it notifies
}

void ServedModel::wake() {
  {
    const std::lock_guard lock(mutex_);
    has_news_ = true;
  }
  changed_.notify_one();
}

std::string ServedModel::reason() const {
  const std::lock_guard lock(mutex_);
  return reason_;
}

std::uint64_t ServedModel::backlog() const {
  const std::uint64_t labels = log_->counts().labels, learned = model_->learned();
  return labels > learned ? labels - learned : 0;
}

std::uint64_t ServedModel::log_bytes() const {
  std::uint64_t bytes = 0;
  for (const char* file : {"/log.sqlite", "/log.sqlite-wal"}) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(folder_ + file, error);
    if (!error) bytes += size;
  }
  return bytes;
}

std::optional<KnownId> ServedModel::find(const std::string& id) const {
  const std::lock_guard lock(finder_mutex_);
  return finder_->find(id);
}

std::optional<Snapshot> ServedModel::last_snapshot() const {
  const std::lock_guard lock(mutex_);
  return last_snapshot_;
}

void ServedModel::take_snapshot(std::function<void(SnapshotResult)> report) {
  if (!ask([this, report] { report(snapshot()); })) {
    report({.mistake = "the model is not learning"});
  }
}

void ServedModel::get_file(std::function<void(FileResult)> report) {
  const auto get = [this, report] {
    report({.bytes = model_->to_bytes(), .learned = model_->learned()});
  };
  if (!ask(get)) report({});
}

// False if the learning thread has ended.
bool ServedModel::ask(std::function<void()> errand) {
  {
    const std::lock_guard lock(mutex_);
    if (finished_) return false;
    errands_.push_back(std::move(errand));
  }
  changed_.notify_one();
  return true;
}

// ---- The learning thread

void ServedModel::run() {
  try {
    recover();
    std::unique_lock lock(mutex_);
    if (!stopping_) state_ = State::ready;
    while (!stopping_) {
      const auto wait = std::chrono::duration<double>(std::min(options_.snapshot_seconds, 60.0));
      changed_.wait_for(lock, wait, [&] { return has_news_ || stopping_ || !errands_.empty(); });
      has_news_ = false;
      std::vector<std::function<void()>> errands;
      errands.swap(errands_);
      lock.unlock();
      learn_up_to(log_->counts().labels);
      tell_waiting();
      for (const auto& errand : errands) errand();
      if (snapshot_is_due()) snapshot();
      lock.lock();
    }
    const bool save = !unsaved_;
    lock.unlock();
    if (save) {
      learn_up_to(log_->counts().labels);
      snapshot();
    }
  } catch (const std::exception& error) {
    fail(error.what());
  }
  // Whoever still waits for an answer gets one.
  std::vector<std::function<void()>> errands;
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
    errands.swap(errands_);
  }
  for (const auto& errand : errands) errand();
  tell_waiting();
}

void ServedModel::when_learned(std::function<void()> report) {
  {
    const std::lock_guard lock(mutex_);
    if (!finished_) {
      waiting_.push_back(std::move(report));
      has_news_ = true;  // it may have learned them all by now
      changed_.notify_one();
      return;
    }
  }
  report();
}

void ServedModel::tell_waiting() {
  std::vector<std::function<void()>> waiting;
  {
    const std::lock_guard lock(mutex_);
    waiting.swap(waiting_);
  }
  for (const auto& report : waiting) report();
}

void ServedModel::fail(const std::string& reason) {
  tell(Level::error, "model failed", {{"model", name_}, {"reason", reason}});
  const std::lock_guard lock(mutex_);
  reason_ = reason;
  state_ = State::failed;
}

void ServedModel::recover() {
  const auto begin = Clock::now();
  const std::uint64_t labels = log_->counts().labels;
  if (const std::uint64_t number = last_snapshot_file(folder_); number > labels) {
    tell(Level::warning, "labels lost",
         {{"model", name_}, {"labels", labels}, {"snapshot", number}});
  }
  for (const Snapshot& snapshot : reader_->snapshots()) {
    if (snapshot.number <= labels && restore(snapshot)) break;
  }
  const std::uint64_t trimmed = log_->counts().trimmed;
  if (model_->learned() < trimmed) {
    throw DatabaseError(
        fmt::format("no snapshot can be used, and the log has no rows before label "
                    "{}; put back a snapshot from a copy of the folder",
                    trimmed + 1));
  }
  const std::uint64_t from = model_->learned();
  learn_up_to(labels);
  model_->begin_to_serve();
  replayed_ = model_->learned() - from;
  replay_seconds_ = seconds_since(begin);
  tell(Level::info, "model ready",
       {{"model", name_},
        {"snapshot", from},
        {"replayed", replayed_.load()},
        {"labels", labels},
        {"seconds", replay_seconds_.load()}});
}

bool ServedModel::restore(const Snapshot& snapshot) {
  const std::string path = folder_ + "/" + snapshot.file;
  try {
    model_->restore(read_file(path), path, snapshot.metrics, snapshot.number);
    const std::lock_guard lock(mutex_);
    last_snapshot_ = snapshot;
    return true;
  } catch (const Error& error) {
    tell(Level::warning, "snapshot not usable", {{"model", name_}, {"reason", error.what()}});
    return false;
  }
}

void ServedModel::learn_up_to(std::uint64_t number) {
  std::optional<Clock::time_point> stop;
  const std::size_t batch = model_->batch();
  const std::size_t at_once = std::max<std::size_t>(kLabelsAtOnce / batch, 1) * batch;
  while (model_->learned() + batch <= number) {
    const std::uint64_t left = number - model_->learned();
    const std::size_t most =
        left < at_once ? static_cast<std::size_t>(left) / batch * batch : at_once;
    const std::vector<LabelRecord> records = reader_->labels(model_->learned(), most);
    if (records.size() != most || records.front().number != model_->learned() + 1) {
      throw DatabaseError(fmt::format("the log has no label after number {}", model_->learned()));
    }
    for (std::size_t first = 0; first < most; first += batch) {
      model_->learn(std::span(records).subspan(first, batch));
    }
    tell_waiting();
    if (snapshot_is_due() && state_ != State::replaying) snapshot();
    const std::unique_lock lock(mutex_);
    if (!stopping_) continue;
    if (unsaved_) return;
    // The rest is learned after the next start.
    if (!stop) stop = Clock::now() + kTimeToStop;
    if (Clock::now() > *stop) return;
  }
}

bool ServedModel::snapshot_is_due() const {
  const std::optional<Snapshot> last = last_snapshot();
  const std::uint64_t number = last ? last->number : 0;
  const std::uint64_t learned = model_->learned();
  if (learned == number) return false;
  if (learned - number >= options_.snapshot_every) return true;
  return last && in_seconds(now() - last->time) >= options_.snapshot_seconds;
}

ServedModel::SnapshotResult ServedModel::snapshot() {
  const std::optional<Snapshot> last = last_snapshot();
  if (last && last->number == model_->learned()) return {.snapshot = last};
  const std::optional<std::vector<std::byte>> bytes = model_->to_bytes();
  if (!bytes || model_->learned() == 0) return {.mistake = "the model has learned no label yet"};
  Snapshot taken{.number = model_->learned(),
                 .file = fmt::format("snapshot-{}.safetensors", model_->learned()),
                 .metrics = model_->metrics_state(),
                 .time = now(),
                 .bytes = bytes->size()};
  try {
    write_file(folder_ + "/" + taken.file, *bytes);
    log_->add(taken);
  } catch (const std::runtime_error& error) {  // Error or DatabaseError; the log has all labels
    tell(Level::error, "snapshot failed", {{"model", name_}, {"reason", error.what()}});
    return {.mistake = error.what()};
  }
  {
    const std::lock_guard lock(mutex_);
    last_snapshot_ = taken;
  }
  remove_old_files();
  tell(Level::info, "snapshot",
       {{"model", name_}, {"number", taken.number}, {"bytes", taken.bytes}});
  return {.snapshot = taken};
}

// Removes snapshots that the log no longer has.
void ServedModel::remove_old_files() {
  std::set<std::string> kept;
  for (const Snapshot& snapshot : reader_->snapshots()) kept.insert(snapshot.file);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const std::string file = entry.path().filename();
    if (file.starts_with("snapshot-") && file.ends_with(".safetensors") && !kept.contains(file)) {
      fs::remove(entry.path(), error);
    }
  }
}

}  // namespace plumbline::serve

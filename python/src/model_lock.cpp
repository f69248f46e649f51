#include "model_lock.h"

#include <new>
#include <stdexcept>

#include <pthread.h>

namespace plumbline::python {
namespace {

// Counts the forks between the first process and this one.
std::atomic<std::uint64_t> this_process{0};

// Held during a fork, and when a change begins or ends. A fork copies memory piece by piece while other threads
// run: without this mutex, a flag could be copied before a change begins and the model after that.
std::mutex fork_gate;

void watch_forks() {
  static const int failure = ::pthread_atfork([] { fork_gate.lock(); }, [] { fork_gate.unlock(); },
                                              [] {
                                                ++this_process;
                                                fork_gate.unlock();
                                              });
  if (failure != 0) throw std::bad_alloc();
}

// Waits for a short time only. A free lock is acquired without reading the clock.
template <class Lock>
bool try_for_a_while(Lock& lock) {
  return lock.try_lock() || lock.try_lock_for(Signals::kPeriod);
}

// Runs signal handlers between the pieces of the wait.
template <class Lock>
void wait_for(Lock& lock, Signals& signals) {
  while (!try_for_a_while(lock)) {
    if (signals.due()) signals.handle();
  }
}

[[noreturn]] void refuse_own_thread() {
  throw std::runtime_error(
      "this thread is already using the model: a signal handler can predict with it and save it, "
      "but it cannot learn, nor pickle it during learning");
}

}  // namespace

ModelLock::ModelLock() {
  watch_forks();
  process_ = this_process.load();
}

void ModelLock::check() {
  if (process_.load(std::memory_order_acquire) != this_process.load(std::memory_order_relaxed)) {
    const std::lock_guard closed(fork_gate);
    if (process_ != this_process) {
      // The old mutexes are leaked: threads that do not exist here may hold them.
      static_cast<void>(mutexes_.release());
      mutexes_ = std::make_unique<Mutexes>();
      torn_ = torn_ || changing_;
      process_.store(this_process, std::memory_order_release);
    }
  }
  if (torn_) {
    throw std::runtime_error(
        "the model was learning when this process was forked, so its copy here is half-changed; "
        "load the model from a file, or fork while it is not learning");
  }
}

void ModelLock::mark(bool changing) {
  const std::lock_guard closed(fork_gate);
  changing_ = changing;
}

// The door is closed during a piece of the wait, and open while a signal handler runs, because the handler may wait for
// other threads.
template <class ModelMutexLock>
void ModelLock::enter(ModelMutexLock& model, Signals& signals) {
  std::unique_lock door(mutexes_->door, std::defer_lock);
  while (true) {
    wait_for(door, signals);
    if (try_for_a_while(model)) return;
    door.unlock();
    if (signals.due()) signals.handle();
  }
}

ModelLock::Note::Note(const ModelLock& lock, bool changing)
    : changing(changing), lock_(lock), process_(lock.process_), outer_(innermost_) {
  innermost_ = this;
}

ModelLock::Note::~Note() { innermost_ = outer_; }

const ModelLock::Note* ModelLock::Note::about(const ModelLock& lock) {
  const Note* note = innermost_;
  // Notes from before a fork refer to mutexes that are no longer used.
  while (note != nullptr && (&note->lock_ != &lock || note->process_ != lock.process_)) {
    note = note->outer_;
  }
  return note;
}

ModelLock::Look::Look(ModelLock& lock, Signals& signals)
    : model_(taken(lock, signals)), note_(lock, /*changing=*/false) {}

std::shared_lock<std::shared_timed_mutex> ModelLock::Look::taken(ModelLock& lock,
                                                                 Signals& signals) {
  lock.check();
  const Note* const own = Note::about(lock);
  if (own != nullptr && !own->changing) return {};  // this thread already reads the model
  if (own != nullptr && !own->paused) refuse_own_thread();
  std::shared_lock model(lock.mutexes_->model, std::defer_lock);
  lock.enter(model, signals);
  return model;
}

ModelLock::Change::Change(ModelLock& lock, Signals& signals)
    : lock_(lock),
      turn_(turn_of(lock), std::defer_lock),
      model_(lock.mutexes_->model, std::defer_lock),
      note_(lock, /*changing=*/true) {
  note_.paused = true;
  wait_for(turn_, signals);
  lock_.enter(model_, signals);
  note_.paused = false;
  lock_.mark(true);
}

std::timed_mutex& ModelLock::Change::turn_of(ModelLock& lock) {
  lock.check();
  if (Note::about(lock) != nullptr) refuse_own_thread();
  return lock.mutexes_->turn;
}

ModelLock::Change::~Change() { lock_.mark(false); }

void ModelLock::Change::pause_for(Signals& signals) {
  if (!signals.due()) return;
  note_.paused = true;
  model_.unlock();
  signals.handle();
  lock_.check();  // a handler may have forked
  lock_.enter(model_, signals);
  note_.paused = false;
}

}  // namespace plumbline::python

// The read-write lock of a model: several threads read it, or one changes it. Unlike a std::shared_mutex it
//
//  - survives a fork: in the child it is free. A model that was being changed during the fork is half-changed in
//    the child, and every use of it there is an error.
//  - lets a change pause while the model is consistent: others can read it then, while further changes wait.
//  - throws if its own thread already holds it and would wait forever, as in a signal handler.
//  - lets signal handlers run while it waits; an exception of one ends the wait.
//  - starves no thread: while a change waits for readers, further readers queue behind it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>

#include "signals.h"

namespace plumbline::python {

class ModelLock {
 public:
  ModelLock();
  ModelLock(const ModelLock&) = delete;
  ModelLock& operator=(const ModelLock&) = delete;

  class Look;
  class Change;
  // Throws a std::runtime_error in a child whose copy of the model is half-changed.
  void check();

 private:
  struct Mutexes {
    std::timed_mutex turn;  // held during a change, also while it is paused
    std::timed_mutex door;  // held while waiting for the model, in short pieces
    std::shared_timed_mutex model;
  };
  // Locks mutexes_->model.
  template <class ModelMutexLock>
  void enter(ModelMutexLock& model, Signals& signals);

  // Records that the current thread holds a lock. Notes are nested.
  class Note {
   public:
    Note(const ModelLock& lock, bool changing);
    ~Note();
    Note(const Note&) = delete;
    Note& operator=(const Note&) = delete;

    // The innermost note about a lock; null if the current thread does not hold it.
    static const Note* about(const ModelLock& lock);

    const bool changing;
    bool paused = false;  // true while the change is paused

   private:
    const ModelLock& lock_;
    const std::uint64_t process_;
    const Note* const outer_;
    static inline thread_local const Note* innermost_ = nullptr;
  };

  void mark(bool changing);

  std::unique_ptr<Mutexes> mutexes_ = std::make_unique<Mutexes>();
  std::atomic<std::uint64_t> process_;  // the process that the mutexes belong to
  bool changing_ = false;
  bool torn_ = false;
};

// The model does not change during the lifetime of a Look. A thread may have several.
class ModelLock::Look {
 public:
  Look(ModelLock& lock, Signals& signals);

 private:
  static std::shared_lock<std::shared_timed_mutex> taken(ModelLock& lock, Signals& signals);

  std::shared_lock<std::shared_timed_mutex> model_;
  const Note note_;
};

// Other threads cannot use the model during the lifetime of a Change, except while it is paused.
class ModelLock::Change {
 public:
  Change(ModelLock& lock, Signals& signals);
  ~Change();
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

  // Runs pending signal handlers if due; the change is paused meanwhile.
  void pause_for(Signals& signals);

 private:
  // Throws if the current thread already holds the lock.
  static std::timed_mutex& turn_of(ModelLock& lock);

  ModelLock& lock_;
  std::unique_lock<std::timed_mutex> turn_;
  std::unique_lock<std::shared_timed_mutex> model_;
  Note note_;
};

}  // namespace plumbline::python

// The lock of a model: several threads look at it, or one changes it. Unlike a std::shared_mutex it
//
//  - survives a fork: in the child it is free. A model that was being changed at the moment of the fork is
//    half-changed in the child, and every use of it there is an error.
//  - lets a change pause where the model is whole: others can look at it then, while further changes wait.
//  - throws where its own thread holds it already and would wait for ever, as in a signal handler.
//  - lets signal handlers run while it waits; the exception of one ends the wait.
//  - starves no thread: while a change waits for those that look to leave, further ones queue up behind it.
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

  // Notes that the present thread holds a lock. Such notes lie inside each other.
  class Note {
   public:
    Note(const ModelLock& lock, bool changing);
    ~Note();
    Note(const Note&) = delete;
    Note& operator=(const Note&) = delete;

    // The innermost one about a lock; null if the present thread does not hold it.
    static const Note* about(const ModelLock& lock);

    const bool changing;
    bool paused = false;  // the change is

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

// The model does not change during the life of a Look. A thread may have several.
class ModelLock::Look {
 public:
  Look(ModelLock& lock, Signals& signals);

 private:
  static std::shared_lock<std::shared_timed_mutex> taken(ModelLock& lock, Signals& signals);

  std::shared_lock<std::shared_timed_mutex> model_;
  const Note note_;
};

// Other threads cannot use the model during the life of a Change, except while it is paused.
class ModelLock::Change {
 public:
  Change(ModelLock& lock, Signals& signals);
  ~Change();
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

  // Lets signal handlers run if it is time for them; meanwhile the change is paused.
  void pause_for(Signals& signals);

 private:
  // Throws if the present thread holds the lock already.
  static std::timed_mutex& turn_of(ModelLock& lock);

  ModelLock& lock_;
  std::unique_lock<std::timed_mutex> turn_;
  std::unique_lock<std::shared_timed_mutex> model_;
  Note note_;
};

}  // namespace plumbline::python

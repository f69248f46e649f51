// A lock for many readers and one writer that neither starves: a writer that waits lets no further reader in, and waits
// only for those that are there. std::shared_mutex alone may let readers in for ever.
#pragma once

#include <mutex>
#include <shared_mutex>

namespace plumbline::serve {

class FairLock {
 public:
  void lock() {
    const std::lock_guard turn(turn_);
    readers_.lock();
  }
  void unlock() { readers_.unlock(); }
  void lock_shared() {
    const std::lock_guard turn(turn_);
    readers_.lock_shared();
  }
  void unlock_shared() { readers_.unlock_shared(); }

 private:
  std::mutex turn_;
  std::shared_mutex readers_;
};

}  // namespace plumbline::serve

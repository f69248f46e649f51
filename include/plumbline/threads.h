// The number of threads that the library uses: one per core, unless limited. Results are the same to the bit for any
// number.
#pragma once

#include <cstddef>

#include "plumbline/api.h"

PLUMBLINE_BEGIN_NAMESPACE

// The number of threads for calls from the current thread: one per core, unless a limit is in scope.
std::size_t allowed_threads();

// Limits the number of threads for calls from the thread that made it, while it is in scope. 0 means no limit.
class ThreadLimit {
 public:
  explicit ThreadLimit(std::size_t threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  std::size_t before_;
};

PLUMBLINE_END_NAMESPACE

// How many threads the library takes: as many as the machine has cores, unless a limit says less. The results are the same
// bits for any number.
#pragma once

#include <cstddef>

#include "plumbline/api.h"

PLUMBLINE_BEGIN_NAMESPACE

// How many threads are taken for calls on the present thread: as many as the machine has
// cores, unless a limit is in scope.
std::size_t allowed_threads();

// Limits them, while it is in scope, on the thread that made it. 0 is no limit.
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

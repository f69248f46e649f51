// A thread pool for work that is too short to start threads for. There is one pool per process.
//
// The calling thread does the work, and idle workers join in. The caller never waits for a worker that has not joined.
// The pool serves one caller at a time; a second caller, or a nested call, does its work alone. Idle workers spin for
// a few microseconds, then sleep; they end with the process. A forked child has its own pool.
#pragma once

#include <cstddef>
#include <functional>

#include "plumbline/threads.h"

namespace plumbline::inline v0 {

// Calls work(0) on this thread and, concurrently, some of work(1), …, work(threads - 1) on workers of the pool, and
// returns when all calls have returned. Each call has to determine what is left to do, which may be nothing; a worker
// may be called several times in succession. `work` must not throw.
void run_on_workers(std::size_t threads, const std::function<void(std::size_t)>& work);

}  // namespace plumbline::inline v0

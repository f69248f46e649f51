// Threads that help with work too short to start threads for. There is one pool in a process.
//
// The calling thread does the work, and idle workers join in. It never waits for a worker that has not joined. The
// pool serves one caller at a time; another one, or one from inside the work, goes on alone. Idle workers
// look for work for a few microseconds, then sleep; they end with the process. A forked child has a pool of its own.
#pragma once

#include <cstddef>
#include <functional>

#include "plumbline/threads.h"

namespace plumbline::inline v0 {

// Calls work(0) on this thread and at the same time work(1), …, work(threads - 1) on as many of the pool as come, and
// returns when all of them have returned. Each call finds out for itself what there is left to do, perhaps nothing:
// a worker may be called several times, one after the other. It must not throw.
void run_on_workers(std::size_t threads, const std::function<void(std::size_t)>& work);

}  // namespace plumbline::inline v0

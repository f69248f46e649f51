// Independent jobs on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace plumbline::inline v0 {

// Calls job(0), …, job(count - 1), each once, on up to `threads` threads (0: as many as the machine
// has cores). Jobs must not depend on each other; if several
// run at once, each has a ThreadLimit of 1 (threads/thread_pool.h). The first exception stops the jobs that have not
// begun and is thrown again here.
void parallel_for(std::size_t count, std::size_t threads,
                  const std::function<void(std::size_t)>& job);

}  // namespace plumbline::inline v0

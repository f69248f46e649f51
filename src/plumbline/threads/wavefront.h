// A run_wavefront over threads: items pass stages in order, and each stage takes the items in order.
#pragma once

#include <cstddef>
#include <functional>

namespace plumbline::inline v0 {

// Calls job(stage, item) once for each of them, on up to `threads` threads: after job(stage - 1, item) and
// job(stage, item - 1) have returned, whose effects it sees. It must not throw.
void run_wavefront(std::size_t threads, std::size_t stages, std::size_t items,
                   const std::function<void(std::size_t, std::size_t)>& job);

}  // namespace plumbline::inline v0

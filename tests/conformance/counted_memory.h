// What operator new has given in this program. counted_memory.cpp replaces it, so a test that asks is
// a program of its own.
#pragma once

#include <cstdint>

namespace plumbline::test {

// Bytes that are held at the moment.
std::int64_t live_bytes();
// Calls of operator new so far.
std::int64_t allocations();

}  // namespace plumbline::test

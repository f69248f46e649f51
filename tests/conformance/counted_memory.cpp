#include "tests/conformance/counted_memory.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::int64_t> live{0};
std::atomic<std::int64_t> calls{0};
}  // namespace

// gcc inlines one side of a pair and then finds that malloc does not match operator delete.
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  live += static_cast<std::int64_t>(malloc_usable_size(memory));
  ++calls;
  return memory;
}

[[gnu::noinline]] void operator delete(void* memory) noexcept {
  if (memory != nullptr) live -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace plumbline::test {

std::int64_t live_bytes() { return live; }
std::int64_t allocations() { return calls; }

}  // namespace plumbline::test

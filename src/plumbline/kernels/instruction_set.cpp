#include "plumbline/kernels/instruction_set.h"

#include <atomic>
#include <cassert>

namespace plumbline::inline v0::kernels {
namespace {

bool has_avx2() {
#if defined(__x86_64__)
  // What Highway's AVX2 needs, besides F16C, which every processor with AVX2 has.
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
         __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0;
#else
  return false;
#endif
}

std::atomic<InstructionSet>& chosen() {
  static std::atomic<InstructionSet> set =
      has_avx2() ? InstructionSet::avx2 : InstructionSet::baseline;
  return set;
}

}  // namespace

bool is_supported(InstructionSet set) { return set == InstructionSet::baseline || has_avx2(); }

InstructionSet instruction_set() { return chosen().load(std::memory_order_relaxed); }

void use_instruction_set(InstructionSet set) {
  assert(is_supported(set));
  chosen() = set;
}

}  // namespace plumbline::inline v0::kernels

#include "plumbline/kernels/instruction_set.h"

#include <atomic>
#include <cassert>

#include "plumbline/kernels/boost.h"

namespace plumbline::inline v0::kernels {
namespace {

bool has_avx2() {
#if defined(__x86_64__)
  // The features that Highway's AVX2 needs, besides F16C, which every processor with AVX2 has.
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
         __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0;
#else
  return false;
#endif
}

bool has_avx512() {
#if defined(__x86_64__)
  // Highway's AVX3: the instruction set of Skylake servers.
  return has_avx2() && __builtin_cpu_supports("avx512f") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
         __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512cd") != 0;
#else
  return false;
#endif
}

// AVX2 has as many lanes.
constexpr std::size_t kHalfBlock = kBlock / 2;

// The instruction sets for up to half a block of learners, and for more. Aligned, so that clang needs no library for the
// atomic one.
struct alignas(2 * sizeof(InstructionSet)) Choice {
  InstructionSet half, whole;
};

Choice fastest() {
  if (has_avx512()) return {InstructionSet::avx2, InstructionSet::avx512};
  const InstructionSet set = has_avx2() ? InstructionSet::avx2 : InstructionSet::baseline;
  return {set, set};
}

std::atomic<Choice>& choice() {
  static std::atomic<Choice> sets = fastest();
  return sets;
}

}  // namespace

bool is_supported(InstructionSet set) {
  return set == InstructionSet::baseline ||
         (set == InstructionSet::avx2 ? has_avx2() : has_avx512());
}

InstructionSet instruction_set(std::size_t learners) {
  const Choice sets = choice().load(std::memory_order_relaxed);
  return learners > kHalfBlock ? sets.whole : sets.half;
}

InstructionSet instruction_set(std::size_t learners, std::size_t rows) {
  return instruction_set(rows < kBlock ? 1 : learners);
}

void use_instruction_set(std::optional<InstructionSet> set) {
  assert(!set || is_supported(*set));
  choice() = set ? Choice{*set, *set} : fastest();
}

}  // namespace plumbline::inline v0::kernels

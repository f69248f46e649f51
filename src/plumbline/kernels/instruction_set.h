// The instruction set of the kernels: AVX-512, AVX2, or the baseline of the compiler.
//
// Highway compiles each kernel for all of them (HWY_DISABLED_TARGETS in CMakeLists.txt). Its own dispatch is not used: it
// lives in a shared library whose constructor measures a clock for milliseconds in every program that is linked with it.
#pragma once

#include <cstddef>
#include <optional>

namespace plumbline::inline v0::kernels {

enum class InstructionSet { baseline, avx2, avx512 };

// True if the kernels are compiled for it and the processor has it.
bool is_supported(InstructionSet set);
// The fastest one for this many learners of a block: AVX-512 has eight lanes, of which four learners would leave half
// idle.
InstructionSet instruction_set(std::size_t learners);
// The same for a wavefront of these rows. With fewer rows than lanes, it is mostly ramp-up, which is shorter in AVX2.
InstructionSet instruction_set(std::size_t learners, std::size_t rows);
// For tests: uses the given supported set for all sizes; without one, the fastest set again.
void use_instruction_set(std::optional<InstructionSet> set);

// The variant of a kernel for an instruction set.
template <class Function>
Function* variant(InstructionSet set, Function* baseline, Function* avx2, Function* avx512) {
  return set == InstructionSet::avx512 ? avx512 : set == InstructionSet::avx2 ? avx2 : baseline;
}

}  // namespace plumbline::inline v0::kernels

// PLUMBLINE_DISPATCH(Function, learners[, rows])(arguments): calls the fastest variant. Needs highway.h.
#if defined(__x86_64__) && !defined(__AVX2__)
#define PLUMBLINE_DISPATCH(function, ...)                                                  \
  variant(instruction_set(__VA_ARGS__), &HWY_STATIC_DISPATCH(function), &N_AVX2::function, \
          &N_AVX3::function)
#else
#define PLUMBLINE_DISPATCH(function, ...) (&HWY_STATIC_DISPATCH(function))
#endif

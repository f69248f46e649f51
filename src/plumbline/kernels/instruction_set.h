// The instruction set of the kernels: AVX2 if the processor has it, else the baseline of the compiler.
//
// Highway compiles each kernel for both (HWY_DISABLED_TARGETS in CMakeLists.txt). Its own dispatch is not used: it lives
// in a shared library whose constructor measures a clock for milliseconds in every program that is linked with it.
#pragma once

namespace plumbline::inline v0::kernels {

enum class InstructionSet { baseline, avx2 };

// True if the kernels are compiled for it and the processor has it.
bool is_supported(InstructionSet set);
InstructionSet instruction_set();
// For tests: uses another supported one from now on.
void use_instruction_set(InstructionSet set);

}  // namespace plumbline::inline v0::kernels

// PLUMBLINE_DISPATCH(Function)(arguments): calls the variant for the instruction set. Needs highway.h.
#if defined(__x86_64__) && !defined(__AVX2__)
#define PLUMBLINE_DISPATCH(function) \
  (instruction_set() == InstructionSet::avx2 ? &N_AVX2::function : &HWY_STATIC_DISPATCH(function))
#else
#define PLUMBLINE_DISPATCH(function) (&HWY_STATIC_DISPATCH(function))
#endif

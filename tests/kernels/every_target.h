// Every instruction set that the kernels are compiled for and this machine has.
#pragma once

#include <gtest/gtest.h>

#include "plumbline/kernels/instruction_set.h"

namespace plumbline::test {

// Runs `check` with each.
template <class Check>
void with_every_target(const Check& check) {
  using kernels::InstructionSet;
  const InstructionSet usual = kernels::instruction_set();
  for (const InstructionSet set : {InstructionSet::baseline, InstructionSet::avx2}) {
    if (!kernels::is_supported(set)) continue;
    kernels::use_instruction_set(set);
    SCOPED_TRACE(set == InstructionSet::avx2 ? "AVX2" : "baseline");
    check();
  }
  kernels::use_instruction_set(usual);
}

}  // namespace plumbline::test

// Every instruction set that the kernels are compiled for and this machine has.
#pragma once

#include <gtest/gtest.h>

#include "plumbline/kernels/instruction_set.h"

namespace plumbline::test {

// Runs `check` with each.
template <class Check>
void with_every_target(const Check& check) {
  using kernels::InstructionSet;
  const auto run = [&](InstructionSet set, const char* name) {
    if (!kernels::is_supported(set)) return;
    kernels::use_instruction_set(set);
    SCOPED_TRACE(name);
    check();
  };
  run(InstructionSet::baseline, "baseline");
  run(InstructionSet::avx2, "AVX2");
  run(InstructionSet::avx512, "AVX-512");
  kernels::use_instruction_set({});
}

}  // namespace plumbline::test

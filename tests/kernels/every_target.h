// Every instruction set that the kernels are compiled for and this machine has.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "hwy/detect_targets.h"
#include "hwy/targets.h"

#ifndef HWY_DISABLED_TARGETS
#error "compile with the kernels' HWY_DISABLED_TARGETS (PLUMBLINE_KERNEL_TARGETS of CMakeLists.txt)"
#endif

namespace plumbline::test {

// Runs `check` with each. HWY_TARGETS lists those that are compiled; with any other one the kernels
// would fall back to another instruction set than the one that is named here.
template <class Check>
void with_every_target(const Check& check) {
  std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  EXPECT_NE(targets, 0);
  for (; targets != 0; targets &= targets - 1) {
    const std::int64_t target = targets & -targets;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    SCOPED_TRACE(hwy::TargetName(target));
    check();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace plumbline::test

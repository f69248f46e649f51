#include "plumbline/kernels/instruction_set.h"

#include <gtest/gtest.h>

namespace plumbline {
namespace {

using kernels::InstructionSet;

TEST(InstructionSet, IsAvx512ForMoreThanFourLearnersAndAtLeastEightRows) {
  if (!kernels::is_supported(InstructionSet::avx512)) GTEST_SKIP() << "needs AVX-512";
  EXPECT_EQ(kernels::instruction_set(8), InstructionSet::avx512);
  EXPECT_EQ(kernels::instruction_set(5), InstructionSet::avx512);
  EXPECT_EQ(kernels::instruction_set(4), InstructionSet::avx2);
  EXPECT_EQ(kernels::instruction_set(8, 8), InstructionSet::avx512);
  EXPECT_EQ(kernels::instruction_set(8, 7), InstructionSet::avx2);
  EXPECT_EQ(kernels::instruction_set(4, 100), InstructionSet::avx2);
}

TEST(InstructionSet, IsTheGivenOneWhateverTheSize) {
  kernels::use_instruction_set(InstructionSet::baseline);
  EXPECT_EQ(kernels::instruction_set(8), InstructionSet::baseline);
  EXPECT_EQ(kernels::instruction_set(1, 1), InstructionSet::baseline);
  kernels::use_instruction_set({});
  if (!kernels::is_supported(InstructionSet::avx2)) GTEST_SKIP() << "needs AVX2";
  EXPECT_NE(kernels::instruction_set(8), InstructionSet::baseline);
  EXPECT_NE(kernels::instruction_set(1, 1), InstructionSet::baseline);
}

}  // namespace
}  // namespace plumbline

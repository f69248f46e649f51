// Floats in a model file: two in each number of 64 bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "plumbline/archive.h"

namespace plumbline::inline v0 {

inline void archive_packed(Archive& archive, std::string_view name, std::span<float> values) {
  std::vector<std::uint64_t> packed((values.size() + 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    packed[i / 2] |= std::uint64_t{std::bit_cast<std::uint32_t>(values[i])} << (i % 2 * 32);
  }
  archive.values(name, packed);
  for (std::size_t i = 0; archive.loading() && i < values.size(); ++i) {
    values[i] = std::bit_cast<float>(static_cast<std::uint32_t>(packed[i / 2] >> (i % 2 * 32)));
  }
}

}  // namespace plumbline::inline v0

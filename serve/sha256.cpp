#include "serve/sha256.h"

#include <array>
#include <cstdint>

#include <sha2.h>

namespace plumbline::serve {

std::string sha256(std::span<const std::byte> bytes) {
  std::array<char, SHA256_DIGEST_STRING_LENGTH> digits{};
  SHA256Data(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), digits.data());
  return digits.data();
}

}  // namespace plumbline::serve

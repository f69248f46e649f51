// Texts packed as gzip, zstd, bzip2, xz and zip do it, for tests of what reads them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

namespace plumbline::test {

// Raw, as in a zip archive, or with the header of gzip if zlib's window bits say so.
inline std::string deflated(const std::string& text, int window_bits = -MAX_WBITS) {
  std::string packed(compressBound(text.size()) + 100, '\0');
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

inline std::string gzip(const std::string& text) { return deflated(text, 16 + MAX_WBITS); }

inline std::string zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

inline std::string bzip2(const std::string& text) {
  std::string packed(text.size() + text.size() / 50 + 1000, '\0');
  auto size = static_cast<unsigned>(packed.size());
  EXPECT_EQ(BZ2_bzBuffToBuffCompress(packed.data(), &size, const_cast<char*>(text.data()),
                                     static_cast<unsigned>(text.size()), 1, 0, 0),
            BZ_OK);
  packed.resize(size);
  return packed;
}

inline std::string xz(const std::string& text) {
  std::string packed(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(
                1, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()),
                text.size(), reinterpret_cast<std::uint8_t*>(packed.data()), &size, packed.size()),
            LZMA_OK);
  packed.resize(size);
  return packed;
}

struct ZipMember {
  std::string name, text;
  bool stored = false;
  int flags = 0;
};

// An archive, of zip64 if `large`: all numbers of the directory that may stand there are there.
inline std::string zip(const std::vector<ZipMember>& members, bool large = false) {
  const auto number = [](std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(i < 8 ? value >> (8 * i) : 0);
    return text;
  };
  constexpr std::uint64_t kLarge = 0xFFFFFFFF;
  std::string archive, directory;
  for (const ZipMember& member : members) {
    const std::string packed = member.stored ? member.text : deflated(member.text);
    const auto checksum = ::crc32(0, reinterpret_cast<const Bytef*>(member.text.data()),
                                  static_cast<uInt>(member.text.size()));
    const std::string common = number(static_cast<std::uint64_t>(member.flags), 2) +
                               number(member.stored ? 0 : 8, 2) + number(0, 4) +
                               number(checksum, 4);
    const std::string sizes = number(packed.size(), 4) + number(member.text.size(), 4);
    const std::string extra = large ? number(1, 2) + number(24, 2) + number(member.text.size(), 8) +
                                          number(packed.size(), 8) + number(archive.size(), 8)
                                    : "";
    directory += "PK\x01\x02" + number(45, 2) + number(45, 2) + common +
                 (large ? number(kLarge, 4) + number(kLarge, 4) : sizes) +
                 number(member.name.size(), 2) + number(extra.size(), 2) + number(0, 10) +
                 number(large ? kLarge : archive.size(), 4) + member.name + extra;
    archive += "PK\x03\x04" + number(45, 2) + common + sizes + number(member.name.size(), 2) +
               number(0, 2) + member.name + packed;
  }
  const std::uint64_t at = archive.size();
  archive += directory;
  if (large) {
    const std::uint64_t end = archive.size();
    archive += "PK\x06\x06" + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8) +
               number(members.size(), 8) + number(members.size(), 8) + number(directory.size(), 8) +
               number(at, 8);
    archive += "PK\x06\x07" + number(0, 4) + number(end, 8) + number(1, 4);
  }
  const std::uint64_t count = large ? 0xFFFF : members.size();
  return archive + "PK\x05\x06" + number(0, 4) + number(count, 2) + number(count, 2) +
         number(large ? kLarge : directory.size(), 4) + number(large ? kLarge : at, 4) +
         number(0, 2);
}

}  // namespace plumbline::test

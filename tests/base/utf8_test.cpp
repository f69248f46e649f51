#include "plumbline/base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace plumbline::utf8_test {
namespace {

std::string encode(char32_t c) {
  const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xC0 | c >> 6), byte(0x80 | (c & 0x3F))};
  if (c < 0x10000) {
    return {byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F))};
  }
  return {byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 0x3F)), byte(0x80 | (c >> 6 & 0x3F)),
          byte(0x80 | (c & 0x3F))};
}

TEST(Utf8, ReadsEveryCodePointButSurrogates) {
  for (char32_t c = 0; c <= 0x110000; ++c) {
    const std::string text = encode(c);
    const bool valid = c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
    const CodePoint read = first_code_point(text + "x");
    ASSERT_EQ(read.valid, valid) << static_cast<unsigned>(c);
    ASSERT_EQ(read.value, valid ? c : kReplacementCharacter);
    ASSERT_EQ(read.bytes, valid ? text.size() : 1);
    ASSERT_EQ(is_utf8("a" + text + "ö"), valid) << static_cast<unsigned>(c);
  }
}

TEST(Utf8, RefusesWhatIsCutOverlongOrStray) {
  for (const std::string text :
       {"\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xC0\xBC", "\xC1\xBF", "\xE0\x9F\xBF",
        "\xF0\x8F\xBF\xBF", "\x80", "\xBF", "\xF5\x80\x80\x80", "\xFF", "\xC3(", "\xE2(\x82"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
    EXPECT_FALSE(first_code_point(text).valid) << text;
    EXPECT_EQ(first_code_point(text).bytes, 1u) << text;
  }
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8(std::string_view("\0", 1)));
}

TEST(Utf8, CountsCharacters) {
  EXPECT_EQ(count_characters("größer – 数😀"), 11u);
  EXPECT_EQ(count_characters(""), 0u);
}

TEST(Utf8, CutsBetweenCharacters) {
  const std::string_view text = "aö–😀";  // 1, 2, 3 and 4 bytes
  EXPECT_EQ(first_bytes(text, 0), "");
  EXPECT_EQ(first_bytes(text, 2), "a");
  EXPECT_EQ(first_bytes(text, 3), "aö");
  EXPECT_EQ(first_bytes(text, 9), "aö–");
  EXPECT_EQ(first_bytes(text, 10), text);
  EXPECT_EQ(first_bytes(text, 99), text);
  EXPECT_EQ(first_characters(text, 0), "");
  EXPECT_EQ(first_characters(text, 2), "aö");
  EXPECT_EQ(first_characters(text, 4), text);
  EXPECT_EQ(first_characters(text, 9), text);
  // No text makes a cut lose more than the rest of a character.
  EXPECT_EQ(first_bytes(std::string(20, '\x80'), 10).size(), 7u);
}

}  // namespace
}  // namespace plumbline::utf8_test

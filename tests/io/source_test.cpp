#include "plumbline/io/source.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "tests/io/packed.h"
#include "tests/support.h"

namespace plumbline::source_test {
namespace {

using test::bzip2;
using test::expect_error;
using test::gzip;
using test::xz;
using test::zip;
using test::zstd;

std::string text_of_size(std::size_t size) {
  std::string text;
  Rng rng(1, 0, 0);
  while (text.size() < size) text += std::to_string(rng.below(1000)) + ",";
  return text;
}

std::string read_all(Source& source, std::size_t piece) {
  std::string text, buffer(piece, '\0');
  while (const std::size_t got = source.read(buffer)) text.append(buffer, 0, got);
  EXPECT_EQ(source.read(buffer), 0u);  // the end stays the end
  return text;
}

std::string read_all(const std::string& bytes, std::size_t piece = 1000) {
  return read_all(*source_from(bytes, "x"), piece);
}

TEST(Source, GivesPlainAndPackedBytesAlike) {
  for (const std::size_t size : {0u, 1u, 3u, 4u, 5000u, 2000000u}) {
    const std::string text = text_of_size(size);
    for (const std::size_t piece : {7u, 65536u}) {
      if (size > 10000 && piece < 100) continue;
      EXPECT_EQ(read_all(text, piece), text);
      EXPECT_EQ(read_all(gzip(text), piece), text);
      EXPECT_EQ(read_all(zstd(text), piece), text);
      EXPECT_EQ(read_all(bzip2(text), piece), text);
      EXPECT_EQ(read_all(xz(text), piece), text);
      for (const bool stored : {false, true}) {
        for (const bool large : {false, true}) {
          EXPECT_EQ(read_all(zip({{"a.csv", text, stored}}, large), piece), text);
        }
      }
    }
  }
}

TEST(Source, JoinsSeveralMembersAndFrames) {
  EXPECT_EQ(read_all(gzip("one,") + gzip("") + gzip("two")), "one,two");
  EXPECT_EQ(read_all(zstd("one,") + zstd("two")), "one,two");
  EXPECT_EQ(read_all(bzip2("one,") + bzip2("") + bzip2("two")), "one,two");
  EXPECT_EQ(read_all(xz("one,") + xz("") + xz("two")), "one,two");
  EXPECT_EQ(read_all(xz("one") + std::string(512, '\0')), "one");
  EXPECT_EQ(read_all(gzip("one") + std::string(512, '\0')), "one");  // padding of a tape
}

TEST(Source, RefusesWhatIsNeitherAMemberNorPaddingAfterAMember) {
  std::string second = gzip("two");
  second[0] = static_cast<char>(~second[0]);
  for (const std::string& rest : {second, std::string("x"), std::string(600000, '\0') + "x"}) {
    expect_error(ErrorKind::data, {"x: the gzip data is damaged", "not a gzip member"},
                 [&] { read_all(gzip("one") + rest); });
  }
  // As much as is whole has been given before.
  const auto source = source_from(gzip("one") + second, "x");
  std::string buffer(10, '\0');
  EXPECT_EQ(source->read(buffer), 3u);
  EXPECT_EQ(buffer.substr(0, 3), "one");
}

TEST(Source, NamesTheEncodingsThatItDoesNotRead) {
  using namespace std::string_literals;
  for (const auto& [bytes, name] : {std::pair{"\xff\xfe\0\0a\0\0\0"s, "UTF-32"},
                                    {"\0\0\xfe\xff\0\0\0a"s, "UTF-32"},
                                    {"\xff\xfe;\0"s, "UTF-16"},
                                    {"\xfe\xff\0a"s, "UTF-16"}}) {
    expect_error(ErrorKind::data, {"it is ", name}, [&bytes = bytes] { read_all(bytes); });
  }
}

TEST(Source, UnpacksWhatIsMuchLargerThanItsPackedBytes) {
  const std::string zeros(5000000, '0');
  EXPECT_EQ(read_all(gzip(zeros)), zeros);
  EXPECT_EQ(read_all(zstd(zeros)), zeros);
  EXPECT_EQ(read_all(bzip2(zeros)), zeros);
  EXPECT_EQ(read_all(xz(zeros)), zeros);
  EXPECT_EQ(read_all(zip({{"zeros", zeros}})), zeros);
}

TEST(Source, WantsOneMemberOfAZipArchive) {
  const auto refused = [](const std::string& archive, std::initializer_list<const char*> parts) {
    expect_error(ErrorKind::data, parts, [&] { read_all(archive); });
  };
  refused(zip({{"a.csv", "1"}, {"b.csv", "2"}}),
          {"x: ", "2 members, 'a.csv', 'b.csv'", "unzip -p"});
  refused(zip({{"[Content_Types].xml", "1"}, {"xl/sheet", "2"}}), {"Excel"});
  refused(zip({{"folder/", ""}}), {"empty"});
  refused("PK\x05\x06" + std::string(18, '\0'), {"empty"});
  refused(zip({{"a.csv", "1", true, 1}}), {"'a.csv' is encrypted"});
  EXPECT_EQ(read_all(zip({{"d/", ""}, {"d/a.csv", "one"}, {"__MACOSX/d/._a.csv", "two"}})), "one");
}

TEST(Source, RefusesATruncatedOrDamagedZipArchive) {
  const std::string text = text_of_size(5000);
  for (const bool stored : {false, true}) {
    const std::string archive = zip({{"a.csv", text, stored}});
    for (const std::size_t size : {4u, 30u, 100u, 1000u}) {
      expect_error(ErrorKind::data, {"x: the zip archive", "truncated"},
                   [&] { read_all(archive.substr(0, size)); });
    }
    expect_error(ErrorKind::data, {"x: the zip archive", "truncated"},
                 [&] { read_all(archive.substr(0, archive.size() - 10)); });
    // Each byte but those of names, dates and versions, and numbers that nobody needs.
    for (std::size_t i = 60; i < 1000; i += 20) {
      std::string damaged = archive;
      damaged[i] = static_cast<char>(~damaged[i]);
      expect_error(ErrorKind::data, {"x: the zip archive", "damaged"}, [&] { read_all(damaged); });
    }
  }
}

TEST(Source, ReadsZipArchivesOfFilesInPlace) {
  const std::string path = ::testing::TempDir() + "zip_test_" + std::to_string(::getpid());
  const std::string text = text_of_size(1000000);
  std::ofstream(path, std::ios::binary) << zip({{"a.csv", text}});
  const auto source = open_source(path);
  std::string buffer(1000, '\0');
  EXPECT_EQ(source->read(buffer), 1000u);
  EXPECT_GT(*source->share_read(), 0);
  EXPECT_LT(*source->share_read(), 1);
  EXPECT_EQ(buffer + read_all(*source, 4096), text);
  EXPECT_EQ(source->share_read(), 1);
  std::filesystem::remove(path);
}

TEST(Source, RefusesTruncatedAndDamagedPacking) {
  const std::string text = text_of_size(5000);
  const auto refused = [](const std::string& packed, const char* kind) {
    expect_error(ErrorKind::data, {"x: ", kind, "truncated"},
                 [&] { read_all(packed.substr(0, packed.size() / 2)); });
    std::string damaged = packed;
    for (std::size_t i = 20; i < 60; ++i) damaged[i] = static_cast<char>(~damaged[i]);
    expect_error(ErrorKind::data, {"x: ", kind}, [&] { read_all(damaged); });
  };
  refused(gzip(text), "gzip");
  refused(zstd(text), "zstd");
  refused(bzip2(text), "bzip2");
  refused(xz(text), "xz");
}

TEST(Source, ReadsFilesAndSaysWhyItCannot) {
  const std::string path = ::testing::TempDir() + "source_test_" + std::to_string(::getpid());
  std::ofstream(path, std::ios::binary) << gzip("hello");
  EXPECT_EQ(read_all(*open_source(path), 2), "hello");
  expect_error(ErrorKind::io, {"cannot open", "\\x00.gz", "NUL byte"},
               [&] { open_source(path + std::string("\0.gz", 4)); });
  std::filesystem::remove(path);
  expect_error(ErrorKind::io, {"cannot open", path.c_str(), "No such file"},
               [&] { open_source(path); });
  expect_error(ErrorKind::io, {"cannot read", "directory"},
               [&] { open_source(::testing::TempDir()); });
}

}  // namespace
}  // namespace plumbline::source_test

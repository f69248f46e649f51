#include "plumbline/io/formats.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "plumbline/io/arff.h"
#include "plumbline/io/csv.h"
#include "plumbline/io/libsvm.h"
#include "plumbline/io/source.h"
#include "plumbline/io/vw.h"
#include "tests/io/packed.h"
#include "tests/support.h"

namespace plumbline::formats_test {
namespace {

using test::expect_error;
using test::gzip;
using test::zstd;

constexpr const char* kCsv = "a|b|y\n1|2|0\n";
constexpr const char* kArff = "@relation r\n@attribute x numeric\n@data\n5\n";
constexpr const char* kLibsvm = "1 1:5\n";
constexpr const char* kVw = "1 |f x:5\n";

// A file that is there as long as the test.
class File {
 public:
  File(const std::string& name, const std::string& bytes)
      : path_(::testing::TempDir() + std::to_string(::getpid()) + "_" + name) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~File() { std::filesystem::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

template <class R>
bool opens_as(const std::string& name, const std::string& bytes, const std::string& format = "") {
  const File file(name, bytes);
  const std::unique_ptr<Stream> reader = open_stream(file.path(), {.format = format});
  return dynamic_cast<R*>(reader.get()) != nullptr;
}

// The number of rows, and the last field of the last one.
std::pair<std::size_t, std::string> read_through(Stream& reader) {
  std::size_t rows = 0;
  std::string last;
  for (; reader.next(); ++rows) last = reader.row().fields.back();
  return {rows, last};
}

TEST(Formats, AreKnownByName) {
  std::vector<std::string> names;
  for (const Format& format : formats()) names.push_back(format.name);
  EXPECT_EQ(names, (std::vector<std::string>{"csv", "arff", "libsvm", "vw"}));
  expect_error(ErrorKind::config, {"unknown format 'arf'", "did you mean 'arff'"},
               [] { open_stream("no such file", {.format = "arf"}); });
}

TEST(Formats, TheContentSaysWhatAFileIsWhateverItsName) {
  EXPECT_TRUE(opens_as<ArffReader>("x.csv", kArff));
  EXPECT_TRUE(opens_as<LibsvmReader>("x.txt", kLibsvm));
  EXPECT_TRUE(opens_as<VwReader>("x", kVw));
  EXPECT_TRUE(opens_as<CsvReader>("x", kCsv));
}

TEST(Formats, TheContentIsSeenThroughThePacking) {
  for (const auto pack : {gzip, zstd}) {
    EXPECT_TRUE(opens_as<ArffReader>("x", pack(kArff)));
    EXPECT_TRUE(opens_as<LibsvmReader>("x", pack(kLibsvm)));
    EXPECT_TRUE(opens_as<VwReader>("x", pack(kVw)));
    EXPECT_TRUE(opens_as<CsvReader>("x", pack(kCsv)));
  }
}

TEST(Formats, WhereTheContentDoesNotSayTheExtensionDoes) {
  EXPECT_TRUE(opens_as<VwReader>("x.vw", "1 | a\n"));
  EXPECT_TRUE(opens_as<VwReader>("x.vw.gz", gzip("1|f a\n")));
  EXPECT_TRUE(opens_as<LibsvmReader>("x.libsvm", "yes 1:5\n"));
  EXPECT_TRUE(opens_as<LibsvmReader>("x.svm", "1:5\n"));
  EXPECT_TRUE(opens_as<LibsvmReader>("x.svmlight.zst", zstd("1\n")));
  EXPECT_TRUE(opens_as<ArffReader>("x.arff", "@attribute x numeric\n@data\n"));
  EXPECT_TRUE(opens_as<CsvReader>("x.vw.old", "1 | a\n"));
}

TEST(Formats, AFormatThatIsNamedIsTakenAtItsWord) {
  EXPECT_TRUE(opens_as<CsvReader>("x.svm", kLibsvm, "csv"));
  EXPECT_TRUE(opens_as<CsvReader>("x.vw", kVw, "csv"));
  EXPECT_TRUE(opens_as<VwReader>("x.csv", kCsv, "vw"));
  expect_error(ErrorKind::data, {"line 1: "}, [] { opens_as<ArffReader>("x", kCsv, "arff"); });
}

TEST(Formats, ExactlyOneClaimsAFile) {
  for (const char* head : {kArff, kLibsvm, kVw}) {
    std::size_t claims = 0;
    for (const Format& format : formats()) claims += format.recognises(head) ? 1 : 0;
    EXPECT_EQ(claims, 1u) << head;
  }
}

TEST(Formats, EveryReaderReadsPackedFilesOfSeveralBuffers) {
  std::string arff = "@attribute s string\n@attribute x numeric\n@data\n", libsvm, vw;
  for (int i = 0; i < 40000; ++i) {
    const std::string number = std::to_string(i);
    arff += "word" + number + "," + number + "\n";
    libsvm += "1 1:0.5 2:" + number + "\n";
    vw += "1 |f word:" + number + "\n";
  }
  const std::pair<std::size_t, std::string> expected{40000, "39999"};
  for (const auto pack : {gzip, zstd}) {
    ArffReader arff_reader(source_from(pack(arff), "x"), "x");
    EXPECT_EQ(read_through(arff_reader), expected);
    LibsvmReader libsvm_reader(source_from(pack(libsvm), "x"), "x");
    EXPECT_EQ(read_through(libsvm_reader), expected);
    VwReader vw_reader(source_from(pack(vw), "x"), "x");
    EXPECT_EQ(read_through(vw_reader), expected);
  }
}

TEST(Formats, TheShareReadGoesToOne) {
  for (const char* text : {kCsv, kArff, kLibsvm, kVw}) {
    const File file("share", text);
    const std::unique_ptr<Stream> reader = open_stream(file.path());
    read_through(*reader);
    EXPECT_EQ(reader->share_read(), 1.0);
  }
}

}  // namespace
}  // namespace plumbline::formats_test

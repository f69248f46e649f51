#include "plumbline/base/file.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support.h"

namespace plumbline::file_test {
namespace {

using test::expect_error;

class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "plumbline.XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::string folder_;
};

std::vector<std::byte> bytes(const std::string& text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

TEST_F(FileTest, ReadsWhatWasWritten) {
  write_file(path("a"), bytes("one"));
  EXPECT_EQ(read_file(path("a")), bytes("one"));
  write_file(path("a"), bytes(""));
  EXPECT_TRUE(read_file(path("a")).empty());
  const std::string large(1 << 20, 'x');
  write_file(path("a"), bytes(large));
  EXPECT_EQ(read_file(path("a")), bytes(large));
  EXPECT_EQ(entries(), 1u);  // no temporary file is left
}

TEST_F(FileTest, KeepsTheModeOfAFileThatItReplaces) {
  write_file(path("a"), bytes("one"));
  ASSERT_EQ(::chmod(path("a").c_str(), 01640), 0);
  write_file(path("a"), bytes("two"));
  struct stat status {};
  ASSERT_EQ(::stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 01640u);
}

TEST_F(FileTest, GivesANewFileTheModeThatTheUmaskLeaves) {
  const mode_t before = ::umask(027);
  write_file(path("a"), bytes("one"));
  EXPECT_EQ(::umask(before), 027u);  // writing did not change it
  struct stat status {};
  ASSERT_EQ(::stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(FileTest, WritesThroughASymbolicLink) {
  write_file(path("target"), bytes("one"));
  std::filesystem::create_symlink(path("target"), path("link"));
  write_file(path("link"), bytes("two"));
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("target")), bytes("two"));
}

TEST_F(FileTest, WritesThroughALinkWhoseTargetIsNotThereYet) {
  std::filesystem::create_directory(path("folder"));
  std::filesystem::create_symlink("folder/target", path("link"));  // relative to the link
  std::filesystem::create_symlink(path("link"), path("second"));
  write_file(path("second"), bytes("two"));
  EXPECT_TRUE(std::filesystem::is_symlink(path("second")));
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("folder/target")), bytes("two"));
  std::filesystem::create_symlink(path("loop"), path("loop"));
  expect_error(ErrorKind::io, {"cannot write", "loop"},
               [&] { write_file(path("loop"), bytes("x")); });
}

// A process that was killed while it wrote leaves such a file.
TEST_F(FileTest, RemovesTemporaryFilesOfProcessesThatAreGone) {
  const auto make = [&](const std::string& name, bool old) {
    std::ofstream(path(name)) << "half";
    if (!old) return;
    const auto hour_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
    std::filesystem::last_write_time(path(name), hour_ago);
  };
  make("a.0123abcd.tmp", true);
  make("a.1123abcd.tmp", false);  // its process may not have locked it yet
  make("a.2123abcd.tmp", true);   // its process is alive: it holds the lock
  make("a.x123abcd.tmp", true);   // somebody else's
  make("b.0123abcd.tmp", true);   // of another target
  const int alive = ::open(path("a.2123abcd.tmp").c_str(), O_WRONLY);
  ASSERT_EQ(::flock(alive, LOCK_EX), 0);
  write_file(path("a"), bytes("new"));
  ::close(alive);
  EXPECT_FALSE(std::filesystem::exists(path("a.0123abcd.tmp")));
  for (const char* name :
       {"a", "a.1123abcd.tmp", "a.2123abcd.tmp", "a.x123abcd.tmp", "b.0123abcd.tmp"}) {
    EXPECT_TRUE(std::filesystem::exists(path(name))) << name;
  }
}

TEST_F(FileTest, SaysWhyAFileCannotBeReadOrWritten) {
  expect_error(ErrorKind::io, {"cannot open", "nowhere", "No such file"},
               [&] { read_file(path("nowhere")); });
  expect_error(ErrorKind::io, {"cannot read", "directory"}, [&] { read_file(folder_); });
  expect_error(ErrorKind::io, {"cannot write", "No such file"},
               [&] { write_file(path("no/folder"), bytes("x")); });
}

// For the system such a path ends at the NUL byte, so that another file would be read or written.
TEST_F(FileTest, RefusesAPathWithANulByte) {
  const std::string odd = path(std::string("a\0b", 3));
  write_file(path("a"), bytes("one"));
  expect_error(ErrorKind::io, {"cannot open", "a\\x00b", "NUL byte"}, [&] { read_file(odd); });
  expect_error(ErrorKind::io, {"cannot write", "a\\x00b", "NUL byte"},
               [&] { check_writable(odd); });
  expect_error(ErrorKind::io, {"cannot write", "a\\x00b", "NUL byte"},
               [&] { write_file(odd, bytes("two")); });
  EXPECT_EQ(read_file(path("a")), bytes("one"));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(FileTest, DoesNotReplaceWhatIsNotARegularFile) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  expect_error(ErrorKind::io, {"cannot write", "not a regular file"},
               [&] { write_file(path("pipe"), bytes("x")); });
  expect_error(ErrorKind::io, {"cannot write", "not a regular file"},
               [&] { write_file(folder_, bytes("x")); });
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
}

// A limit on the size of files fails the write half-way, as a full disk would.
TEST_F(FileTest, AFailedWriteLeavesTheOldFile) {
  write_file(path("a"), bytes("old"));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  expect_error(ErrorKind::io, {"cannot write", "too large"},
               [&] { write_file(path("a"), bytes(std::string(5000, 'x'))); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(read_file(path("a")), bytes("old"));
  EXPECT_EQ(entries(), 1u);  // nor is half a file left
}

}  // namespace
}  // namespace plumbline::file_test

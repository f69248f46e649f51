#include "plumbline/core/file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plumbline/core/error.h"

namespace plumbline {
namespace {

[[noreturn]] void refuse(const std::string& path, const char* verb) {
  throw Error(ErrorKind::io, fmt::format("cannot {} '{}': {}", verb, path, std::strerror(errno)));
}

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  int get() const { return descriptor_; }
  bool close() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    return descriptor < 0 || ::close(descriptor) == 0;
  }

 private:
  int descriptor_;
};

// A file that is removed again unless the work on it succeeds.
class Temporary {
 public:
  explicit Temporary(std::string path) : path_(std::move(path)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  void keep() { path_.clear(); }

 private:
  std::string path_;
};

// A new file in the same folder, with the mode that new files get here; -1 if there can be none.
int create_beside(const std::string& target, std::string& path) {
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    path = fmt::format("{}.{:08x}.tmp", target, random());
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

// The rename itself is durable only once the folder is synced. Not every file system can do that,
// and the file's own content is safe by then, so a failure here is no error.
void sync_folder_of(const std::string& path) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.get() >= 0) ::fsync(descriptor.get());
}

}  // namespace

void check_path(const std::string& path, const char* verb) {
  if (path.find('\0') == std::string::npos) return;
  throw Error(ErrorKind::io,
              fmt::format("cannot {} '{}': the path has a NUL byte; remove it", verb, path));
}

std::vector<std::byte> read_file(const std::string& path) {
  check_path(path, "open");
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) refuse(path, "open");
  std::vector<std::byte> bytes;
  std::size_t used = 0;
  for (;;) {
    if (used == bytes.size()) bytes.resize(used + used / 2 + (std::size_t{1} << 16));
    const ssize_t got = ::read(file.get(), bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(path, "read");
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  bytes.resize(used);
  return bytes;
}

namespace {

// The file to replace: what a symbolic link points to, not the link. Throws if it is no file.
struct Target {
  explicit Target(const std::string& given) {
    check_path(given, "write");
    std::error_code missing;
    path = std::filesystem::canonical(given, missing).string();
    if (missing) path = given;
    exists = ::stat(path.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
      throw Error(ErrorKind::io, fmt::format("cannot write '{}': it is not a regular file", given));
    }
  }

  std::string path;
  bool exists = false;
  struct stat status {};
};

}  // namespace

void check_writable(const std::string& path) {
  const Target target(path);
  std::string temporary_path;
  const Descriptor file(create_beside(target.path, temporary_path));
  if (file.get() < 0) refuse(path, "write");
  const Temporary temporary(temporary_path);
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  const Target target(path);
  std::string temporary_path;
  Descriptor file(create_beside(target.path, temporary_path));
  if (file.get() < 0) refuse(path, "write");
  Temporary temporary(temporary_path);
  while (!bytes.empty()) {
    const ssize_t put = ::write(file.get(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) refuse(path, "write");
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  // Keep the mode, if it is ours to set.
  if (target.exists) ::fchmod(file.get(), target.status.st_mode & 07777);
  if (::fsync(file.get()) != 0 || !file.close() ||
      ::rename(temporary_path.c_str(), target.path.c_str()) != 0) {
    refuse(path, "write");
  }
  temporary.keep();
  sync_folder_of(target.path);
}

}  // namespace plumbline

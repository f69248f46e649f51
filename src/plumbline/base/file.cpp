#include "plumbline/base/file.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <random>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plumbline/error.h"

namespace plumbline::inline v0 {
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

// A temporary file, which is removed unless `keep` is called.
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

std::filesystem::path folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

constexpr std::string_view kSuffix = ".tmp";
constexpr std::size_t kDigits = 8;

// Creates a file in the target's folder, with the default mode; returns -1 on failure. It is locked
// while open, so that remove_stale can tell whether its process is alive.
int create_beside(const std::string& target, std::string& path) {
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    path = fmt::format("{}.{:0{}x}{}", target, random(), kDigits, kSuffix);
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) ::flock(descriptor, LOCK_EX | LOCK_NB);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

// True if create_beside could have made the name.
bool is_temporary_of(std::string_view target, std::string_view name) {
  if (name.size() != target.size() + 1 + kDigits + kSuffix.size()) return false;
  return name.starts_with(target) && name[target.size()] == '.' && name.ends_with(kSuffix) &&
         name.substr(target.size() + 1, kDigits).find_first_not_of("0123456789abcdef") ==
             std::string_view::npos;
}

// True if the process that wrote the file has ended. A file that was just created may not be locked yet.
bool is_abandoned(const std::string& path) {
  constexpr std::time_t kSeconds = 60;
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat status {};
  return file.get() >= 0 && ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) &&
         status.st_mtime + kSeconds < std::time(nullptr) &&
         ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

// Removes the temporary files of processes that were killed while they wrote this target.
void remove_stale(const std::string& target) {
  const std::string name = std::filesystem::path(target).filename().string();
  std::error_code ignored;
  for (std::filesystem::directory_iterator entry(folder_of(target), ignored), end;
       !ignored && entry != end; entry.increment(ignored)) {
    const std::string path = entry->path().string();
    if (is_temporary_of(name, entry->path().filename().string()) && is_abandoned(path)) {
      ::unlink(path.c_str());
    }
  }
}

bool sync(int descriptor) {
  while (::fsync(descriptor) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

// The rename is durable only after a sync of the folder. Not every file system supports that, and the
// content of the file is safe by then, so a failure is not an error.
void sync_folder_of(const std::string& path) {
  const Descriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) sync(folder.get());
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

// The path at the end of a chain of symbolic links, which need not exist.
std::string end_of_links(const std::string& start) {
  constexpr int kMaxLinks = 40;  // as in the kernel
  std::filesystem::path path = start;
  std::error_code none;
  for (int i = 0; std::filesystem::is_symlink(path, none); ++i) {
    if (i == kMaxLinks) {
      errno = ELOOP;
      refuse(start, "write");
    }
    path = path.parent_path() / std::filesystem::read_symlink(path, none);
  }
  return path.string();
}

// The file to replace; of a symbolic link, the file that it points to. Throws if it is not a regular file.
struct Target {
  explicit Target(const std::string& requested) {
    check_path(requested, "write");
    path = end_of_links(requested);
    exists = ::stat(path.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
      throw Error(ErrorKind::io,
                  fmt::format("cannot write '{}': it is not a regular file", requested));
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
    if (put == 0) errno = EIO;  // should not happen; continuing could loop forever
    if (put <= 0) refuse(path, "write");
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  // Preserve the mode, if permitted.
  if (target.exists) ::fchmod(file.get(), target.status.st_mode & 07777);
  if (!sync(file.get()) || !file.close() ||
      ::rename(temporary_path.c_str(), target.path.c_str()) != 0) {
    refuse(path, "write");
  }
  temporary.keep();
  sync_folder_of(target.path);
  remove_stale(target.path);
}

}  // namespace plumbline::inline v0

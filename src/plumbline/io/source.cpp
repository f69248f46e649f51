#include "plumbline/io/source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plumbline/base/file.h"
#include "plumbline/error.h"
#include "plumbline/io/unpack.h"
#include "plumbline/io/zip.h"

namespace plumbline::inline v0 {
namespace {

class FileSource : public Source {
 public:
  FileSource(const std::string& path, const std::atomic<bool>* interrupted)
      : interrupted_(interrupted), name_(source_name(path)) {
    check_path(path, "open");
    while (path != "-" && (descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) < 0) {
      stop_if_interrupted();
      if (errno != EINTR) refuse("open");
    }
    struct stat status {};
    if (::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) {
      size_ = static_cast<double>(status.st_size);
    }
  }
  ~FileSource() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::size_t read(std::span<char> buffer) override {
    for (;;) {
      // At the end of a file there is nothing left to interrupt.
      if (size_ == 0 || read_ < size_) stop_if_interrupted();
      if (size_ == 0 && !wait_for_bytes()) continue;
      const ssize_t got = ::read(descriptor_, buffer.data(), buffer.size());
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got < 0) refuse("read");
      read_ += static_cast<double>(got);
      return static_cast<std::size_t>(got);
    }
  }

  std::optional<double> share_read() const override {
    if (size_ == 0) return std::nullopt;
    return std::min(read_ / size_, 1.0);
  }
  int file_descriptor() const override {
    return size_ > 0 && descriptor_ != STDIN_FILENO ? descriptor_ : -1;
  }

 private:
  void stop_if_interrupted() const {
    if (interrupted_ != nullptr && *interrupted_) throw Interrupted{};
  }
  // Waits for a pipe, be it non-blocking or not; false if an interrupt should be looked for first: one
  // that comes just before a blocking read would not end it.
  bool wait_for_bytes() const {
    constexpr int kMilliseconds = 100;
    pollfd entry{.fd = descriptor_, .events = POLLIN, .revents = 0};
    return ::poll(&entry, 1, kMilliseconds) > 0;
  }
  [[noreturn]] void refuse(const char* verb) const {
    throw Error(ErrorKind::io,
                fmt::format("cannot {} '{}': {}", verb, name_, std::strerror(errno)));
  }

  const std::atomic<bool>* interrupted_;
  std::string name_;
  int descriptor_ = STDIN_FILENO;
  double size_ = 0, read_ = 0;  // bytes; the size is 0 if it is not known, as that of a pipe
};

class MemorySource : public Source {
 public:
  explicit MemorySource(std::string bytes) : bytes_(std::move(bytes)) {}

  std::size_t read(std::span<char> buffer) override {
    const std::size_t n = std::min(buffer.size(), bytes_.size() - at_);
    std::memcpy(buffer.data(), bytes_.data() + at_, n);
    at_ += n;
    return n;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

// Gives back the first bytes that were read to see what they are.
class Peeked : public Source {
 public:
  Peeked(std::string head, std::unique_ptr<Source> source)
      : head_(std::move(head)), source_(std::move(source)) {}

  std::size_t read(std::span<char> buffer) override {
    if (at_ == head_.size()) return source_->read(buffer);
    const std::size_t n = std::min(buffer.size(), head_.size() - at_);
    std::memcpy(buffer.data(), head_.data() + at_, n);
    at_ += n;
    return n;
  }

  std::optional<double> share_read() const override { return source_->share_read(); }
  int file_descriptor() const override { return source_->file_descriptor(); }

 private:
  std::string head_;
  std::unique_ptr<Source> source_;
  std::size_t at_ = 0;
};

// First bytes of common formats that are not supported, with advice.
struct Foreign {
  std::string_view beginning;
  const char* reason;
};
constexpr const char* kUtf32 =
    "it is UTF-32; convert it to UTF-8, e.g. with iconv -f UTF-32 -t UTF-8";
constexpr std::array<Foreign, 10> kForeign{
    {{std::string_view("\xff\xfe\0\0", 4), kUtf32},
     {std::string_view("\0\0\xfe\xff", 4), kUtf32},
     {"\xff\xfe", "it is UTF-16; convert it to UTF-8, e.g. with iconv -f UTF-16 -t UTF-8"},
     {"\xfe\xff", "it is UTF-16; convert it to UTF-8, e.g. with iconv -f UTF-16 -t UTF-8"},
     {"PK\x05\x06", "the zip archive is empty"},
     {"7z\xbc\xaf", "it is a 7z archive; unpack it, or pack it with zip"},
     {"Rar!", "it is a rar archive; unpack it, or pack it with zip"},
     {"PAR1", "it is a Parquet file; save it as CSV"},
     {"ARRO", "it is an Arrow file; save it as CSV"},
     {"\x89HDF", "it is an HDF5 file; save it as CSV"}}};

struct Packing {
  std::string_view beginning;
  std::unique_ptr<Source> (*unpack)(std::unique_ptr<Source> packed, const std::string& name);
};
constexpr std::array<Packing, 5> kPackings{{{"\x1f\x8b", unpack_gzip},
                                            {"\x28\xb5\x2f\xfd", unpack_zstd},
                                            {"BZh", unpack_bzip2},
                                            {"\xfd\x37\x7a\x58", unpack_xz},
                                            {"PK\x03\x04", unpack_zip}}};

std::unique_ptr<Source> unpacked(std::unique_ptr<Source> raw, const std::string& name) {
  auto [head, source] = peek(std::move(raw), 4);
  for (const Foreign& foreign : kForeign) {
    if (head.starts_with(foreign.beginning)) {
      throw Error(ErrorKind::data, foreign.reason, {.source = name});
    }
  }
  for (const Packing& packing : kPackings) {
    if (head.starts_with(packing.beginning)) return packing.unpack(std::move(source), name);
  }
  return std::move(source);
}

}  // namespace

PeekedSource peek(std::unique_ptr<Source> source, std::size_t length) {
  std::string head(length, '\0');
  std::size_t size = 0;
  while (size < length && std::memchr(head.data(), '\n', size) == nullptr) {
    const std::size_t got = source->read(std::span(head).subspan(size));
    if (got == 0) break;
    size += got;
  }
  head.resize(size);
  return {head, std::make_unique<Peeked>(head, std::move(source))};
}

std::string source_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::unique_ptr<Source> open_source(const std::string& path, const std::atomic<bool>* interrupted) {
  return unpacked(std::make_unique<FileSource>(path, interrupted), source_name(path));
}

std::unique_ptr<Source> source_from(std::string bytes, const std::string& name) {
  return unpacked(std::make_unique<MemorySource>(std::move(bytes)), name);
}

}  // namespace plumbline::inline v0

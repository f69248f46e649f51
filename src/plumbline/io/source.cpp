#include "plumbline/io/source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "plumbline/base/file.h"
#include "plumbline/error.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;

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

 private:
  std::string head_;
  std::unique_ptr<Source> source_;
  std::size_t at_ = 0;
};

// What both kinds of packing share: packed bytes come in by the buffer.
class Unpacker : public Source {
 public:
  Unpacker(std::unique_ptr<Source> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)), input_(kBuffer) {}

  std::optional<double> share_read() const override { return packed_->share_read(); }

 protected:
  // False at the end of the packed bytes.
  bool refill() {
    begin_ = 0;
    end_ = packed_->read(input_);
    return end_ > 0;
  }
  [[noreturn]] void refuse(const std::string& reason) const {
    throw Error(ErrorKind::data, reason, {.source = name_});
  }

  std::unique_ptr<Source> packed_;
  std::string name_;
  std::vector<char> input_;
  std::size_t begin_ = 0, end_ = 0;  // the unread part of input_
};

class GzipSource : public Unpacker {
 public:
  GzipSource(std::unique_ptr<Source> packed, const std::string& name)
      : Unpacker(std::move(packed), name) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(std::span<char> buffer) override {
    while (!done_) {
      if (begin_ == end_ && !pending_ && !refill()) {
        if (!between_members_) refuse("the gzip data is truncated");
        break;
      }
      if (between_members_ && !begin_member()) continue;
      stream_.next_in = reinterpret_cast<Bytef*>(input_.data() + begin_);
      stream_.avail_in = static_cast<uInt>(end_ - begin_);
      stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream_.avail_out = static_cast<uInt>(std::min(buffer.size(), kBuffer));
      const auto room = stream_.avail_out;
      const int status = inflate(&stream_, Z_NO_FLUSH);
      begin_ = end_ - stream_.avail_in;
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
        refuse("the gzip data is damaged");
      }
      between_members_ = status == Z_STREAM_END;
      pending_ = stream_.avail_out == 0 && !between_members_;
      if (stream_.avail_out < room) return room - stream_.avail_out;
    }
    done_ = true;
    return 0;
  }

 private:
  // Goes to the next member, past the zeros that pad some files; false if the input has to be refilled
  // first. Anything else is a damaged member, whose rows would be lost.
  bool begin_member() {
    while (!first_ && begin_ < end_ && input_[begin_] == '\0') ++begin_;
    if (begin_ == end_) return false;
    if (!first_ && input_[begin_] != '\x1f') {
      refuse("the gzip data is damaged: its end is not a gzip member");
    }
    between_members_ = first_ = false;
    return inflateReset(&stream_) == Z_OK;
  }

  z_stream stream_{};
  bool between_members_ = true, first_ = true, done_ = false;
  bool pending_ = false;  // more output may be waiting than the last buffer could take
};

class ZstdSource : public Unpacker {
 public:
  ZstdSource(std::unique_ptr<Source> packed, const std::string& name)
      : Unpacker(std::move(packed), name), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;

  std::size_t read(std::span<char> buffer) override {
    for (;;) {
      if (begin_ == end_ && !pending_ && !refill()) {
        if (expected_ != 0) refuse("the zstd data is truncated");
        return 0;
      }
      ZSTD_inBuffer in{input_.data(), end_, begin_};
      ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
      expected_ = ZSTD_decompressStream(stream_, &out, &in);
      if (ZSTD_isError(expected_)) refuse("the zstd data is damaged");
      begin_ = in.pos;
      pending_ = out.pos == out.size && expected_ != 0;
      if (out.pos > 0) return out.pos;
    }
  }

 private:
  ZSTD_DStream* stream_;
  std::size_t expected_ = 0;  // 0 between two frames
  bool pending_ = false;      // more output may be waiting than the last buffer could take
};

// How files begin that people have, but that cannot be read here, and what to do about them.
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
     {"\xfd\x37\x7a\x58", "it is packed with xz; unpack it: xz -dc FILE | plumbline …"},
     {"BZh", "it is packed with bzip2; unpack it: bzip2 -dc FILE | plumbline …"},
     {"PK\x03\x04", "it is a zip archive (or an Excel file); unpack it, or save it as CSV"},
     {"PAR1", "it is a Parquet file; save it as CSV"},
     {"ARRO", "it is an Arrow file; save it as CSV"},
     {"\x89HDF", "it is an HDF5 file; save it as CSV"}}};

std::unique_ptr<Source> unpacked(std::unique_ptr<Source> raw, const std::string& name) {
  auto [head, source] = peek(std::move(raw), 4);
  for (const Foreign& foreign : kForeign) {
    if (head.starts_with(foreign.beginning)) {
      throw Error(ErrorKind::data, foreign.reason, {.source = name});
    }
  }
  if (head.starts_with("\x1f\x8b")) return std::make_unique<GzipSource>(std::move(source), name);
  if (head == "\x28\xb5\x2f\xfd") return std::make_unique<ZstdSource>(std::move(source), name);
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

#include "plumbline/streams/source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "plumbline/core/error.h"

namespace plumbline {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;

class FileSource : public Source {
 public:
  explicit FileSource(const std::string& path) : name_(path) {
    if (path == "-") {
      name_ = "standard input";
      descriptor_ = STDIN_FILENO;
      return;
    }
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) refuse("open");
  }
  ~FileSource() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::size_t read(std::span<char> buffer) override {
    for (;;) {
      const ssize_t got = ::read(descriptor_, buffer.data(), buffer.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) refuse("read");
    }
  }

  const std::string& name() const { return name_; }

 private:
  [[noreturn]] void refuse(const char* verb) const {
    throw Error(ErrorKind::io,
                fmt::format("cannot {} '{}': {}", verb, name_, std::strerror(errno)));
  }

  std::string name_;
  int descriptor_ = -1;
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
  explicit Peeked(std::unique_ptr<Source> source) : source_(std::move(source)) {
    while (size_ < head_.size()) {
      const std::size_t got = source_->read(std::span(head_).subspan(size_));
      if (got == 0) break;
      size_ += got;
    }
  }

  std::string_view head() const { return {head_.data(), size_}; }

  std::size_t read(std::span<char> buffer) override {
    if (at_ == size_) return source_->read(buffer);
    const std::size_t n = std::min(buffer.size(), size_ - at_);
    std::memcpy(buffer.data(), head_.data() + at_, n);
    at_ += n;
    return n;
  }

 private:
  std::unique_ptr<Source> source_;
  std::array<char, 4> head_{};
  std::size_t size_ = 0, at_ = 0;
};

// What both kinds of packing share: packed bytes come in by the buffer.
class Unpacker : public Source {
 public:
  Unpacker(std::unique_ptr<Source> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)), input_(kBuffer) {}

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
      if (between_members_ && !begin_member()) break;
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
  // Another member may follow; anything else after one is padding, which gzip itself ignores.
  bool begin_member() {
    between_members_ = false;
    if (first_) {
      first_ = false;
      return true;
    }
    if (input_[begin_] != '\x1f') return false;
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

std::unique_ptr<Source> unpacked(std::unique_ptr<Source> raw, const std::string& name) {
  auto peeked = std::make_unique<Peeked>(std::move(raw));
  const std::string_view head = peeked->head();
  if (head.starts_with("\x1f\x8b")) return std::make_unique<GzipSource>(std::move(peeked), name);
  if (head == "\x28\xb5\x2f\xfd") return std::make_unique<ZstdSource>(std::move(peeked), name);
  return peeked;
}

}  // namespace

std::unique_ptr<Source> open_source(const std::string& path) {
  auto file = std::make_unique<FileSource>(path);
  const std::string name = file->name();
  return unpacked(std::move(file), name);
}

std::unique_ptr<Source> source_from(std::string bytes, const std::string& name) {
  return unpacked(std::make_unique<MemorySource>(std::move(bytes)), name);
}

}  // namespace plumbline

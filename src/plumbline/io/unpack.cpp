#include "plumbline/io/unpack.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "plumbline/error.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;

// Base of all decompressors: compressed bytes are read by the buffer.
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

class Bzip2Source : public Unpacker {
 public:
  using Unpacker::Unpacker;
  ~Bzip2Source() override { BZ2_bzDecompressEnd(&stream_); }
  Bzip2Source(const Bzip2Source&) = delete;
  Bzip2Source& operator=(const Bzip2Source&) = delete;

  std::size_t read(std::span<char> buffer) override {
    for (;;) {
      if (begin_ == end_ && !pending_ && !refill()) {
        if (!between_streams_) refuse("the bzip2 data is truncated");
        return 0;
      }
      if (between_streams_) begin_stream();
      stream_.next_in = input_.data() + begin_;
      stream_.avail_in = static_cast<unsigned>(end_ - begin_);
      stream_.next_out = buffer.data();
      stream_.avail_out = static_cast<unsigned>(std::min(buffer.size(), kBuffer));
      const auto room = stream_.avail_out;
      const int status = BZ2_bzDecompress(&stream_);
      begin_ = end_ - stream_.avail_in;
      if (status == BZ_MEM_ERROR) throw std::bad_alloc();
      if (status != BZ_OK && status != BZ_STREAM_END) refuse("the bzip2 data is damaged");
      between_streams_ = status == BZ_STREAM_END;
      pending_ = stream_.avail_out == 0 && !between_streams_;
      if (stream_.avail_out < room) return room - stream_.avail_out;
    }
  }

 private:
  void begin_stream() {
    BZ2_bzDecompressEnd(&stream_);  // does nothing the first time
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
    between_streams_ = false;
  }

  bz_stream stream_{};
  bool between_streams_ = true;
  bool pending_ = false;  // more output may be waiting than the last buffer could take
};

class XzSource : public Unpacker {
 public:
  XzSource(std::unique_ptr<Source> packed, const std::string& name)
      : Unpacker(std::move(packed), name) {
    constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 30;  // xz -9 takes 65 MiB
    if (lzma_stream_decoder(&stream_, kMostMemory, LZMA_CONCATENATED) != LZMA_OK) {
      throw std::bad_alloc();
    }
  }
  ~XzSource() override { lzma_end(&stream_); }
  XzSource(const XzSource&) = delete;
  XzSource& operator=(const XzSource&) = delete;

  std::size_t read(std::span<char> buffer) override {
    while (!done_) {
      if (begin_ == end_ && !at_end_) at_end_ = !refill();
      stream_.next_in = reinterpret_cast<const std::uint8_t*>(input_.data() + begin_);
      stream_.avail_in = end_ - begin_;
      stream_.next_out = reinterpret_cast<std::uint8_t*>(buffer.data());
      stream_.avail_out = buffer.size();
      const lzma_ret status = lzma_code(&stream_, at_end_ ? LZMA_FINISH : LZMA_RUN);
      begin_ = end_ - stream_.avail_in;
      check(status);
      done_ = status == LZMA_STREAM_END;
      if (stream_.avail_out < buffer.size()) return buffer.size() - stream_.avail_out;
    }
    return 0;
  }

 private:
  void check(lzma_ret status) const {
    if (status == LZMA_OK || status == LZMA_STREAM_END) return;
    if (status == LZMA_BUF_ERROR && at_end_) refuse("the xz data is truncated");
    if (status == LZMA_BUF_ERROR) return;
    if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
    refuse(status == LZMA_MEMLIMIT_ERROR ? "the xz data takes more than 1 GiB of memory to unpack"
                                         : "the xz data is damaged");
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool at_end_ = false;  // of the packed bytes
  bool done_ = false;
};

}  // namespace

std::unique_ptr<Source> unpack_gzip(std::unique_ptr<Source> packed, const std::string& name) {
  return std::make_unique<GzipSource>(std::move(packed), name);
}

std::unique_ptr<Source> unpack_zstd(std::unique_ptr<Source> packed, const std::string& name) {
  return std::make_unique<ZstdSource>(std::move(packed), name);
}

std::unique_ptr<Source> unpack_bzip2(std::unique_ptr<Source> packed, const std::string& name) {
  return std::make_unique<Bzip2Source>(std::move(packed), name);
}

std::unique_ptr<Source> unpack_xz(std::unique_ptr<Source> packed, const std::string& name) {
  return std::make_unique<XzSource>(std::move(packed), name);
}

}  // namespace plumbline::inline v0

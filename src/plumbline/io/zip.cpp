#include "plumbline/io/zip.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <zlib.h>

#include "plumbline/error.h"
#include "plumbline/io/text.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::size_t kZipBuffer = std::size_t{1} << 18;
constexpr std::uint16_t kStored = 0, kDeflated = 8;

// Bytes that can be read anywhere: of a file, or of a temporary copy of a pipe.
class Bytes {
 public:
  Bytes(std::unique_ptr<Source> source, std::string name)
      : source_(std::move(source)), name_(std::move(name)) {
    descriptor_ = source_->file_descriptor();
    if (descriptor_ < 0) copy();
    const auto end = ::lseek(descriptor_, 0, SEEK_END);
    if (end < 0) refuse_io("read");
    size_ = static_cast<std::uint64_t>(end);
  }
  std::uint64_t size() const { return size_; }

  // Some of the bytes from this place on; 0 at the end.
  std::size_t read_some(std::uint64_t at, std::span<char> buffer) const {
    for (;;) {
      const ssize_t got =
          ::pread(descriptor_, buffer.data(), buffer.size(), static_cast<off_t>(at));
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) refuse_io("read");
    }
  }

  // So many of them. Throws a data error if there are less.
  std::string read(std::uint64_t at, std::uint64_t length) const {
    if (at > size_ || length > size_ - at) refuse("it is truncated or damaged");
    std::string bytes(length, '\0');
    for (std::size_t done = 0; done < bytes.size();) {
      const std::size_t got = read_some(at + done, std::span(bytes).subspan(done));
      if (got == 0) refuse("it is truncated or damaged");
      done += got;
    }
    return bytes;
  }

  [[noreturn]] void refuse(const std::string& reason) const {
    throw Error(ErrorKind::data, "the zip archive cannot be read: " + reason, {.source = name_});
  }

 private:
  void copy() {
    copy_.reset(std::tmpfile());
    if (copy_ == nullptr) refuse_io("copy");
    std::vector<char> buffer(kZipBuffer);
    while (const std::size_t got = source_->read(buffer)) {
      if (std::fwrite(buffer.data(), 1, got, copy_.get()) != got) refuse_io("copy");
    }
    if (std::fflush(copy_.get()) != 0) refuse_io("copy");
    descriptor_ = ::fileno(copy_.get());
  }
  [[noreturn]] void refuse_io(const char* verb) const {
    throw Error(ErrorKind::io,
                fmt::format("cannot {} '{}': {}", verb, name_, std::strerror(errno)));
  }

  std::unique_ptr<Source> source_;
  std::string name_;
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> copy_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// Numbers in records, little-endian; the caller has checked the length.
template <class T>
T number_at(std::string_view record, std::size_t at) {
  T number = 0;
  std::memcpy(&number, record.data() + at, sizeof number);
  return number;
}
constexpr auto u16 = number_at<std::uint16_t>;
constexpr auto u32 = number_at<std::uint32_t>;
constexpr auto u64 = number_at<std::uint64_t>;

struct Member {
  std::string name{};
  std::uint16_t flags = 0, method = 0;
  std::uint32_t checksum = 0;
  std::uint64_t packed_size = 0, size = 0;
  std::uint64_t header = 0;  // where its own record begins

  bool counts() const { return !name.ends_with('/') && !name.starts_with("__MACOSX/"); }
};

class Directory {
 public:
  explicit Directory(const Bytes& bytes) : bytes_(bytes) { find(); }

  std::vector<Member> members() const {
    const std::string records = bytes_.read(at_, size_);
    std::string_view rest = records;
    std::vector<Member> found;
    for (std::uint64_t i = 0; i < count_; ++i) {
      Member member = take_member(rest);
      if (member.counts()) found.push_back(std::move(member));
    }
    return found;
  }

 private:
  // The last record of the archive, before a comment, says where the directory is.
  void find() {
    constexpr std::uint64_t kEnd = 22, kMostComment = 65535, kLocator = 20, kEnd64 = 56;
    const std::uint64_t length = std::min(bytes_.size(), kEnd + kMostComment);
    const std::uint64_t from = bytes_.size() - length;
    const std::string tail = bytes_.read(from, length);
    const std::size_t at = tail.rfind("PK\x05\x06");
    if (at == std::string::npos || tail.size() - at < kEnd) {
      bytes_.refuse("it is truncated: its directory is missing");
    }
    const std::string_view end = std::string_view(tail).substr(at);
    count_ = u16(end, 10);
    size_ = u32(end, 12);
    at_ = u32(end, 16);
    if (count_ != 0xFFFF && size_ != 0xFFFFFFFF && at_ != 0xFFFFFFFF) return;
    if (from + at < kLocator) bytes_.refuse("it is damaged");
    const std::string locator = bytes_.read(from + at - kLocator, kLocator);
    if (!locator.starts_with("PK\x06\x07")) return;  // an archive of just that size
    const std::string end64 = bytes_.read(u64(locator, 8), kEnd64);
    if (!end64.starts_with("PK\x06\x06")) bytes_.refuse("it is damaged");
    count_ = u64(end64, 32);
    size_ = u64(end64, 40);
    at_ = u64(end64, 48);
  }

  Member take_member(std::string_view& rest) const {
    constexpr std::size_t kRecord = 46;
    if (rest.size() < kRecord || !rest.starts_with("PK\x01\x02")) bytes_.refuse("it is damaged");
    const std::string_view record = take(rest, kRecord);
    const std::size_t name = u16(record, 28), extra = u16(record, 30), comment = u16(record, 32);
    if (rest.size() < name + extra + comment) bytes_.refuse("it is damaged");
    Member member{.name = std::string(take(rest, name)),
                  .flags = u16(record, 8),
                  .method = u16(record, 10),
                  .checksum = u32(record, 16),
                  .packed_size = u32(record, 20),
                  .size = u32(record, 24),
                  .header = u32(record, 42)};
    read_large_numbers(take(rest, extra), member);
    take(rest, comment);
    return member;
  }

  // In zip64, numbers that do not fit 32 bits are in the record with the number 1, in this order.
  void read_large_numbers(std::string_view extra, Member& member) const {
    while (extra.size() >= 4) {
      const std::uint16_t kind = u16(extra, 0), length = u16(extra, 2);
      extra.remove_prefix(4);
      if (length > extra.size()) bytes_.refuse("it is damaged");
      std::string_view record = take(extra, length);
      if (kind != 1) continue;
      for (std::uint64_t* number : {&member.size, &member.packed_size, &member.header}) {
        if (*number != 0xFFFFFFFF) continue;
        if (record.size() < 8) bytes_.refuse("it is damaged");
        *number = u64(take(record, 8), 0);
      }
    }
  }

  const Bytes& bytes_;
  std::uint64_t at_ = 0, size_ = 0, count_ = 0;
};

class ZipSource : public Source {
 public:
  ZipSource(std::unique_ptr<Source> packed, const std::string& name)
      : bytes_(std::move(packed), name), member_(only_member()), input_(kZipBuffer) {
    constexpr std::size_t kRecord = 30;
    const std::string record = bytes_.read(member_.header, kRecord);
    if (!record.starts_with("PK\x03\x04")) bytes_.refuse("it is damaged");
    at_ = first_ = member_.header + kRecord + u16(record, 26) + u16(record, 28);
    if (first_ > bytes_.size() || member_.packed_size > bytes_.size() - first_) {
      bytes_.refuse("it is truncated");
    }
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~ZipSource() override { inflateEnd(&stream_); }
  ZipSource(const ZipSource&) = delete;
  ZipSource& operator=(const ZipSource&) = delete;

  std::size_t read(std::span<char> buffer) override {
    const std::size_t got = done_                       ? 0
                            : member_.method == kStored ? read_packed(buffer)
                                                        : inflate_some(buffer);
    checksum_ =
        ::crc32(checksum_, reinterpret_cast<const Bytef*>(buffer.data()), static_cast<uInt>(got));
    given_ += got;
    if (got == 0 && (given_ != member_.size || checksum_ != member_.checksum)) {
      bytes_.refuse(fmt::format("its member {} is damaged", in_quotes(member_.name)));
    }
    return got;
  }

  std::optional<double> share_read() const override {
    if (member_.packed_size == 0) return 1;
    return static_cast<double>(at_ - first_) / static_cast<double>(member_.packed_size);
  }

 private:
  Member only_member() const {
    const std::vector<Member> members = Directory(bytes_).members();
    std::vector<std::string> names;
    constexpr std::size_t kMost = 10;
    for (const Member& member : members) {
      if (member.name == "[Content_Types].xml") {
        bytes_.refuse("it is an Excel file or the like; save it as CSV");
      }
      if (names.size() < kMost) names.push_back(in_quotes(member.name));
    }
    if (members.empty()) bytes_.refuse("it is empty");
    if (members.size() > 1) {
      bytes_.refuse(
          fmt::format("it has {} members, {}{}; unpack the one that is meant, e.g. with unzip -p",
                      members.size(), fmt::join(names, ", "), members.size() > kMost ? ", …" : ""));
    }
    const Member& member = members.front();
    if ((member.flags & 1) != 0) {
      bytes_.refuse(fmt::format("its member {} is encrypted", names.front()));
    }
    if (member.method != kStored && member.method != kDeflated) {
      bytes_.refuse(fmt::format("its member {} is packed by method {}; pack it by deflate (8)",
                                names.front(), member.method));
    }
    return member;
  }

  std::size_t read_packed(std::span<char> buffer) {
    const std::uint64_t left = member_.packed_size - (at_ - first_);
    const std::size_t wanted = std::min<std::uint64_t>({left, buffer.size(), kZipBuffer});
    const std::size_t got = wanted == 0 ? 0 : bytes_.read_some(at_, buffer.first(wanted));
    if (got == 0 && wanted > 0) bytes_.refuse("it is truncated");
    at_ += got;
    return got;
  }

  std::size_t inflate_some(std::span<char> buffer) {
    for (;;) {
      if (stream_.avail_in == 0 && !pending_) {
        stream_.avail_in = static_cast<uInt>(read_packed(input_));
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        if (stream_.avail_in == 0)
          return 0;  // its length and checksum tell whether that is the end
      }
      stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream_.avail_out = static_cast<uInt>(std::min(buffer.size(), kZipBuffer));
      const auto room = stream_.avail_out;
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
        bytes_.refuse(fmt::format("its member {} is damaged", in_quotes(member_.name)));
      }
      done_ = status == Z_STREAM_END;
      pending_ = stream_.avail_out == 0 && !done_;
      if (stream_.avail_out < room || done_) return room - stream_.avail_out;
    }
  }

  Bytes bytes_;
  Member member_;
  std::vector<char> input_;
  std::uint64_t first_ = 0, at_ = 0;  // the first of its packed bytes, and the next to be read
  z_stream stream_{};
  bool pending_ = false;  // more output may be waiting than the last buffer could take
  bool done_ = false;
  std::uint64_t given_ = 0;
  uLong checksum_ = ::crc32(0, nullptr, 0);
};

}  // namespace

std::unique_ptr<Source> unpack_zip(std::unique_ptr<Source> packed, const std::string& name) {
  return std::make_unique<ZipSource>(std::move(packed), name);
}

}  // namespace plumbline::inline v0

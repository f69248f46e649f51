#include "plumbline/streams/read_ahead.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plumbline/core/error.h"

namespace plumbline {
namespace {

// Gives its bytes in small uneven pieces, then ends or throws.
class Pieces : public Source {
 public:
  Pieces(std::string bytes, bool throws) : bytes_(std::move(bytes)), throws_(throws) {}

  std::size_t read(std::span<char> buffer) override {
    if (at_ == bytes_.size() && throws_) throw Error(ErrorKind::data, "broken");
    step_ = step_ % 1000 + 7;
    const std::size_t n = std::min({buffer.size(), step_, bytes_.size() - at_});
    bytes_.copy(buffer.data(), n, at_);
    at_ += n;
    return n;
  }

 private:
  std::string bytes_;
  bool throws_;
  std::size_t at_ = 0, step_ = 0;
};

std::string some_bytes() {
  std::string bytes;
  for (int i = 0; i < 200000; ++i) bytes += static_cast<char>('a' + i % 26);
  return bytes;
}

std::string read_all(Source& source, std::size_t buffer_size) {
  std::string all;
  std::vector<char> buffer(buffer_size);
  while (const std::size_t got = source.read(buffer)) all.append(buffer.data(), got);
  return all;
}

TEST(ReadAheadConcurrency, GivesTheSameBytes) {
  for (const std::size_t size : {1u, 333u, 1u << 20}) {
    const auto source = read_ahead(std::make_unique<Pieces>(some_bytes(), false));
    EXPECT_EQ(read_all(*source, size), some_bytes());
    std::vector<char> more(10);
    EXPECT_EQ(source->read(more), 0u);  // the end stays the end
  }
}

TEST(ReadAheadConcurrency, ThrowsWhatItsSourceThrewAfterTheBytesBeforeIt) {
  const auto source = read_ahead(std::make_unique<Pieces>("abc", true));
  std::vector<char> buffer(10);
  EXPECT_EQ(source->read(buffer), 3u);
  for (int i = 0; i < 2; ++i) EXPECT_THROW(source->read(buffer), Error);
}

TEST(ReadAheadConcurrency, MayBeLeftUnread) {
  for (int i = 0; i < 50; ++i) {
    const auto source = read_ahead(std::make_unique<Pieces>(some_bytes(), false));
    std::vector<char> buffer(10);
    if (i % 2 == 0) source->read(buffer);
  }
}

}  // namespace
}  // namespace plumbline

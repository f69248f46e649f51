#include "plumbline/io/line_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "plumbline/io/source.h"

namespace plumbline::line_buffer_test {
namespace {

// Gives a byte at a time, as a slow pipe may.
class Bytewise : public Source {
 public:
  explicit Bytewise(std::string bytes) : bytes_(std::move(bytes)) {}
  std::size_t read(std::span<char> buffer) override {
    if (next_ == bytes_.size()) return 0;
    buffer[0] = bytes_[next_++];
    return 1;
  }

 private:
  std::string bytes_;
  std::size_t next_ = 0;
};

LineBuffer bytewise(const std::string& bytes) {
  return LineBuffer(std::make_unique<Bytewise>(bytes));
}

TEST(LineBuffer, LeavesOutAByteOrderMarkThatComesInParts) {
  LineBuffer buffer = bytewise("\xEF\xBB\xBFöl");
  while (buffer.refill()) {
  }
  EXPECT_EQ(buffer.unread(), "öl");
  EXPECT_EQ(bytewise("\xEF\xBB").unread(), "\xEF\xBB");
  EXPECT_TRUE(bytewise("").empty());
}

TEST(LineBuffer, KeepsWhatIsUnreadWhenMoreComes) {
  LineBuffer buffer = bytewise("abcdef");
  EXPECT_EQ(buffer.unread(), "abc");
  buffer.read_up_to(buffer.begin() + 2);
  EXPECT_TRUE(buffer.refill());
  EXPECT_EQ(buffer.unread(), "cd");
  EXPECT_FALSE(buffer.at_end());
}

TEST(LineBuffer, IsFullAt64MiBAndGoesOnAfterTheLine) {
  std::string text(std::size_t{70} << 20, 'x');
  text[1] = '\n';
  LineBuffer buffer(source_from(text + "\nnext", "text"));
  while (buffer.refill()) {
  }
  EXPECT_FALSE(buffer.at_end());
  EXPECT_EQ(buffer.size(), std::size_t{64} << 20);
  EXPECT_EQ(buffer.abandon_line(), 1u);  // that behind the first x
  EXPECT_EQ(buffer.skip_abandoned(), 1u);
  EXPECT_EQ(buffer.unread(), "next");
  EXPECT_EQ(buffer.skip_abandoned(), 0u);
  EXPECT_EQ(buffer.unread(), "next");
}

}  // namespace
}  // namespace plumbline::line_buffer_test

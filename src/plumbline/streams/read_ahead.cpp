#include "plumbline/streams/read_ahead.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace plumbline {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;
constexpr std::size_t kAhead = 4;  // buffers

class ReadAhead : public Source {
 public:
  explicit ReadAhead(std::unique_ptr<Source> source)
      : source_(std::move(source)), share_(source_->share_read()), thread_([this] { fill(); }) {}

  ~ReadAhead() override {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  std::size_t read(std::span<char> buffer) override {
    while (at_ == current_.bytes.size()) {
      if (current_.last) return 0;
      if (current_.error) std::rethrow_exception(current_.error);
      take();
    }
    const std::size_t n = std::min(buffer.size(), current_.bytes.size() - at_);
    std::memcpy(buffer.data(), current_.bytes.data() + at_, n);
    at_ += n;
    return n;
  }

  std::optional<double> share_read() const override { return share_; }

 private:
  struct Block {
    std::vector<char> bytes;
    bool last = false;  // the source ends behind it
    std::exception_ptr error;
    std::optional<double> share;
  };

  void take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !blocks_.empty(); });
    current_ = std::move(blocks_.front());
    blocks_.pop_front();
    at_ = 0;
    share_ = current_.share;
    changed_.notify_all();
  }

  // The work of the thread.
  void fill() {
    for (bool more = true; more;) {
      Block block;
      block.bytes.resize(kBuffer);
      try {
        block.bytes.resize(source_->read(block.bytes));
        block.last = block.bytes.empty();
      } catch (...) {
        block.bytes.clear();
        block.error = std::current_exception();
      }
      block.share = source_->share_read();
      more = !block.last && !block.error;
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopped_ || blocks_.size() < kAhead; });
      if (stopped_) return;
      blocks_.push_back(std::move(block));
      changed_.notify_all();
    }
  }

  std::unique_ptr<Source> source_;
  std::optional<double> share_;
  Block current_;
  std::size_t at_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Block> blocks_;
  bool stopped_ = false;
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace

std::unique_ptr<Source> read_ahead(std::unique_ptr<Source> source) {
  return std::make_unique<ReadAhead>(std::move(source));
}

}  // namespace plumbline

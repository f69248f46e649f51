#include "plumbline/io/read_ahead.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>

#include "plumbline/error.h"
#include "plumbline/io/number.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::size_t kBlocks = 8;
// A thread that has filled all blocks sleeps until so many are left: waking it up takes time, mostly that
// of the other one.
constexpr std::size_t kFew = kBlocks / 2;
// Size of one block, unless a single row is larger.
constexpr std::size_t kRows = 256;
constexpr std::size_t kFields = std::size_t{1} << 13;
constexpr std::size_t kText = std::size_t{1} << 15;

std::size_t text_size(const Row& row) {
  std::size_t size = row.label ? row.label->size() : 0;
  for (const std::string_view field : row.fields) size += field.size();
  for (const std::string_view name : row.names) size += name.size();
  return size;
}

// Rows that own their texts.
class Block {
 public:
  void clear() {
    rows_.clear();
    fields_.clear();
    numbers_.clear();
    names_.clear();
    used_ = 0;
    last = false;
    failure = nullptr;
  }

  std::size_t rows() const { return rows_.size(); }

  // Adds the row; false, and nothing is added, if there is no room. The first row finds room always.
  bool add(const Row& row, std::size_t line) {
    const std::size_t size = text_size(row);
    if (rows_.empty()) {
      // No view points into the text yet, so that it may move.
      if (text_.size() < std::max(size, kText)) text_.resize(std::max(size, kText));
    } else if (rows_.size() == kRows || used_ + size > text_.size() ||
               fields_.size() + row.fields.size() > kFields) {
      return false;
    }
    Held held{.line = line, .first = fields_.size(), .size = row.fields.size()};
    for (const std::string_view field : row.fields) {
      double number = 0;
      const bool is_number = parse_number(field, number);
      numbers_.push_back(is_number ? number : std::numeric_limits<double>::quiet_NaN());
      fields_.push_back(kept(field));
    }
    held.first_name = names_.size();
    held.names = row.names.size();
    for (const std::string_view name : row.names) names_.push_back(kept(name));
    if (row.label) held.label = kept(*row.label);
    rows_.push_back(std::move(held));
    return true;
  }
  bool add(std::exception_ptr error, std::size_t line) {
    if (rows_.size() == kRows) return false;
    rows_.push_back({.line = line, .error = std::move(error)});
    return true;
  }

  std::size_t line(std::size_t i) const { return rows_[i].line; }
  // Throws what is wrong with the row, if something is.
  Row row(std::size_t i) const {
    const Held& held = rows_[i];
    if (held.error) std::rethrow_exception(held.error);
    return {.fields = std::span(fields_).subspan(held.first, held.size),
            .names = std::span(names_).subspan(held.first_name, held.names),
            .label = held.label,
            .numbers = std::span(numbers_).subspan(held.first, held.size)};
  }

  bool last = false;             // the rows end behind it
  std::exception_ptr failure{};  // which ended them
  std::optional<double> share{};

 private:
  struct Held {
    std::size_t line = 0;
    std::size_t first = 0, size = 0;  // of the fields
    std::size_t first_name = 0, names = 0;
    std::optional<std::string_view> label{};
    std::exception_ptr error{};  // of a row that is none
  };

  std::string_view kept(std::string_view text) {
    char* const begin = text_.data() + used_;
    std::copy(text.begin(), text.end(), begin);
    used_ += text.size();
    return {begin, text.size()};
  }

  std::vector<Held> rows_;
  std::vector<std::string_view> fields_, names_;
  std::vector<double> numbers_;
  std::vector<char> text_;
  std::size_t used_ = 0;  // of the text
};

class ReadAhead : public Stream {
 public:
  explicit ReadAhead(std::unique_ptr<Stream> reader)
      : Stream(reader->name()), reader_(std::move(reader)), share_(reader_->share_read()) {
    describe_as(*reader_);
  }

  // False if the system allows no further thread.
  bool start() {
    try {
      thread_ = std::thread([this] { work(); });
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }
  std::unique_ptr<Stream> give_back() { return std::move(reader_); }

  ~ReadAhead() override {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    emptied_.notify_one();
    thread_.join();
  }

  bool next() override {
    while (current_ == nullptr || at_ == current_->rows()) {
      if (current_ != nullptr && current_->last) {
        if (current_->failure) std::rethrow_exception(current_->failure);
        return false;
      }
      take();
    }
    line_ = current_->line(at_);
    row_ = current_->row(at_++);
    return true;
  }

  std::optional<double> share_read() const override { return share_; }

 private:
  // Gives the current block back and waits for the next one.
  void take() {
    std::unique_lock lock(mutex_);
    if (current_ != nullptr) {
      first_ = (first_ + 1) % kBlocks;
      if (--filled_ == kFew) emptied_.notify_one();
    }
    added_.wait(lock, [&] { return filled_ > 0; });
    current_ = &blocks_[first_];
    at_ = 0;
    share_ = current_->share;
  }

  // The body of the thread.
  void work() {
    for (std::size_t place = 0;; place = (place + 1) % kBlocks) {
      {
        std::unique_lock lock(mutex_);
        if (filled_ == kBlocks) emptied_.wait(lock, [&] { return stopped_ || filled_ <= kFew; });
        if (stopped_) return;
      }
      Block& block = blocks_[place];
      fill(block);
      const bool last = block.last;
      const std::lock_guard lock(mutex_);
      ++filled_;
      added_.notify_one();
      if (last) return;
    }
  }

  void fill(Block& block) {
    block.clear();
    try {
      while (waiting_ || advance()) {
        waiting_ = !(error_ ? block.add(error_, reader_->line())
                            : block.add(reader_->row(), reader_->line()));
        if (waiting_) break;
      }
      block.last = !waiting_;
    } catch (...) {
      block.last = true;
      block.failure = std::current_exception();
    }
    block.share = reader_->share_read();
  }

  // Goes to the next row, be it a bad one; false at the end.
  bool advance() {
    error_ = nullptr;
    try {
      return reader_->next();
    } catch (const Error& error) {
      if (!is_of_a_row(error)) throw;
      error_ = std::current_exception();
      return true;
    }
  }

  std::unique_ptr<Stream> reader_;

  // Used by the thread that asks for rows.
  const Block* current_ = nullptr;
  std::size_t at_ = 0;  // its next row
  std::optional<double> share_;

  // Used by the thread that reads.
  bool waiting_ = false;      // the reader's row found no room in the last block
  std::exception_ptr error_;  // what is wrong with that row

  std::mutex
      mutex_;  // for all that follows; filled blocks belong to the one thread, others to the other
  std::condition_variable added_, emptied_;
  std::array<Block, kBlocks> blocks_;
  std::size_t first_ = 0, filled_ = 0;  // the filled blocks, in a ring
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Stream> read_ahead(std::unique_ptr<Stream> reader) {
  auto ahead = std::make_unique<ReadAhead>(std::move(reader));
  if (!ahead->start()) return ahead->give_back();
  return ahead;
}

}  // namespace plumbline::inline v0

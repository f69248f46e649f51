#include "kafka/order.h"

#include <algorithm>

#include "plumbline/error.h"

namespace plumbline::kafka {
namespace {

// Printable characters: a digit of base 45, and 45 more if further digits follow.
constexpr char kZero = '!';
constexpr std::uint64_t kBase = 45;

}  // namespace

void Order::add(bool is_label) {
  if (runs_.empty() || runs_.back().is_label != is_label) {
    runs_.push_back({is_label, 0});
    ++size_;
  }
  Run& run = runs_.back();
  ++run.count;
  if (run.count == kBase || run.count == kBase * kBase) ++size_;
}

void Order::clear() {
  runs_.clear();
  size_ = 0;
}

void Order::take() {
  if (--runs_.front().count == 0) runs_.pop_front();
}

std::string Order::text() const {
  if (runs_.empty()) return "";
  std::string text(1, runs_.front().is_label ? 'l' : 'r');
  for (const Run& run : runs_) {
    std::uint64_t rest = run.count;
    for (; rest >= kBase; rest /= kBase) {
      text += static_cast<char>(kZero + static_cast<char>(kBase + rest % kBase));
    }
    text += static_cast<char>(kZero + static_cast<char>(rest));
  }
  return text;
}

Order Order::parse(std::string_view text) {
  Order order;
  if (text.empty()) return order;
  const auto refuse = [] {
    throw Error(ErrorKind::data, "the note of the committed offset is not plumbline's");
  };
  if (text[0] != 'l' && text[0] != 'r') refuse();
  bool is_label = text[0] == 'l';
  std::uint64_t count = 0, unit = 1;
  for (const char c : text.substr(1)) {
    if (c < kZero || c >= kZero + static_cast<char>(2 * kBase) || unit > UINT64_MAX / kBase) {
      refuse();
    }
    const auto digit = static_cast<std::uint64_t>(c - kZero);
    count += digit % kBase * unit;
    unit *= kBase;
    if (digit >= kBase) continue;
    if (count == 0) refuse();
    order.runs_.push_back({is_label, count});
    is_label = !is_label;
    count = 0;
    unit = 1;
  }
  if (unit != 1 || order.runs_.empty()) refuse();
  order.size_ = text.size();
  return order;
}

}  // namespace plumbline::kafka

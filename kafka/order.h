// The order in which rows and labels were taken, short enough for the note of a committed offset: after a letter for the
// first of them, the lengths of the runs in turn, mostly one character each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace plumbline::kafka {

class Order {
 public:
  void add(bool is_label);
  bool empty() const { return runs_.empty(); }
  void clear();
  bool next_is_label() const { return runs_.front().is_label; }
  // Takes the next one off.
  void take();
  // About the length of the text.
  std::size_t size() const { return size_; }
  std::string text() const;
  // Throws a data error if the text is none.
  static Order parse(std::string_view text);

 private:
  struct Run {
    bool is_label;
    std::uint64_t count;
  };
  std::deque<Run> runs_;
  std::size_t size_ = 0;
};

}  // namespace plumbline::kafka

// A list with at most one entry for each action; it needs no heap.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>

#include "plumbline/policies/action.h"

namespace plumbline {

template <class T>
class PerAction {
 public:
  void push_back(const T& entry) {
    assert(size_ < kActionCount);
    entries_[size_++] = entry;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](std::size_t place) const { return entries_[place]; }
  const T* begin() const { return entries_.data(); }
  const T* end() const { return entries_.data() + size_; }

 private:
  std::array<T, kActionCount> entries_{};
  std::size_t size_ = 0;
};

}  // namespace plumbline

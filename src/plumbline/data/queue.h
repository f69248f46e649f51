// A queue whose items are contiguous: appended at the end, read and removed at the front. Space is reclaimed when half
// of it is free: constant time per item, and no allocation in the long run.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace plumbline::inline v0 {

template <class T>
class Queue {
 public:
  std::size_t size() const { return items_.size() - first_; }
  std::span<const T> all() const { return std::span(items_).subspan(first_); }
  std::span<const T> front(std::size_t count) const { return all().first(count); }

  void push(const T& item) { items_.push_back(item); }
  void push(std::span<const T> items) { items_.insert(items_.end(), items.begin(), items.end()); }
  void pop(std::size_t count) {
    first_ += count;
    if (2 * first_ < items_.size()) return;
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
  // Replaces all items.
  void assign(std::vector<T> items) {
    items_ = std::move(items);
    first_ = 0;
  }

 private:
  std::vector<T> items_;
  std::size_t first_ = 0;
};

// Widens the rows of a table, one after the other in the queue, from `before` to `after` columns.
template <class T>
void widen_rows(Queue<T>& rows, std::size_t before, std::size_t after, const T& fill) {
  if (before == after) return;
  std::vector<T> wider;
  const std::span<const T> all = rows.all();
  for (std::size_t at = 0; at < all.size(); at += before) {
    const auto row = all.subspan(at, before);
    wider.insert(wider.end(), row.begin(), row.end());
    wider.insert(wider.end(), after - before, fill);
  }
  rows.assign(std::move(wider));
}

}  // namespace plumbline::inline v0

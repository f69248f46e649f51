// Rows of numbers that wait under an id, and leave in any order. With `most` rows, a further one replaces the oldest.
// Adding, finding and removing take constant time; memory grows up to `most` rows and is reused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "plumbline/archive.h"

namespace plumbline::inline v0 {

class HeldRows {
 public:
  // Loaded numbers are from `low` to `high`.
  HeldRows(std::size_t width, std::size_t most, double low, double high)
      : width_(width), most_(most), low_(low), high_(high) {}

  std::size_t size() const { return slots_.size(); }
  std::uint64_t dropped() const { return dropped_; }
  bool contains(std::uint64_t id) const { return slots_.contains(id); }
  // The id must be new.
  void add(std::uint64_t id, std::span<const double> row);
  // Writes the row and removes it; false if there is none with this id.
  bool take(std::uint64_t id, std::span<double> row);
  void archive(Archive& archive);

 private:
  using Slot = std::size_t;
  static constexpr Slot kNone = static_cast<Slot>(-1);
  struct Place {
    std::uint64_t id;
    Slot older, newer;  // the next free slot is `newer`
  };

  std::span<double> row(Slot slot) { return std::span(numbers_).subspan(slot * width_, width_); }
  void remove(Slot slot);

  std::size_t width_, most_;
  double low_, high_;
  std::unordered_map<std::uint64_t, Slot> slots_;
  std::vector<Place> places_;
  std::vector<double> numbers_;
  Slot oldest_ = kNone, newest_ = kNone, free_ = kNone;
  std::uint64_t dropped_ = 0;
};

}  // namespace plumbline::inline v0

#include "plumbline/data/held_rows.h"

#include <algorithm>

namespace plumbline::inline v0 {

void HeldRows::remove(Slot slot) {
  const Place place = places_[slot];
  (place.older == kNone ? oldest_ : places_[place.older].newer) = place.newer;
  (place.newer == kNone ? newest_ : places_[place.newer].older) = place.older;
  slots_.erase(place.id);
  places_[slot].newer = free_;
  free_ = slot;
}

void HeldRows::add(std::uint64_t id, std::span<const double> row_to_hold) {
  if (size() == most_) {
    remove(oldest_);
    ++dropped_;
  }
  Slot slot = free_;
  if (slot == kNone) {
    slot = places_.size();
    places_.push_back({});
    numbers_.resize(numbers_.size() + width_);
  } else {
    free_ = places_[slot].newer;
  }
  places_[slot] = {id, newest_, kNone};
  (newest_ == kNone ? oldest_ : places_[newest_].newer) = slot;
  newest_ = slot;
  slots_.emplace(id, slot);
  std::ranges::copy(row_to_hold, row(slot).begin());
}

bool HeldRows::take(std::uint64_t id, std::span<double> to) {
  const auto found = slots_.find(id);
  if (found == slots_.end()) return false;
  const Slot slot = found->second;
  std::ranges::copy(row(slot), to.begin());
  remove(slot);
  return true;
}

// Rows are saved from the oldest to the newest, so that equal states have equal files.
void HeldRows::archive(Archive& archive) {
  std::uint64_t count = size();
  archive.value("rows", count);
  archive.value("dropped", dropped_);
  if (count > most_) archive.refuse("rows", "is too large");
  if (archive.loading() && count * (width_ + 1) > archive.bytes() / sizeof(double)) {
    archive.refuse("rows", "is more than the file has");
  }
  std::vector<std::uint64_t> ids;
  std::vector<double> numbers;
  if (archive.loading()) {
    ids.resize(count);
    numbers.resize(count * width_);
  } else {
    for (Slot slot = oldest_; slot != kNone; slot = places_[slot].newer) {
      ids.push_back(places_[slot].id);
      const auto from = row(slot);
      numbers.insert(numbers.end(), from.begin(), from.end());
    }
  }
  archive.values("ids", ids);
  archive.values("numbers", numbers, ids.empty() ? 0 : ids.size());
  archive.require_within("numbers", numbers, low_, high_);
  if (!archive.loading()) return;
  const std::uint64_t dropped = dropped_;
  *this = HeldRows(width_, most_, low_, high_);
  dropped_ = dropped;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (contains(ids[i])) archive.refuse("ids", "has an id twice");
    add(ids[i], std::span(numbers).subspan(i * width_, width_));
  }
}

}  // namespace plumbline::inline v0

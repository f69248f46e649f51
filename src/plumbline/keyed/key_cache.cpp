#include "plumbline/keyed/key_cache.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace plumbline::inline v0 {

// With the nodes of the list and of the hash table, and their share of the table.
std::size_t KeyCache::size_of(const KeyRecord& record) {
  constexpr std::size_t kAround = 96;
  return sizeof(Entry) + kAround + record.statistics.key.capacity() + record.state.capacity();
}

KeyRecord* KeyCache::take(std::string_view key) {
  const auto found = places_.find(key);
  if (found != places_.end()) {
    ++hits_;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &entries_.front().record;
  }
  ++misses_;
  std::optional<KeyRecord> record = store_->find(key);
  return record ? &add(std::move(*record)) : nullptr;
}

KeyRecord& KeyCache::add(KeyRecord record) {
  entries_.push_front({.record = std::move(record)});
  Entry& entry = entries_.front();
  entry.bytes = size_of(entry.record);
  bytes_ += entry.bytes;
  places_.emplace(entry.record.statistics.key, entries_.begin());
  return entry.record;
}

void KeyCache::changed() {
  Entry& entry = entries_.front();
  entry.dirty = true;
  bytes_ -= entry.bytes;
  entry.bytes = size_of(entry.record);
  bytes_ += entry.bytes;
}

void KeyCache::write(std::vector<Entry*>& entries) {
  // New records, which have no id yet, come last.
  const auto place = [](const Entry* entry) {
    return entry->record.id > 0 ? entry->record.id : std::numeric_limits<std::int64_t>::max();
  };
  std::ranges::stable_sort(entries, {}, place);
  for (Entry* entry : entries) {
    store_->write(entry->record);
    entry->dirty = false;
  }
}

void KeyCache::shrink() {
  if (bytes_ <= limit_) return;
  std::vector<Entry*> leaving;
  std::size_t left = bytes_, count = 0;
  for (auto entry = entries_.rbegin(); left > limit_ / 8 * 7 && std::next(entry) != entries_.rend();
       ++entry) {
    left -= entry->bytes;
    ++count;
    if (entry->dirty) leaving.push_back(&*entry);
  }
  write(leaving);
  for (; count > 0; --count) {
    places_.erase(entries_.back().record.statistics.key);
    bytes_ -= entries_.back().bytes;
    entries_.pop_back();
  }
}

void KeyCache::flush() {
  std::vector<Entry*> dirty;
  for (Entry& entry : entries_) {
    if (entry.dirty) dirty.push_back(&entry);
  }
  std::ranges::reverse(dirty);  // in the order in which they came
  write(dirty);
}

void KeyCache::drop_before(std::uint64_t row) {
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto next = std::next(entry);
    if (entry->record.statistics.last < row) {
      places_.erase(entry->record.statistics.key);
      bytes_ -= entry->bytes;
      entries_.erase(entry);
    }
    entry = next;
  }
}

}  // namespace plumbline::inline v0

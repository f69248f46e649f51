// The records of the keys that came last, in bounded memory. A record that leaves the cache is written to the store if
// it has changed.
//
// The caller changes a record between `take` and the next call, and tells so by `changed`. Records leave in groups, in
// the order of their ids, so that neighbors in the file are written together. Cost: O(1) for a record that is here.
#pragma once

#include <cstdint>
#include <list>
#include <string_view>
#include <unordered_map>

#include "plumbline/base/text_hash.h"
#include "plumbline/keyed/key_store.h"

namespace plumbline::inline v0 {

class KeyCache {
 public:
  KeyCache(KeyStore& store, std::size_t bytes) : store_(&store), limit_(bytes) {}

  // The key's record, from here or from the store; null if there is none. Valid until the next call of `take`, `add` or
  // `shrink`.
  KeyRecord* take(std::string_view key);
  // Adds the record of a new key.
  KeyRecord& add(KeyRecord record);
  // The record that was taken or added last has changed.
  void changed();
  // Keeps to the limit of memory; the last record stays.
  void shrink();
  // Writes all that changed.
  void flush();
  // Drops the records whose last row is before this one. They must have been written.
  void drop_before(std::uint64_t row);

  std::size_t bytes() const { return bytes_; }
  std::uint64_t hits() const { return hits_; }
  std::uint64_t misses() const { return misses_; }

 private:
  struct Entry {
    KeyRecord record;
    std::size_t bytes = 0;
    bool dirty = false;
  };
  using Entries = std::list<Entry>;

  static std::size_t size_of(const KeyRecord& record);
  void write(std::vector<Entry*>& entries);

  KeyStore* store_;
  std::size_t limit_;
  Entries entries_;  // the one that came last is the first
  std::unordered_map<std::string_view, Entries::iterator, TextHash, std::equal_to<>> places_;
  std::size_t bytes_ = 0;
  std::uint64_t hits_ = 0, misses_ = 0;
};

}  // namespace plumbline::inline v0

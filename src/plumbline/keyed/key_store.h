// The file of a KeyedModel: an SQLite database with a write-ahead log.
//
//   about(name, value)          the configuration, the columns, the parent, the totals
//   positions(source, rows)     how far each source has been learned
//   models(id, key, last, rows, positives, loss, parent_loss, state)
//
// A transaction is open from one `commit` to the next: states may be written at any time, and are in the file from the
// commit on. Each state has a checksum. Failures are Errors that name the file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/keyed_model.h"

namespace plumbline::inline v0 {

struct KeyRecord {
  std::int64_t id = 0;  // 0 if it is not in the store yet
  KeyStatistics statistics{};
  std::vector<std::byte> state{};
};

class KeyStore {
 public:
  // Makes a new store for `path` under the name `unfinished`, or a temporary one if the path is empty.
  static KeyStore create(const std::string& path, const std::string& unfinished);
  // Gives a store, which must be closed, its name.
  static void finish(const std::string& unfinished, const std::string& path);
  // Throws a model_file error for another file.
  static KeyStore open(const std::string& path, KeyedModel::Use use);
  static bool is_store(const std::string& path);
  KeyStore(KeyStore&&) noexcept;
  KeyStore& operator=(KeyStore&&) noexcept;
  ~KeyStore();

  const std::string& path() const;
  std::optional<std::string> about(std::string_view name);
  void set_about(std::string_view name, std::string_view value);
  std::vector<Position> positions();
  void set_position(const Position& position);

  std::optional<KeyRecord> find(std::string_view key);
  // Adds the record, whose id is set, or replaces it.
  void write(KeyRecord& record);
  // Removes the keys whose last row is before this one; returns their number.
  std::uint64_t remove_before(std::uint64_t row);
  void each(const std::function<bool(const KeyStatistics&)>& visit);
  void commit();
  // For `remove_before`, which reads the whole table otherwise.
  void index_last_rows();

 private:
  struct Impl;
  explicit KeyStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace plumbline::inline v0

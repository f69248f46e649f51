#include "plumbline/keyed/key_store.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "plumbline/error.h"
#include "plumbline/sqlite/database.h"

namespace plumbline::inline v0 {
namespace {

namespace fs = std::filesystem;

constexpr int kApplication = 0x706c6b79;  // "plky"
constexpr int kStoreVersion = 1;
constexpr std::size_t kSumBytes = sizeof(std::uint64_t);

constexpr const char* kTables =
    "CREATE TABLE about(name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;"
    "CREATE TABLE positions(source TEXT PRIMARY KEY, rows INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE models(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, last INTEGER NOT NULL,"
    " rows INTEGER NOT NULL, positives INTEGER NOT NULL, loss REAL NOT NULL,"
    " parent_loss REAL NOT NULL, state BLOB NOT NULL);";

std::int64_t to_signed(std::uint64_t number) { return static_cast<std::int64_t>(number); }
std::uint64_t to_unsigned(std::int64_t number) { return static_cast<std::uint64_t>(number); }

void remove_files(const std::string& path) {
  std::error_code none;
  for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(path + suffix, none);
}

// In the user's folder for temporary files.
std::string temporary_path() {
  std::string path = (fs::temp_directory_path() / "plumbline-XXXXXX").string();
  const int file = mkstemp(path.data());
  if (file < 0) {
    throw Error(ErrorKind::io,
                fmt::format("cannot make a temporary file: {}", std::strerror(errno)),
                {.source = path});
  }
  close(file);
  return path;
}

// A transaction may be large: its pages go to the log when they leave SQLite's own cache of 16 MiB.
constexpr const char* kStoreSettings =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA "
    "cache_size = -16384;"
    "PRAGMA temp_store = MEMORY;";

}  // namespace

struct KeyStore::Impl {
  Impl(std::string file, Database::Access access, bool is_temporary)
      : path(std::move(file)), temporary(is_temporary), database(path, access) {}
  ~Impl() {
    queries.reset();
    if (database.in_transaction()) database.try_run("ROLLBACK");
    if (!temporary) return;
    remove_files(path);
  }

  struct Queries {
    explicit Queries(Database& database)
        : about(database, "SELECT value FROM about WHERE name = ?"),
          find(database,
               "SELECT id, last, rows, positives, loss, parent_loss, state FROM models "
               "WHERE key = ?") {}
    Statement about, find;
  };
  struct Writes {
    explicit Writes(Database& database)
        : about(database, "INSERT OR REPLACE INTO about VALUES(?, ?)"),
          position(database, "INSERT OR REPLACE INTO positions VALUES(?, ?)"),
          add(database,
              "INSERT INTO models(key, last, rows, positives, loss, parent_loss, state) "
              "VALUES(?, ?, ?, ?, ?, ?, ?)"),
          replace(database,
                  "UPDATE models SET last = ?, rows = ?, positives = ?, loss = ?, parent_loss = ?, "
                  "state = ? WHERE id = ?"),
          remove(database, "DELETE FROM models WHERE last < ?") {}
    Statement about, position, add, replace, remove;
  };

  // Runs `work`, and turns failures of the database into Errors.
  template <class Work>
  auto guarded(const Work& work) {
    try {
      return work();
    } catch (const DatabaseError& error) {
      throw Error(ErrorKind::io, error.what(), {.source = path});
    }
  }
  void prepare(bool writes_too) {
    queries = std::make_unique<Queries>(database);
    if (writes_too) writes = std::make_unique<Writes>(database);
  }
  std::int64_t pragma(const char* sql) {
    Statement statement(database, sql);
    return statement.step() ? statement.integer(0) : 0;
  }

  std::string path;
  bool temporary;
  Database database;
  std::unique_ptr<Queries> queries;
  std::unique_ptr<Writes> writes;
  std::vector<std::byte> bytes;  // scratch
};

KeyStore::KeyStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
KeyStore::KeyStore(KeyStore&&) noexcept = default;
KeyStore& KeyStore::operator=(KeyStore&&) noexcept = default;
KeyStore::~KeyStore() = default;

const std::string& KeyStore::path() const { return impl_->path; }

KeyStore KeyStore::create(const std::string& path, const std::string& unfinished) {
  std::error_code none;
  if (!path.empty() && fs::exists(path, none)) {
    throw Error(ErrorKind::config, "the file exists already", {.source = path});
  }
  if (!path.empty()) remove_files(unfinished);  // of a process that was killed
  try {
    auto impl = std::make_unique<Impl>(path.empty() ? temporary_path() : unfinished,
                                       Database::Access::write, path.empty());
    impl->database.run(kStoreSettings);
    impl->database.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};",
                                   kApplication, kStoreVersion)
                           .c_str());
    impl->database.run(kTables);
    impl->database.run("BEGIN IMMEDIATE");
    impl->prepare(/*writes_too=*/true);
    return KeyStore(std::move(impl));
  } catch (const DatabaseError& error) {
    throw Error(ErrorKind::io, error.what(), {.source = path});
  }
}

void KeyStore::finish(const std::string& unfinished, const std::string& path) {
  // SQLite would take the log of a store that is gone for the new one's.
  remove_files(path);
  std::error_code failed;
  fs::rename(unfinished, path, failed);
  if (failed) throw Error(ErrorKind::io, failed.message(), {.source = path});
}

bool KeyStore::is_store(const std::string& path) {
  constexpr std::string_view kMagic = "SQLite format 3";
  std::ifstream file(path, std::ios::binary);
  std::string begin(kMagic.size(), '\0');
  return file.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == kMagic;
}

KeyStore KeyStore::open(const std::string& path, KeyedModel::Use use) {
  const bool learns = use == KeyedModel::Use::learn;
  std::error_code none;
  if (!fs::exists(path, none)) {
    throw Error(ErrorKind::io, "there is no such file", {.source = path});
  }
  if (!is_store(path)) {
    throw Error(ErrorKind::model_file, "it is not a store of models by key", {.source = path});
  }
  try {
    auto impl = std::make_unique<Impl>(
        path, learns ? Database::Access::write : Database::Access::read, false);
    if (impl->pragma("PRAGMA application_id") != kApplication) {
      throw Error(ErrorKind::model_file, "it is not a store of models by key", {.source = path});
    }
    if (impl->pragma("PRAGMA user_version") != kStoreVersion) {
      throw Error(ErrorKind::model_file,
                  fmt::format("its format is version {}, but this program reads version {}",
                              impl->pragma("PRAGMA user_version"), kStoreVersion),
                  {.source = path});
    }
    if (learns) {
      impl->database.run(kStoreSettings);
      try {
        impl->database.run("PRAGMA busy_timeout = 1000; BEGIN IMMEDIATE");
      } catch (const DatabaseError&) {
        throw Error(ErrorKind::io, "another process is learning into it", {.source = path});
      }
    }
    impl->prepare(learns);
    return KeyStore(std::move(impl));
  } catch (const DatabaseError& error) {
    throw Error(ErrorKind::io, error.what(), {.source = path});
  }
}

std::optional<std::string> KeyStore::about(std::string_view name) {
  return impl_->guarded([&]() -> std::optional<std::string> {
    Statement& query = impl_->queries->about.with(name);
    if (!query.step()) return std::nullopt;
    const auto bytes = query.bytes(0);
    std::string value(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    query.reset();
    return value;
  });
}

void KeyStore::set_about(std::string_view name, std::string_view value) {
  impl_->guarded(
      [&] { impl_->writes->about.with(name, std::as_bytes(std::span(value))).execute(); });
}

std::vector<Position> KeyStore::positions() {
  return impl_->guarded([&] {
    Statement query(impl_->database, "SELECT source, rows FROM positions ORDER BY source");
    std::vector<Position> positions;
    while (query.step()) {
      positions.push_back({std::string(query.text(0)), to_unsigned(query.integer(1))});
    }
    return positions;
  });
}

void KeyStore::set_position(const Position& position) {
  impl_->guarded([&] {
    impl_->writes->position.with(std::string_view(position.source), to_signed(position.rows))
        .execute();
  });
}

std::optional<KeyRecord> KeyStore::find(std::string_view key) {
  return impl_->guarded([&]() -> std::optional<KeyRecord> {
    Statement& query = impl_->queries->find.with(key);
    if (!query.step()) return std::nullopt;
    KeyRecord record{.id = query.integer(0),
                     .statistics = {.key = std::string(key),
                                    .rows = to_unsigned(query.integer(2)),
                                    .positives = to_unsigned(query.integer(3)),
                                    .log_loss = query.real(4),
                                    .parent_log_loss = query.real(5),
                                    .last = to_unsigned(query.integer(1))}};
    const auto bytes = query.bytes(6);
    std::uint64_t sum = 0;
    bool sound = bytes.size() >= kSumBytes;
    if (sound) {
      std::memcpy(&sum, bytes.data(), kSumBytes);
      const auto state = bytes.subspan(kSumBytes);
      sound = XXH3_64bits(state.data(), state.size()) == sum;
      record.state.assign(state.begin(), state.end());
    }
    query.reset();
    if (!sound) {
      throw Error(ErrorKind::model_file, fmt::format("the model of '{}' is damaged", key),
                  {.source = impl_->path});
    }
    return record;
  });
}

void KeyStore::write(KeyRecord& record) {
  impl_->guarded([&] {
    std::vector<std::byte>& bytes = impl_->bytes;
    const std::uint64_t sum = XXH3_64bits(record.state.data(), record.state.size());
    bytes.resize(kSumBytes + record.state.size());
    std::memcpy(bytes.data(), &sum, kSumBytes);
    std::memcpy(bytes.data() + kSumBytes, record.state.data(), record.state.size());
    const KeyStatistics& of = record.statistics;
    const std::span<const std::byte> state(bytes);
    const std::int64_t last = to_signed(of.last), rows = to_signed(of.rows),
                       positives = to_signed(of.positives);
    if (record.id == 0) {
      impl_->writes->add
          .with(std::string_view(of.key), last, rows, positives, of.log_loss, of.parent_log_loss,
                state)
          .execute();
      record.id = impl_->database.last_id();
    } else {
      impl_->writes->replace
          .with(last, rows, positives, of.log_loss, of.parent_log_loss, state, record.id)
          .execute();
    }
  });
}

std::uint64_t KeyStore::remove_before(std::uint64_t row) {
  return impl_->guarded([&] {
    impl_->writes->remove.with(to_signed(row)).execute();
    return to_unsigned(impl_->database.changes());
  });
}

void KeyStore::index_last_rows() {
  impl_->guarded([&] { impl_->database.run("CREATE INDEX last_rows ON models(last)"); });
}

void KeyStore::each(const std::function<bool(const KeyStatistics&)>& visit) {
  impl_->guarded([&] {
    Statement query(impl_->database,
                    "SELECT key, rows, positives, loss, parent_loss, last FROM models");
    while (query.step()) {
      const KeyStatistics of{.key = std::string(query.text(0)),
                             .rows = to_unsigned(query.integer(1)),
                             .positives = to_unsigned(query.integer(2)),
                             .log_loss = query.real(3),
                             .parent_log_loss = query.real(4),
                             .last = to_unsigned(query.integer(5))};
      if (!visit(of)) return;
    }
  });
}

void KeyStore::commit() {
  impl_->guarded([&] {
    impl_->database.run("COMMIT");
    impl_->database.run("BEGIN IMMEDIATE");
  });
}

}  // namespace plumbline::inline v0

#include "plumbline/sqlite/database.h"

#include <sqlite3.h>

namespace plumbline::inline v0 {
namespace {

std::string reason_of(sqlite3* handle) {
  std::string reason = sqlite3_errmsg(handle);
  const int kind = sqlite3_errcode(handle) & 0xff;
  if (kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB) {
    reason += "; restore it from a backup, or save what is left with sqlite3's command '.recover'";
  }
  return reason;
}

}  // namespace

Database::Database(const std::string& path, Access access) {
  // One connection per thread, so that SQLite need not lock.
  const int flags =
      SQLITE_OPEN_NOMUTEX |
      (access == Access::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
    const std::string reason = handle_ != nullptr ? sqlite3_errmsg(handle_) : "no memory";
    sqlite3_close(handle_);
    throw DatabaseError("cannot open '" + path + "': " + reason);
  }
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, 10'000);
}

Database::~Database() { sqlite3_close(handle_); }

void Database::run(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    throw DatabaseError(reason_of(handle_));
  }
}

void Database::try_run(const char* sql) noexcept {
  sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(handle_) == 0; }

std::int64_t Database::last_id() const { return sqlite3_last_insert_rowid(handle_); }
std::int64_t Database::changes() const { return sqlite3_changes64(handle_); }

int Database::checkpoint() {
  // A connection that has not read yet does not know that there is a write-ahead log, and would move nothing.
  run("SELECT 1 FROM sqlite_schema");
  int pages = 0, moved = 0;
  const int code =
      sqlite3_wal_checkpoint_v2(handle_, nullptr, SQLITE_CHECKPOINT_PASSIVE, &pages, &moved);
  if (code != SQLITE_OK && code != SQLITE_BUSY) throw DatabaseError(reason_of(handle_));
  if (pages < 0) throw DatabaseError("the database has no write-ahead log");
  return pages - moved;
}

Statement::Statement(Database& database, const char* sql) : database_(database) {
  check(sqlite3_prepare_v3(database.handle(), sql, -1, SQLITE_PREPARE_PERSISTENT, &statement_,
                           nullptr));
}

Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::check(int code) const {
  if (code != SQLITE_OK) throw DatabaseError(reason_of(database_.handle()));
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(statement_);
    return false;
  }
  const std::string reason = reason_of(database_.handle());
  sqlite3_reset(statement_);
  throw DatabaseError(reason);
}

void Statement::reset() { sqlite3_reset(statement_); }

void Statement::bind(int index, std::int64_t value) {
  check(sqlite3_bind_int64(statement_, index, value));
}

void Statement::bind(int index, std::string_view text) {
  // A null pointer would bind NULL.
  check(sqlite3_bind_text64(statement_, index, text.data() != nullptr ? text.data() : "",
                            text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind(int index, std::span<const double> numbers) {
  check(
      sqlite3_bind_blob64(statement_, index, numbers.data(), numbers.size_bytes(), SQLITE_STATIC));
}

void Statement::bind(int index, std::span<const std::byte> bytes) {
  check(sqlite3_bind_blob64(statement_, index, bytes.data(), bytes.size(), SQLITE_STATIC));
}

void Statement::bind(int index, double value) {
  check(sqlite3_bind_double(statement_, index, value));
}

void Statement::bind_null(int index) { check(sqlite3_bind_null(statement_, index)); }

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::string_view Statement::text(int column) const {
  const unsigned char* const text = sqlite3_column_text(statement_, column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::span<const double> Statement::numbers(int column) const {
  const void* const bytes = sqlite3_column_blob(statement_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return {static_cast<const double*>(bytes), size / sizeof(double)};
}

std::span<const std::byte> Statement::bytes(int column) const {
  const void* const bytes = sqlite3_column_blob(statement_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return {static_cast<const std::byte*>(bytes), size};
}

double Statement::real(int column) const { return sqlite3_column_double(statement_, column); }

}  // namespace plumbline::inline v0

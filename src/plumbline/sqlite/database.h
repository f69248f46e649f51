// SQLite in a few calls: a connection, and prepared statements with typed columns. Failures are DatabaseError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace plumbline::inline v0 {

// SQLite's integers have a sign.
inline std::int64_t integer(std::uint64_t value) { return static_cast<std::int64_t>(value); }
inline std::uint64_t whole(std::int64_t value) { return static_cast<std::uint64_t>(value); }

class DatabaseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Database {
 public:
  enum class Access { write, read };

  explicit Database(const std::string& path, Access access = Access::write);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const char* sql);
  // Never throws: for cleaning up after a failure.
  void try_run(const char* sql) noexcept;
  // True if a transaction is open; a failure may have ended it.
  bool in_transaction() const;
  // Moves pages from the write-ahead log to the database, without waiting for readers and writers. Returns the pages
  // that are left in the log.
  int checkpoint();
  // The row that was inserted last.
  std::int64_t last_id() const;
  // The number of rows that the last statement changed.
  std::int64_t changes() const;
  sqlite3* handle() const { return handle_; }

 private:
  sqlite3* handle_ = nullptr;
};

class Statement {
 public:
  Statement(Database& database, const char* sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Starts anew with these parameters. Texts and bytes must live until the next call.
  template <class... Parameters>
  Statement& with(const Parameters&... parameters) {
    reset();
    int index = 0;
    (bind(++index, parameters), ...);
    return *this;
  }
  // The next row; false if there is none, and the statement is reset then.
  bool step();
  // For a statement without rows.
  void execute() {
    while (step()) {
    }
  }
  void reset();

  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  // Valid until the next step.
  std::string_view text(int column) const;
  std::span<const double> numbers(int column) const;
  std::span<const std::byte> bytes(int column) const;
  double real(int column) const;

 private:
  void bind(int index, std::int64_t value);
  void bind(int index, std::string_view text);
  void bind(int index, std::span<const double> numbers);
  void bind(int index, std::span<const std::byte> bytes);
  void bind(int index, double value);
  template <class Value>
  void bind(int index, const std::optional<Value>& value) {
    if (value) {
      bind(index, *value);
    } else {
      bind_null(index);
    }
  }
  void bind_null(int index);
  void check(int code) const;

  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace plumbline::inline v0

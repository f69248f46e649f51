// One small model for each value of a key, such as a customer, a device or a shop.
//
//   KeyedModel model = KeyedModel::create("shops.keyed", preset("small"), Schema::numeric(20));
//   const std::string keys[] = {"Delft", "Gouda"};
//   model.step(keys, examples, predictions);     // two rows, one for each of two models
//   model.save({{"monday.csv", 2}});             // KeyedModel::open resumes exactly here
//
// A model is made when its key first comes. Each row is predicted and learned by itself, so a key's model has the bits
// of a Model that saw the rows of this key only, whatever rows of other keys came between them.
//
// With a parent, one further Model learns every row, and its probability is one more score of the key's model
// (Schema::scores). With the preset `small`, a new key therefore begins with the parent's probability, and departs from
// it as its own rows come. A key's model then has the bits of a Model that saw the rows of this key only, with the
// parent's probabilities as a score.
//
// States are kept in one SQLite file, and those of the keys that came last also in memory, at most `cache_bytes` of
// them. `save` writes the changed states, the parent, and the positions in the sources in one transaction: after
// a crash, the store is that of the last `save`. Whoever commits offsets of his own (Kafka) passes them as positions.
//
// Two classes only. One thread at a time may use a KeyedModel, and one process at a time may learn into a store.
// Results do not depend on the size of the cache, on the time of saves, or on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plumbline/api.h"
#include "plumbline/batch.h"
#include "plumbline/columns.h"
#include "plumbline/config.h"
#include "plumbline/model.h"
#include "plumbline/schema.h"
#include "plumbline/stream.h"

PLUMBLINE_BEGIN_NAMESPACE

struct KeyedOptions {
  // The preset of the parent; empty for none.
  std::string parent = "fast";
  // A key without a row among the last `ttl` rows of all keys is forgotten; 0 keeps all.
  std::uint64_t ttl = 0;
};

struct KeyedMemory {
  std::size_t cache_bytes = std::size_t{256} << 20;
};

// What is known of a key. Losses are sums over its rows, each predicted before it was learned.
struct KeyStatistics {
  std::string key{};
  std::uint64_t rows = 0, positives = 0;
  double log_loss = 0;
  double parent_log_loss = 0;  // 0 without a parent
  std::uint64_t last = 0;      // the number of its last row among those of all keys, from 1

  bool operator==(const KeyStatistics&) const = default;
};

struct KeyedTotals {
  std::uint64_t rows = 0;
  std::uint64_t keys = 0;                    // that are in the store now
  std::uint64_t expired = 0;                 // that were forgotten (KeyedOptions::ttl)
  double log_loss = 0, parent_log_loss = 0;  // sums over the rows
};

struct KeyedPredictions {
  std::vector<double> probabilities{};
  std::vector<double> parents{};  // the parent's probabilities; empty without a parent
  std::vector<bool> known{};      // whether the key had a model before the row
};

// How far a source, such as a file or a partition, has been learned.
struct Position {
  std::string source;
  std::uint64_t rows;

  bool operator==(const Position&) const = default;
};

class KeyedModel {
 public:
  static constexpr std::size_t kMaxKeyBytes = 1024;
  static constexpr std::size_t kWorst = 10;

  // Makes a new store; an empty path makes a temporary one, which is removed with the object. Throws a configuration
  // error for a file that exists, for a batch other than 1, a label delay, or several classes.
  static KeyedModel create(const std::string& path, const Config& config, const Schema& schema,
                           const KeyedOptions& options = {}, KeyedMemory memory = {});
  // For the rows of a stream, whose column types are inferred from its first rows; `key` is the name or the number of
  // the column of keys, which is no feature.
  static KeyedModel create(const std::string& path, const Config& config,
                           const SampledStream& stream, const std::string& key,
                           ColumnChoices choices, std::vector<Note>& notes,
                           const KeyedOptions& options = {}, KeyedMemory memory = {});
  enum class Use { learn, predict };
  // Opens a store as it was last saved; for `predict` it may be read-only, or in use.
  static KeyedModel open(const std::string& path, Use use = Use::learn, KeyedMemory memory = {});
  // True if the file is a store of a KeyedModel.
  static bool is_store(const std::string& path);

  KeyedModel(KeyedModel&&) noexcept;
  KeyedModel& operator=(KeyedModel&&) noexcept;
  // Does not save.
  ~KeyedModel();

  const Config& config() const;
  const Schema& schema() const;
  const KeyedOptions& options() const;
  const std::string& key_column() const;  // empty for rows of numbers
  const Model* parent() const;            // null without one

  // ---- Rows of numbers; NaN is a missing value

  // Predicts each row as the next one of its key; changes nothing. The probability of an unknown key is the parent's,
  // or that of a new model.
  void predict(std::span<const std::string> keys, const Batch& rows, KeyedPredictions& predictions);
  // Predicts each row, then learns it, row after row. If one of the rows is refused, none is learned.
  void step(std::span<const std::string> keys, const Examples& examples,
            KeyedPredictions& predictions);

  // ---- Saving

  // Writes everything that changed, and these positions, as one transaction.
  void save(std::span<const Position> positions = {});
  std::vector<Position> positions();

  // ---- Inspection

  KeyedTotals totals() const;
  // The keys with the largest log-loss in total, largest first.
  std::vector<KeyStatistics> worst() const;
  std::optional<KeyStatistics> statistics(std::string_view key);
  // Visits all keys as they were last saved, until `visit` returns false.
  void each(const std::function<bool(const KeyStatistics&)>& visit);
  // A copy of a key's model; empty for an unknown key.
  std::optional<Model> model_of(std::string_view key);
  // The bytes of a key's state, and of that of a new key.
  std::optional<std::size_t> state_bytes(std::string_view key);
  std::size_t fresh_bytes() const;
  // Rows whose state was in memory, or not.
  std::uint64_t hits() const;
  std::uint64_t misses() const;
  std::size_t cached_bytes() const;

  // Internal: the encoder that reads labels and the rows of the parent.
  const Encoder& encoder() const;

 private:
  friend class KeyedSession;
  struct Impl;
  explicit KeyedModel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Reads the rows of a stream into a KeyedModel, as a Session does for a Model.
class KeyedSession {
 public:
  // The key is a column of the stream, by name or number; that of the store if it is empty.
  KeyedSession(Stream& stream, KeyedModel& model, KeyedModel::Use use, ReadOptions options = {},
               const std::string& key = {});
  KeyedSession(const KeyedSession&) = delete;
  KeyedSession& operator=(const KeyedSession&) = delete;
  ~KeyedSession();

  // Reads a row, predicts it, and learns it if this is the session's use; false at the end.
  bool step();

  // ---- The last row

  const std::string& key() const;
  double probability() const;
  std::optional<double> parent() const;  // the parent's probability
  bool known() const;
  Label label() const;                    // if it was learned
  const std::string& label_text() const;  // as it stands in the stream, if it was predicted only

  // The number of rows of the stream up to the last one.
  std::uint64_t position() const;
  std::uint64_t bad_rows() const;
  // True if no row is left, as far as that is known without waiting. No row can be read after this call.
  bool at_end();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

PLUMBLINE_END_NAMESPACE

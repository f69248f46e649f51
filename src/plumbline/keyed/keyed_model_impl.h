// What KeyedModel and KeyedSession share.
//
// The state of a key is loaded into one of a few Models (`slots`, one for each number of features that keys have), and
// packed again when another key comes: the cache holds states, which are small, not models, which are not.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/keyed/key_cache.h"
#include "plumbline/keyed/key_store.h"
#include "plumbline/keyed_model.h"
#include "plumbline/model.h"

namespace plumbline::inline v0 {

struct KeyedModel::Impl {
  // `encoder` is a new one: every key begins with it.
  Impl(KeyStore store, const Config& config, const Encoder& encoder, const KeyedOptions& options,
       std::string key_column, KeyedMemory memory);

  static std::unique_ptr<Impl> create(const std::string& path, const Config& config,
                                      const Encoder& encoder, const KeyedOptions& options,
                                      const std::string& key_column, KeyedMemory memory);
  static std::unique_ptr<Impl> open(const std::string& path, Use use, KeyedMemory memory);
  void save(std::span<const Position> positions);

  // The encoder that reads labels, and the rows of the parent.
  const Encoder& front() const { return parent ? parent->encoder() : *labels; }

  // The model of a key, for reading its next row and learning it. Valid until the next call of any function here.
  // Changes nothing: a key is added when it learns.
  Model& load(std::string_view key);
  // Whether the key of the model that was loaded has learned a row.
  bool known() const { return live.record != nullptr && !live.expired; }
  // Learns the row in `front_rows` and `rows` by the parent and by the model that was loaded.
  void learn(Label label);
  void predict();
  void check_rows(std::span<const std::string> keys, const Examples& examples);
  // Copies row i to `front_rows` and to `rows`, for a model of this schema.
  void take_row(const Examples& examples, std::size_t i, const Schema& schema);
  // Packs the model that learned last.
  void settle();
  void forget_expired();

  void check_key(std::string_view key) const;
  bool expired(const KeyStatistics& of) const {
    return options.ttl > 0 && totals.rows + 1 - of.last > options.ttl;
  }
  void count_worst(const KeyStatistics& of);
  // A text that differs if states of this program are laid out otherwise.
  std::string layout() const;

  KeyStore store;
  KeyCache cache;
  Config config;
  KeyedOptions options;
  std::string key_column;
  std::optional<Model> parent;
  std::optional<Encoder> labels;  // without a parent
  Model fresh;                    // of a key that has not come yet
  std::vector<std::byte> fresh_state;
  KeyedTotals totals;
  std::vector<KeyStatistics> worst;  // by log_loss, largest first

  std::uint64_t repeats = 0;           // rows of the same key as the row before
  std::map<std::size_t, Model> slots;  // by the number of features
  // The model that was loaded last.
  struct {
    std::string key{};
    Model* model = nullptr;
    std::size_t features = 0;     // when it was loaded
    KeyRecord* record = nullptr;  // null for a key that is new
    bool expired = false;         // it begins anew
    bool dirty = false;           // it has learned since it was loaded
  } live;

  // The row under way, and its predictions.
  RowBatch front_rows, rows;
  Predictions parent_prediction, prediction;

 private:
  Model& slot_for(std::span<const std::byte> state);
};

}  // namespace plumbline::inline v0

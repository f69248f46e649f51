#include "plumbline/keyed_model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "plumbline/base/utf8.h"
#include "plumbline/data/usable.h"
#include "plumbline/encoding/column_choices.h"
#include "plumbline/error.h"
#include "plumbline/json/json.h"
#include "plumbline/keyed/keyed_model_impl.h"
#include "plumbline/math/loss.h"
#include "plumbline/model/model_file.h"
#include "plumbline/version.h"

namespace plumbline::inline v0 {
namespace {

constexpr const char* kParentScore = "(parent)";
// Each slot takes some tens of KiB. More widths than this are rare, and cost time only.
constexpr std::size_t kMostSlots = 256;

[[noreturn]] void refuse_keyed(const std::string& reason) {
  throw Error(ErrorKind::config, "models by key: " + reason);
}

Config checked(Config config) {
  if (config.batch != 1) {
    refuse_keyed(
        fmt::format("the batch is {}, but each row is learned by itself; use 1", config.batch));
  }
  if (config.label_delay != 0) refuse_keyed("label_delay is not supported; use 0");
  return config;
}

const Encoder& checked(const Encoder& encoder) {
  const Schema& schema = encoder.schema();
  if (!schema.classes.empty()) {
    throw Error(ErrorKind::config,
                fmt::format("models by key: the label '{}' has {} classes, and two are supported",
                            schema.label, schema.classes.size()),
                {}, {{Setting::positive, {}, "to tell one of them from all others"}});
  }
  return encoder;
}

Config parent_config(const Config& config, const std::string& name) {
  Config parent = preset(name);
  parent.batch = 1;
  parent.encoder = config.encoder;
  parent.model.seed = config.model.seed;
  return parent;
}

std::optional<Model> make_parent(const Config& config, const Encoder& encoder,
                                 const KeyedOptions& options) {
  if (options.parent.empty()) return std::nullopt;
  return Model(parent_config(config, options.parent), encoder);
}

Encoder for_keys(const Encoder& encoder, const KeyedOptions& options) {
  return options.parent.empty() ? encoder : encoder.with_score({kParentScore});
}

Json to_json(const KeyStatistics& of) {
  return {of.key, of.rows, of.positives, of.log_loss, of.parent_log_loss, of.last};
}

KeyStatistics statistics_from(const Json& json) {
  return {json.at(0), json.at(1), json.at(2), json.at(3), json.at(4), json.at(5)};
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

KeyedModel::Impl::Impl(KeyStore to, const Config& of_keys, const Encoder& encoder,
                       const KeyedOptions& chosen, std::string column, KeyedMemory memory)
    : store(std::move(to)),
      cache(store, memory.cache_bytes),
      config(checked(of_keys)),
      options(chosen),
      key_column(std::move(column)),
      parent(make_parent(config, checked(encoder), options)),
      fresh(config, for_keys(encoder, options)) {
  if (!parent) labels = encoder;
  config = fresh.config();
  fresh.pack(fresh, fresh_state);
}

// ---- The model of a key

Model& KeyedModel::Impl::slot_for(std::span<const std::byte> state) {
  const std::size_t features = Model::packed_features(state);
  auto slot = slots.find(features);
  if (slot == slots.end()) {
    if (slots.size() >= kMostSlots) slots.clear();
    slot = slots.try_emplace(features, config, fresh.encoder()).first;
  }
  slot->second.unpack(fresh, state);
  return slot->second;
}

void KeyedModel::Impl::settle() {
  if (!live.dirty) return;
  live.dirty = false;
  live.model->pack(fresh, live.record->state);
  cache.changed();
  const std::size_t features = live.model->schema().size();
  if (features != live.features) {
    auto slot = slots.extract(live.features);
    slots.erase(features);
    slot.key() = features;
    slots.insert(std::move(slot));
  }
  live.model = nullptr;
  cache.shrink();
}

Model& KeyedModel::Impl::load(std::string_view key) {
  if (live.model != nullptr && live.record != nullptr && live.key == key &&
      !expired(live.record->statistics)) {
    ++repeats;
    return *live.model;
  }
  settle();
  live.key = key;
  live.record = cache.take(key);
  live.expired = live.record != nullptr && expired(live.record->statistics);
  const bool begins = live.record == nullptr || live.expired;
  live.model = nullptr;
  live.model = &slot_for(begins ? fresh_state : live.record->state);
  live.features = live.model->schema().size();
  return *live.model;
}

void KeyedModel::Impl::learn(Label label) {
  double of_parent = 0;
  if (parent) {
    parent->step(front_rows, parent_prediction);
    of_parent = parent_prediction.probabilities[0];
    rows.add_score(of_parent);
  } else if (!front_rows.new_labels().empty()) {
    labels->adopt(front_rows);
  }
  live.model->step(rows, prediction);

  if (live.record == nullptr) {
    live.record = &cache.add({.statistics = {.key = live.key}});
    ++totals.keys;
  } else if (live.expired) {
    live.record->statistics = {.key = live.key};
    std::erase_if(worst, [&](const KeyStatistics& of) { return of.key == live.key; });
    ++totals.expired;
    live.expired = false;
  }
  KeyStatistics& of = live.record->statistics;
  const double loss = log_loss(prediction.probabilities[0], label);
  const double parent_loss = parent ? log_loss(of_parent, label) : 0;
  ++totals.rows;
  totals.log_loss += loss;
  totals.parent_log_loss += parent_loss;
  of.last = totals.rows;
  ++of.rows;
  of.positives += label;
  of.log_loss += loss;
  of.parent_log_loss += parent_loss;
  live.dirty = true;
  count_worst(of);
}

void KeyedModel::Impl::predict() {
  if (parent) {
    parent->predict(front_rows, parent_prediction);
    rows.add_score(parent_prediction.probabilities[0]);
  }
  live.model->predict(rows, prediction);
}

// The losses of keys only grow, so the largest ones are among those that were here or have just grown.
void KeyedModel::Impl::count_worst(const KeyStatistics& of) {
  if (worst.size() == kWorst && of.log_loss <= worst.back().log_loss) return;
  auto place = std::ranges::find(worst, of.key, &KeyStatistics::key);
  if (place == worst.end()) {
    if (worst.size() == kWorst) worst.pop_back();
    worst.push_back(of);
    place = std::prev(worst.end());
  } else {
    *place = of;
  }
  while (place != worst.begin() && std::prev(place)->log_loss < place->log_loss) {
    std::iter_swap(place, std::prev(place));
    --place;
  }
}

void KeyedModel::Impl::forget_expired() {
  if (options.ttl == 0 || totals.rows + 1 <= options.ttl) return;
  const std::uint64_t first = totals.rows + 1 - options.ttl;
  const std::uint64_t removed = store.remove_before(first);
  if (removed == 0) return;
  live = {};
  cache.drop_before(first);
  totals.keys -= removed;
  totals.expired += removed;
  std::erase_if(worst, [&](const KeyStatistics& of) { return of.last < first; });
}

void KeyedModel::Impl::check_key(std::string_view key) const {
  if (key.empty()) throw Error(ErrorKind::data, "the key is missing");
  if (key.size() > kMaxKeyBytes) {
    throw Error(ErrorKind::data, fmt::format("the key has {} bytes, and at most {} are possible",
                                             key.size(), kMaxKeyBytes));
  }
  if (!is_utf8(key)) throw Error(ErrorKind::data, "the key is not valid UTF-8");
}

std::string KeyedModel::Impl::layout() const {
  std::string text;
  for (const Tensor& tensor : save_state(fresh)) {
    text +=
        fmt::format("{}:{}:{};", tensor.name, static_cast<int>(tensor.type), tensor.bytes.size());
  }
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

// ---- The store

KeyedModel::KeyedModel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
KeyedModel::KeyedModel(KeyedModel&&) noexcept = default;
KeyedModel& KeyedModel::operator=(KeyedModel&&) noexcept = default;
KeyedModel::~KeyedModel() = default;

KeyedModel KeyedModel::create(const std::string& path, const Config& config, const Schema& schema,
                              const KeyedOptions& options, KeyedMemory memory) {
  check_schema(schema);
  return KeyedModel(Impl::create(path, config, Encoder::numeric(config.encoder, schema), options,
                                 /*key_column=*/"", memory));
}

KeyedModel KeyedModel::create(const std::string& path, const Config& config,
                              const SampledStream& stream, const std::string& key,
                              ColumnChoices choices, std::vector<Note>& notes,
                              const KeyedOptions& options, KeyedMemory memory) {
  if (stream.columns().empty()) {
    throw Error(ErrorKind::config, "its rows name their features, so no column can be the key",
                {.source = stream.name()});
  }
  const std::string& name = stream.columns()[find_column(key, stream.column_names())].name;
  const std::string& label = choices.label.empty() ? stream.columns().back().name : choices.label;
  if (label == name) {
    throw Error(ErrorKind::config, fmt::format("the label '{}' cannot be the key", name),
                {.source = stream.name()}, {{Setting::label}});
  }
  choices.ignore.push_back(name);
  const Encoder encoder = Encoder::fit(config.encoder, stream, stream.sample(), choices, notes);
  return KeyedModel(Impl::create(path, config, encoder, options, name, memory));
}

std::unique_ptr<KeyedModel::Impl> KeyedModel::Impl::create(
    const std::string& path, const Config& config, const Encoder& encoder,
    const KeyedOptions& options, const std::string& key_column, KeyedMemory memory) {
  // All that can be refused is refused before there is a file.
  Model(checked(config), for_keys(checked(encoder), options));
  make_parent(config, encoder, options);
  // Complete files only have the store's name.
  const std::string unfinished = path.empty() ? path : path + ".new";
  auto impl = std::make_unique<Impl>(KeyStore::create(path, unfinished), config, encoder, options,
                                     key_column, memory);
  KeyStore& store = impl->store;
  if (options.ttl > 0) store.index_last_rows();
  store.set_about("plumbline_version", kVersion);
  store.set_about("layout", impl->layout());
  store.set_about("config", plumbline::to_json(impl->config));
  store.set_about("schema", schema_to_json(encoder.schema()));
  store.set_about("encoder", encoder.to_json());
  store.set_about(
      "options",
      print_json({{"parent", options.parent}, {"ttl", options.ttl}, {"key", key_column}}));
  impl->save({});
  if (path.empty()) return impl;
  impl.reset();
  KeyStore::finish(unfinished, path);
  return open(path, Use::learn, memory);
}

std::unique_ptr<KeyedModel::Impl> KeyedModel::Impl::open(const std::string& path, Use use,
                                                         KeyedMemory memory) {
  KeyStore store = KeyStore::open(path, use);
  const auto about = [&](const char* name) {
    if (auto value = store.about(name)) return std::move(*value);
    throw Error(ErrorKind::model_file, fmt::format("it has no '{}'", name), {.source = path});
  };
  const auto encoder_of = [&](const char* schema, const char* encoder, const Config& config) {
    return Encoder::from_json(about(encoder), config.encoder,
                              schema_from_json(about(schema), path));
  };
  try {
    const Config config = overlay({}, about("config"));
    const Encoder encoder = encoder_of("schema", "encoder", config);
    const Json chosen = parse_json(about("options"));
    const KeyedOptions options{.parent = chosen.at("parent"), .ttl = chosen.at("ttl")};
    auto impl = std::make_unique<Impl>(std::move(store), config, encoder, options,
                                       chosen.at("key").get<std::string>(), memory);
    const auto saved = [&](const char* name) { return impl->store.about(name).value_or(""); };
    if (saved("layout") != impl->layout()) {
      throw Error(ErrorKind::model_file,
                  fmt::format("its states have the layout of plumbline {}; use that version",
                              saved("plumbline_version")));
    }
    if (impl->parent) {
      const std::string bytes = saved("parent");
      impl->parent = Model::from_bytes(std::as_bytes(std::span(bytes)), path);
    } else {
      impl->labels = Encoder::from_json(saved("label_encoder"), config.encoder,
                                        schema_from_json(saved("label_schema"), path));
    }
    const Json totals = parse_json(saved("totals"));
    impl->totals = {totals.at("rows"), totals.at("keys"), totals.at("expired"),
                    totals.at("log_loss"), totals.at("parent_log_loss")};
    for (const Json& of : totals.at("worst")) impl->worst.push_back(statistics_from(of));
    return impl;
  } catch (const Json::exception&) {
    throw Error(ErrorKind::model_file, "its description is malformed", {.source = path});
  } catch (const Error& error) {
    if (!error.where().source.empty()) throw;
    throw Error(error.kind(), error.sentence(), {.source = path});
  }
}

KeyedModel KeyedModel::open(const std::string& path, Use use, KeyedMemory memory) {
  return KeyedModel(Impl::open(path, use, memory));
}

bool KeyedModel::is_store(const std::string& path) { return KeyStore::is_store(path); }

void KeyedModel::Impl::save(std::span<const Position> positions) {
  settle();
  live.model = nullptr;
  cache.flush();
  forget_expired();
  if (parent) {
    store.set_about("parent", as_text(parent->to_bytes()));
  } else {
    store.set_about("label_schema", schema_to_json(labels->schema()));
    store.set_about("label_encoder", labels->to_json());
  }
  Json json{{"rows", totals.rows},
            {"keys", totals.keys},
            {"expired", totals.expired},
            {"log_loss", totals.log_loss},
            {"parent_log_loss", totals.parent_log_loss},
            {"worst", Json::array()}};
  for (const KeyStatistics& of : worst) json["worst"].push_back(to_json(of));
  store.set_about("totals", print_json(json));
  for (const Position& position : positions) store.set_position(position);
  store.commit();
}

void KeyedModel::save(std::span<const Position> positions) { impl_->save(positions); }
std::vector<Position> KeyedModel::positions() { return impl_->store.positions(); }

const Config& KeyedModel::config() const { return impl_->config; }
const Schema& KeyedModel::schema() const { return impl_->front().schema(); }
const KeyedOptions& KeyedModel::options() const { return impl_->options; }
const Encoder& KeyedModel::encoder() const { return impl_->front(); }
const std::string& KeyedModel::key_column() const { return impl_->key_column; }
const Model* KeyedModel::parent() const { return impl_->parent ? &*impl_->parent : nullptr; }

// ---- Rows of numbers

namespace {

void check_keys(std::span<const std::string> keys, std::size_t rows) {
  if (keys.size() == rows) return;
  throw Error(ErrorKind::data, fmt::format("{} keys were given for {} rows", keys.size(), rows));
}

void make_room(std::size_t rows, bool parent, KeyedPredictions& predictions) {
  predictions.probabilities.resize(rows);
  predictions.parents.resize(parent ? rows : 0);
  predictions.known.resize(rows);
}

}  // namespace

// As Model::step, which checks one row after the other here.
void KeyedModel::Impl::check_rows(std::span<const std::string> keys, const Examples& examples) {
  check_keys(keys, examples.size());
  const Schema& schema = front().schema();
  if (examples.x.sparse()) throw Error(ErrorKind::data, "models by key take dense rows of numbers");
  if (examples.x.columns != schema.size()) {
    throw Error(ErrorKind::data, fmt::format("the rows have {} features, but the models have {}",
                                             examples.x.columns, schema.size()));
  }
  if (examples.x.scores.size() != examples.size() * schema.scores.size()) {
    throw Error(ErrorKind::data,
                fmt::format("the rows need {} scores of other models each", schema.scores.size()));
  }
  for (std::size_t i = 0; i < examples.size(); ++i) {
    check_key(keys[i]);
    for (std::size_t j = 0; j < examples.x.columns; ++j) {
      const double value = examples.x.row(i)[j];
      if (std::isnan(value) || is_usable(value)) continue;
      throw Error(ErrorKind::data,
                  fmt::format("row {}, feature {}: the value {} is infinite or beyond 1e150 in "
                              "magnitude; correct it, or rescale the feature",
                              i + 1, j + 1, value));
    }
  }
}

void KeyedModel::Impl::take_row(const Examples& examples, std::size_t i, const Schema& schema) {
  if (parent) {
    front_rows.clear(parent->schema());
    front_rows.add_rows(examples, i, 1);
  }
  rows.clear(schema);
  rows.add_rows(examples, i, 1);
}

void KeyedModel::predict(std::span<const std::string> keys, const Batch& batch,
                         KeyedPredictions& predictions) {
  const Examples examples{.x = batch, .y = {}};
  impl_->check_rows(keys, examples);
  make_room(batch.rows, impl_->parent.has_value(), predictions);
  for (std::size_t i = 0; i < batch.rows; ++i) {
    const Model& model = impl_->load(keys[i]);
    impl_->take_row(examples, i, model.schema());
    predictions.known[i] = impl_->known();
    impl_->predict();
    predictions.probabilities[i] = impl_->prediction.probabilities[0];
    if (impl_->parent) predictions.parents[i] = impl_->parent_prediction.probabilities[0];
  }
}

void KeyedModel::step(std::span<const std::string> keys, const Examples& examples,
                      KeyedPredictions& predictions) {
  impl_->check_rows(keys, examples);
  check_targets(examples);
  make_room(examples.size(), impl_->parent.has_value(), predictions);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const Model& model = impl_->load(keys[i]);
    impl_->take_row(examples, i, model.schema());
    predictions.known[i] = impl_->known();
    impl_->learn(examples.y[i]);
    predictions.probabilities[i] = impl_->prediction.probabilities[0];
    if (impl_->parent) predictions.parents[i] = impl_->parent_prediction.probabilities[0];
  }
}

// ---- Inspection

KeyedTotals KeyedModel::totals() const { return impl_->totals; }
std::vector<KeyStatistics> KeyedModel::worst() const { return impl_->worst; }
std::size_t KeyedModel::fresh_bytes() const { return impl_->fresh_state.size(); }
std::uint64_t KeyedModel::hits() const { return impl_->repeats + impl_->cache.hits(); }
std::uint64_t KeyedModel::misses() const { return impl_->cache.misses(); }
std::size_t KeyedModel::cached_bytes() const { return impl_->cache.bytes(); }

void KeyedModel::each(const std::function<bool(const KeyStatistics&)>& visit) {
  impl_->store.each(visit);
}

std::optional<KeyStatistics> KeyedModel::statistics(std::string_view key) {
  impl_->load(key);
  if (!impl_->known()) return std::nullopt;
  return impl_->live.record->statistics;
}

std::optional<Model> KeyedModel::model_of(std::string_view key) {
  Model& model = impl_->load(key);
  if (!impl_->known()) return std::nullopt;
  std::vector<std::byte> state;
  model.pack(impl_->fresh, state);
  Model copy(impl_->config, impl_->fresh.encoder());
  copy.unpack(impl_->fresh, state);
  return copy;
}

std::optional<std::size_t> KeyedModel::state_bytes(std::string_view key) {
  Model& model = impl_->load(key);
  if (!impl_->known()) return std::nullopt;
  std::vector<std::byte> state;
  model.pack(impl_->fresh, state);
  return state.size();
}

}  // namespace plumbline::inline v0

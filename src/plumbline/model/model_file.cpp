#include "plumbline/model/model_file.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "plumbline/base/file.h"
#include "plumbline/error.h"
#include "plumbline/json/json.h"
#include "plumbline/model/model_impl.h"
#include "plumbline/schema.h"
#include "plumbline/version.h"

namespace plumbline::inline v0 {
namespace {

constexpr const char* kFormat = "plumbline";
constexpr const char* kFormatVersion = "1";
// XXH64 detects accidents at the speed of memory; a signature would need keys.
constexpr const char* kNoChecksum = "xxh64:0000000000000000";

constexpr std::array<std::pair<TensorType, const char*>, 2> kTensorTypes{
    {{TensorType::f64, "F64"}, {TensorType::u64, "U64"}}};
constexpr std::size_t kElement = 8;  // bytes of an element of either type

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string checksum(std::string_view length, std::string_view header,
                     std::span<const std::byte> data) {
  XXH64_state_t state;
  XXH64_reset(&state, 0);
  XXH64_update(&state, length.data(), length.size());
  XXH64_update(&state, header.data(), header.size());
  XXH64_update(&state, data.data(), data.size());
  return fmt::format("xxh64:{:016x}", XXH64_digest(&state));
}

// Replaces the first occurrence of `from` in the header; returns false if there is none. The checksum
// precedes all names chosen by users, so the first occurrence is the right one.
bool replace_first(std::string& header, const std::string& from, const std::string& to) {
  const std::size_t at = header.find(from);
  if (at == std::string::npos) return false;
  header.replace(at, from.size(), to);
  return true;
}

class Decoder {
 public:
  Decoder(std::span<const std::byte> bytes, const std::string& source)
      : bytes_(bytes), source_(source) {}

  ModelFile decode() {
    split();
    std::vector<std::pair<std::string, Json>> entries;
    const Json json = parse_header(entries);
    if (!json.is_object() || !json.contains("__metadata__") ||
        text(json["__metadata__"], "format") != kFormat) {
      refuse("it is not a plumbline model");
    }
    const Json& metadata = json["__metadata__"];
    if (text(metadata, "format_version") != kFormatVersion) {
      refuse(fmt::format(
          "its format is version {}, but this program reads version {}; use the "
          "plumbline that wrote it, {}",
          text(metadata, "format_version"), kFormatVersion, text(metadata, "plumbline_version")));
    }
    verify(text(metadata, "checksum"));
    ModelFile file{text(metadata, "config"),
                   text(metadata, "schema"),
                   text(metadata, "encoder"),
                   {},
                   text(metadata, "position")};
    for (const auto& [name, entry] : entries) file.tensors.push_back(tensor(name, entry));
    put_in_order(file.tensors);
    return file;
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw Error(ErrorKind::model_file, reason, {.source = source_});
  }

  void split() {
    std::uint64_t length = 0;
    if (bytes_.size() < sizeof length) refuse("it is not a plumbline model: it is too short");
    std::memcpy(&length, bytes_.data(), sizeof length);
    if (bytes_.size() == sizeof length || bytes_[sizeof length] != std::byte{'{'}) {
      refuse("it is not a plumbline model");
    }
    if (length > bytes_.size() - sizeof length) refuse("it is truncated");
    header_ = as_text(bytes_.subspan(sizeof length, length));
    data_ = bytes_.subspan(sizeof length + length);
  }

  // The header without the entries of the tensors, which go to `entries`: an object finds its keys in linear time.
  Json parse_header(std::vector<std::pair<std::string, Json>>& entries) const {
    std::string key;
    return parse_json(header_, [&](int depth, Json::parse_event_t event, Json& parsed) {
      if (depth == 1 && event == Json::parse_event_t::key) key = parsed.get<std::string>();
      if (depth != 1 || key == "__metadata__" || !ends_value(event)) return true;
      entries.emplace_back(key, std::move(parsed));
      return false;
    });
  }

  static bool ends_value(Json::parse_event_t event) {
    return event == Json::parse_event_t::value || event == Json::parse_event_t::object_end ||
           event == Json::parse_event_t::array_end;
  }

  static std::string text(const Json& json, const char* key) {
    if (!json.is_object() || !json.contains(key) || !json[key].is_string()) return "";
    return json[key].get<std::string>();
  }

  void verify(const std::string& expected) const {
    std::string blank(header_);
    if (expected.size() != std::strlen(kNoChecksum) ||
        !replace_first(blank, expected, kNoChecksum) ||
        checksum(as_text(bytes_.first(sizeof(std::uint64_t))), blank, data_) != expected) {
      refuse("its checksum does not match: the file is truncated or was altered");
    }
  }

  Tensor tensor(const std::string& name, const Json& entry) {
    const std::string type_name = text(entry, "dtype");
    for (const auto& [type, expected_name] : kTensorTypes) {
      if (type_name != expected_name) continue;
      const auto shape = numbers(entry, "shape");
      const auto offsets = numbers(entry, "data_offsets");
      if (!shape || !offsets || offsets->size() != 2) break;
      const std::size_t begin = (*offsets)[0], end = (*offsets)[1];
      if (begin > end || end > data_.size() || begin % kElement != 0 || end % kElement != 0) break;
      const auto bytes = data_.subspan(begin, end - begin);
      if (!fits(*shape, bytes.size() / kElement)) break;
      extents_.push_back({begin, end, extents_.size()});
      return {name, type, *shape, {bytes.begin(), bytes.end()}};
    }
    refuse(fmt::format("its tensor '{}' is malformed", name));
  }

  // Sorts the tensors by their position in the data, which is the order in which components archive
  // their state. Tensors that overlap or leave gaps are refused.
  void put_in_order(Tensors& tensors) {
    std::sort(extents_.begin(), extents_.end());
    Tensors sorted;
    std::size_t used = 0;
    for (const Extent& extent : extents_) {
      if (extent.begin != used) refuse("its tensors do not fill it without gaps");
      used = extent.end;
      sorted.push_back(std::move(tensors[extent.index]));
    }
    if (used != data_.size()) refuse("it has bytes that belong to no tensor");
    tensors = std::move(sorted);
  }

  // True if the product of the shape is `count`, without overflow.
  static bool fits(const std::vector<std::size_t>& shape, std::size_t count) {
    std::size_t product = 1;
    for (const std::size_t side : shape) {
      if (__builtin_mul_overflow(product, side, &product)) return false;
    }
    return product == count;
  }

  static std::optional<std::vector<std::size_t>> numbers(const Json& entry, const char* key) {
    if (!entry.is_object() || !entry.contains(key) || !entry[key].is_array()) return std::nullopt;
    std::vector<std::size_t> result;
    for (const Json& item : entry[key]) {
      if (!item.is_number_unsigned()) return std::nullopt;
      result.push_back(item.get<std::size_t>());
    }
    return result;
  }

  std::span<const std::byte> bytes_;
  const std::string& source_;
  std::string_view header_;
  std::span<const std::byte> data_;

  struct Extent {
    std::size_t begin, end, index;
    auto operator<=>(const Extent&) const = default;
  };
  std::vector<Extent> extents_;  // of the tensors, as the header names them
};

}  // namespace

std::string schema_to_json(const Schema& schema) {
  Json json;  // its keys are in alphabetical order
  if (!schema.classes.empty()) json["classes"] = schema.classes;
  json["features"] = schema.features;
  json["label"] = schema.label;
  if (schema.classes.empty()) {
    json["negative"] = schema.negative;
    json["positive"] = schema.positive;
  }
  for (const Schema::Score& score : schema.scores) {
    json["scores"].push_back({{"name", score.name}, {"input", name_of(score.input)}});
  }
  if (schema.sparse) json["sparse"] = true;
  return print_json(json);
}

Schema schema_from_json(const std::string& text, const std::string& source) {
  try {
    const Json json = parse_json(text);
    Schema schema{.features = json.at("features").get<std::vector<std::string>>(),
                  .label = json.at("label"),
                  .sparse = json.value("sparse", false)};
    for (const Json& score : json.value("scores", Json::array())) {
      schema.scores.push_back({score.at("name").get<std::string>(),
                               score_input_named(score.at("input").get<std::string>())});
    }
    if (json.contains("classes")) {
      schema.classes = json.at("classes").get<std::vector<std::string>>();
      if (!schema.classes.empty()) return schema;
    }
    schema.negative = json.at("negative");
    schema.positive = json.at("positive");
    return schema;
  } catch (const Json::exception&) {
    throw Error(ErrorKind::model_file, "its schema is malformed", {.source = source});
  }
}

std::vector<std::byte> encode(const ModelFile& file) {
  // The metadata have this order, with the checksum before all names chosen by users. The entries of the
  // tensors are appended as text: their names need no escapes.
  Json metadata;
  metadata["format"] = kFormat;
  metadata["format_version"] = kFormatVersion;
  metadata["plumbline_version"] = kVersion;
  metadata["checksum"] = kNoChecksum;
  metadata["config"] = file.config;
  metadata["schema"] = file.schema;
  if (!file.encoder.empty()) metadata["encoder"] = file.encoder;
  if (!file.position.empty()) metadata["position"] = file.position;
  std::string header = fmt::format(R"({{"__metadata__":{})", print_json(metadata));
  std::vector<std::byte> data;
  for (const Tensor& tensor : file.tensors) {
    const std::size_t begin = data.size();
    data.insert(data.end(), tensor.bytes.begin(), tensor.bytes.end());
    header += fmt::format(R"(,"{}":{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                          tensor.name, kTensorTypes[static_cast<std::size_t>(tensor.type)].second,
                          fmt::join(tensor.shape, ","), begin, data.size());
  }
  header += '}';
  // Tensors start at a multiple of their elements' size.
  header.resize((header.size() + kElement - 1) / kElement * kElement, ' ');

  const std::uint64_t length = header.size();
  const std::string prefix(reinterpret_cast<const char*>(&length), sizeof length);
  replace_first(header, kNoChecksum, checksum(prefix, header, data));
  std::vector<std::byte> bytes(prefix.size() + header.size() + data.size());
  std::memcpy(bytes.data(), prefix.data(), prefix.size());
  std::memcpy(bytes.data() + prefix.size(), header.data(), header.size());
  if (!data.empty()) {
    std::memcpy(bytes.data() + prefix.size() + header.size(), data.data(), data.size());
  }
  return bytes;
}

ModelFile decode(std::span<const std::byte> bytes, const std::string& source) {
  return Decoder(bytes, source).decode();
}

bool is_calibrator(const ModelFile& file) {
  const Json config = parse_json(file.config);
  return config.is_object() && config.contains(kCalibratorKey);
}

namespace {

// Every built-in learner stores at least one number per feature. A file with less state than its configuration
// requires is refused before the memory is allocated. (A model of several classes has no learners before
// its first example, and checks this itself.)
void check_size(const ModelConfig& config, const Schema& schema, std::size_t bytes) {
  if (!schema.classes.empty() || !learners().contains(config.learner.name)) return;
  const auto learners = static_cast<std::size_t>(config.ensemble.size);
  if (learners * schema.size() > bytes / kElement) {
    throw Error(ErrorKind::model_file, fmt::format("it is too short for {} learners of {} features",
                                                   learners, schema.size()));
  }
}

}  // namespace

std::vector<std::byte> Model::to_bytes() const {
  return encode({to_json(impl_->config, *impl_->components),
                 schema_to_json(impl_->encoder.schema()), impl_->encoder.to_json(),
                 save_state(*this), impl_->position});
}

Model Model::from_bytes(std::span<const std::byte> bytes, const std::string& source,
                        const Components& components) {
  const ModelFile file = decode(bytes, source);
  if (is_calibrator(file)) {
    throw Error(ErrorKind::model_file,
                "it is a calibrator of scores, not a model of rows; 'plumbline calibrate' and "
                "OnlineCalibrator load it",
                {.source = source});
  }
  return with_source(source, [&] {
    Config config;
    if (file.encoder.empty()) config.encoder.standardize = Encoder::Standardize::no;
    require_components(file.config, components);
    config = overlay(config, file.config, components);
    Schema schema = schema_from_json(file.schema, source);
    check_schema(schema);
    check_size(config.model, schema, bytes.size());
    if (file.encoder.empty()) {
      Model model(config, Encoder::numeric(config.encoder, std::move(schema)), components);
      load_state(*model.impl_->learner, file.tensors);
      model.set_position(file.position);
      return model;
    }
    Model model(config, Encoder::from_json(file.encoder, config.encoder, std::move(schema)),
                components);
    load_state(model, file.tensors);
    model.set_position(file.position);
    return model;
  });
}

void Model::save(const std::string& path) const { write_file(path, to_bytes()); }

Model Model::load(const std::string& path, const Components& components) {
  return from_bytes(read_file(path), path, components);
}

}  // namespace plumbline::inline v0

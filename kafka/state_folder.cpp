#include "kafka/state_folder.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "plumbline/base/file.h"
#include "plumbline/error.h"
#include "plumbline/json/json.h"
#include "plumbline/version.h"

namespace plumbline::kafka {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".safetensors";

// Writes the file unless there is one; returns false then.
bool write_new(const std::string& path, std::span<const std::byte> bytes) {
  const std::string draft = fmt::format("{}.{}-{:08x}", path, ::getpid(), std::random_device()());
  write_file(draft, bytes);
  const bool linked = ::link(draft.c_str(), path.c_str()) == 0;
  const int error = errno;
  ::unlink(draft.c_str());
  if (!linked && error != EEXIST) {
    throw Error(ErrorKind::io, fmt::format("cannot write '{}': {}", path, std::strerror(error)));
  }
  return linked;
}

// Offsets: of the next message, and of the next label (0 without a topic of labels).
using Tag = std::pair<std::int64_t, std::int64_t>;

std::optional<Tag> parse_tag(const std::string& text) {
  Tag tag{};
  const char* const end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, tag.first);
  if (error == std::errc() && at != end && *at == '-') {
    at = std::from_chars(at + 1, end, tag.second).ptr;
  }
  if (error != std::errc() || at != end) return std::nullopt;
  return tag;
}

}  // namespace

StateFolder::StateFolder(std::string path, const Identity& identity) : path_(std::move(path)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) {
    throw Error(ErrorKind::io, fmt::format("cannot make '{}': {}", path_, error.message()));
  }
  const std::string file = path_ + "/stream.json";
  if (!fs::exists(file)) {
    Json json;
    json["plumbline"] = kVersion;
    json["topic"] = identity.topic;
    if (!identity.labels.empty()) json["labels"] = identity.labels;
    json["group"] = !identity.group.empty() ? identity.group
                                            : fmt::format("plumbline-{}-{:08x}", identity.topic,
                                                          std::random_device()());
    const std::string text = print_json(json, 2) + "\n";
    write_new(file, std::as_bytes(std::span(text)));
  }
  const std::vector<std::byte> bytes = read_file(file);
  const Json json =
      parse_json(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  if (!json.is_object() || !json.contains("topic") || !json.contains("group")) {
    throw Error(ErrorKind::data, "it is not the description of a stream", {.source = file});
  }
  const auto check = [&](const char* what, const std::string& wanted) {
    const std::string found = json.value(what, std::string());
    if (found == wanted) return;
    throw Error(ErrorKind::config,
                fmt::format("the folder '{}' belongs to the {} '{}', not '{}'; use another --state",
                            path_, what, found, wanted));
  };
  check("topic", identity.topic);
  check("labels", identity.labels);
  if (!identity.group.empty()) check("group", identity.group);
  group_ = json["group"];
}

std::string StateFolder::initial_path() const { return path_ + "/initial" + kSuffix; }

bool StateFolder::has_initial() const { return fs::exists(initial_path()); }

bool StateFolder::offer_initial(const Model& model) const {
  return write_new(initial_path(), model.to_bytes());
}

Model StateFolder::initial() const { return Model::load(initial_path()); }

std::string StateFolder::file_of(int partition, const std::string& tag) const {
  return fmt::format("{}/partition-{}.at-{}{}", path_, partition, tag, kSuffix);
}

Model StateFolder::load(int partition, const std::string& tag) const {
  const std::string file = file_of(partition, tag);
  if (!fs::exists(file)) {
    throw Error(ErrorKind::io,
                fmt::format("the group '{}' has committed the model '{}', which is not there; use "
                            "the folder that it was run with, or begin anew with an empty one",
                            group_, file));
  }
  return Model::load(file);
}

void StateFolder::save(int partition, const std::string& tag, const Model& model) const {
  model.save(file_of(partition, tag));
}

void StateFolder::remove_before(int partition, const std::string& tag) const {
  const std::string prefix = fmt::format("partition-{}.at-", partition);
  const std::optional<Tag> bound = parse_tag(tag);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(kSuffix)) continue;
    const std::optional<Tag> found =
        parse_tag(name.substr(prefix.size(), name.size() - prefix.size() - std::strlen(kSuffix)));
    if (found && bound && *found < *bound) fs::remove(entry.path(), error);
  }
}

}  // namespace plumbline::kafka

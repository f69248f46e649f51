#include "serve/data_folder.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "plumbline/base/file.h"
#include "plumbline/error.h"
#include "serve/journal.h"
#include "serve/served_model.h"
#include "serve/sha256.h"

namespace plumbline::serve {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "initial.safetensors";
constexpr const char* kRemoved = ".removed";

}  // namespace

DataFolder::DataFolder(std::string path) : path_(std::move(path)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) {
    throw Error(ErrorKind::io, fmt::format("cannot create the folder: {}", error.message()),
                {.source = path_});
  }
}

void NewModel::set_file(std::vector<std::byte> bytes) {
  file = std::move(bytes);
  definition.file = kFile;
  definition.checksum = sha256(file);
}

DataFolder::~DataFolder() {
  if (lock_ >= 0) ::close(lock_);
}

void DataFolder::lock() {
  const std::string file = path_ + "/lock";
  lock_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_ < 0) {
    throw Error(ErrorKind::io, fmt::format("cannot write: {}", std::strerror(errno)),
                {.source = file});
  }
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    throw Error(ErrorKind::io, "another server uses this folder", {.source = path_});
  }
  // What a server left that was killed while it made or removed a model.
  std::vector<fs::path> left;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".new") || name.ends_with(kRemoved)) left.push_back(entry.path());
  }
  for (const fs::path& folder : left) fs::remove_all(folder, error);
}

std::vector<std::string> DataFolder::models() const {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".new") || name.ends_with(kRemoved)) continue;
    if (fs::exists(entry.path() / "definition.json", error)) names.push_back(name);
  }
  return names;
}

bool DataFolder::has(const std::string& model) const {
  std::error_code error;
  return fs::exists(folder_of(model) + "/definition.json", error);
}

bool DataFolder::make(const std::string& name, const NewModel& model) const {
  if (!has(name)) {
    ServedModel::create(folder_of(name), model.definition, model.file);
    tell(Level::info, "model made", {{"model", name}});
    return true;
  }
  if (model.definition.to_json() == Definition::load(folder_of(name)).to_json()) return false;
  throw Error(ErrorKind::config,
              fmt::format("the model '{}' is there already, and was made with other options; "
                          "leave them out, or choose another name",
                          name));
}

// Under another name first: a folder with the right name is complete.
void DataFolder::remove(const std::string& model) const {
  const std::string folder = folder_of(model), removed = folder + kRemoved;
  std::error_code error;
  fs::remove_all(removed, error);
  fs::rename(folder, removed, error);
  if (error) {
    throw Error(ErrorKind::io, fmt::format("cannot remove the folder: {}", error.message()),
                {.source = folder});
  }
  fs::remove_all(removed, error);  // what is left of it is removed at the next start
}

}  // namespace plumbline::serve

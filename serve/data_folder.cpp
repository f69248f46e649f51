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
#include "plumbline/model.h"
#include "serve/journal.h"
#include "serve/served_model.h"
#include "serve/sha256.h"

namespace plumbline::serve {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "initial.safetensors";

// A new model for the columns of the sample.
std::vector<std::byte> file_for_columns(const cli::ServeOptions& options, const Config& config) {
  SampledStream sampled(cli::open_stream(options.sample), options.sample.sample);
  sampled.need_a_row();
  std::vector<Note> notes;
  ColumnChoices choices = options.sample.columns;
  choices.multiclass = !options.model.multiclass.empty();
  const Model model(config, sampled, choices, notes);
  for (const Note& note : notes) tell(Level::info, "columns", {{"note", note.text}});
  return model.to_bytes();
}

Definition definition_of(const cli::ServeOptions& options, std::vector<std::byte>& file) {
  Definition definition;
  definition.config = cli::make_config(options.model);
  if (!options.model_file.empty()) {
    if (options.model.any()) {
      throw Error(ErrorKind::config, "a model file has its configuration; leave the options out");
    }
    file = read_file(options.model_file);
    definition.config = Model::from_bytes(file, options.model_file).config();
  } else if (!options.sample.path.empty()) {
    file = file_for_columns(options, definition.config);
  } else {
    if (options.sample.any_columns() || !options.sample.columns.ignore.empty()) {
      throw Error(ErrorKind::config, "options of columns need --schema FILE");
    }
    if (!options.classes.empty()) definition.classes = options.classes;
  }
  if (definition.config.label_delay > 0) {
    throw Error(ErrorKind::config,
                "a server learns labels when they come; the label delay must be 0");
  }
  if (definition.config.label_budget < 1) {
    throw Error(ErrorKind::config,
                "a server learns every label that comes; the label budget must be 1");
  }
  if (definition.classes.size() < 2) {
    throw Error(ErrorKind::config, "a label has two classes or more");
  }
  if (!file.empty()) {
    definition.file = kFile;
    definition.checksum = sha256(file);
  }
  if (options.false_positive_cost || options.false_negative_cost) {
    definition.costs =
        Costs{options.false_positive_cost.value_or(1), options.false_negative_cost.value_or(1)};
  }
  return definition;
}

}  // namespace

DataFolder::DataFolder(std::string path) : path_(std::move(path)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) {
    throw Error(ErrorKind::io, fmt::format("cannot create the folder: {}", error.message()),
                {.source = path_});
  }
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
}

std::vector<std::string> DataFolder::models() const {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".new")) continue;  // a server was killed while it made it
    if (fs::exists(entry.path() / "definition.json", error)) names.push_back(name);
  }
  return names;
}

void DataFolder::make_model(const cli::ServeOptions& options) const {
  check_model_name(options.name);
  const std::string folder = folder_of(options.name);
  std::error_code error;
  const bool exists = fs::exists(folder + "/definition.json", error);
  if (!options.define_a_model() && (exists || (options.name == "default" && !models().empty()))) {
    return;
  }
  std::vector<std::byte> file;
  const Definition definition = definition_of(options, file);
  if (!exists) {
    ServedModel::create(folder, definition, file);
    tell(Level::info, "model made", {{"model", options.name}});
  } else if (definition.to_json() != Definition::load(folder).to_json()) {
    throw Error(ErrorKind::config,
                fmt::format("the model '{}' is there already, and was made with other options; "
                            "leave them out, or choose another --name",
                            options.name),
                {.source = folder});
  }
}

}  // namespace plumbline::serve

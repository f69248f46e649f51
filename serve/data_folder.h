// The folder of a server: a folder for each model, and a lock, so that two servers cannot use it at once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "serve/definition.h"

namespace plumbline::serve {

// A model before its first label, and the file that it starts from, if any.
struct NewModel {
  Definition definition{};
  std::vector<std::byte> file{};
  // Keeps the file; the definition takes its checksum.
  void set_file(std::vector<std::byte> bytes);
};

class DataFolder {
 public:
  // Makes the folder if there is none. Throws an Error.
  explicit DataFolder(std::string path);
  ~DataFolder();
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  // Throws if another process has the lock.
  void lock();
  std::string folder_of(const std::string& model) const { return path_ + "/" + model; }
  std::vector<std::string> models() const;
  bool has(const std::string& model) const;
  // Makes the model; false if it is there already, with this definition. Throws if it has another one.
  bool make(const std::string& name, const NewModel& model) const;
  void remove(const std::string& model) const;

 private:
  const std::string path_;
  int lock_ = -1;
};

}  // namespace plumbline::serve

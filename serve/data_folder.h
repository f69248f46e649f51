// The folder of a server: a folder for each model, and a lock, so that two servers cannot use it at once.
#pragma once

#include <string>
#include <vector>

#include "cli/options/serve_options.h"
#include "serve/definition.h"

namespace plumbline::serve {

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
  // Makes the model of the options, if there is none of its name and the options, or an empty folder, ask for one.
  // Throws if it exists and is another one.
  void make_model(const cli::ServeOptions& options) const;

 private:
  const std::string path_;
  int lock_ = -1;
};

}  // namespace plumbline::serve

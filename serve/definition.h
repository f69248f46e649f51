// The definition of a served model: what it is before its first label. Written to definition.json in the model's folder
// when it is made, and never changed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/batch.h"
#include "plumbline/config.h"

namespace plumbline::serve {

struct Definition {
  Config config{};
  // Two classes, the negative one first, or several. Only for rows that name their features.
  std::vector<std::string> classes{"0", "1"};
  // The name of the model file in the folder to start from; empty for rows that name their features.
  std::string file{};
  std::string checksum{};  // of that file
  std::optional<Costs> costs{};

  std::string to_json() const;
  // Throws a configuration error that names the source.
  static Definition from_json(std::string_view text, const std::string& source);
  static Definition load(const std::string& folder);
};

// Throws a configuration error for names that could not be part of a path and a URL.
void check_model_name(const std::string& name);

}  // namespace plumbline::serve

// The model file: a safetensors container with metadata and a checksum.
//
// Layout (docs/model_file.md has the details): the header's length as 8 little-endian bytes, a JSON header
// with each tensor's type, shape and position, then the tensors. The metadata are `format`,
// `format_version`, `plumbline_version`, `config`, `schema`, `encoder` (of a model with columns) and `checksum`, the
// XXH64 of the whole file with the checksum's own digits as zeros. Any safetensors reader can open it; reading it
// executes no code.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "plumbline/archive.h"

namespace plumbline::inline v0 {

struct ModelFile {
  std::string config;   // JSON, see config.h
  std::string schema;   // JSON
  std::string encoder;  // JSON; empty for a model without one
  Tensors tensors;
};

std::vector<std::byte> encode(const ModelFile& file);

// Throws a model_file error for a file that is not a model, truncated, altered or too new. `source` names the
// file in messages.
ModelFile decode(std::span<const std::byte> bytes, const std::string& source);

}  // namespace plumbline::inline v0

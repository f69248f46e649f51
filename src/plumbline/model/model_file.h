// The model file: a safetensors container with our metadata and a checksum.
//
// Layout (docs/model_file.md has every detail): the header's length as 8 little-endian bytes, a
// JSON header that names each tensor's type, shape and place, then the tensors. The metadata holds
// `format`, `format_version`, `plumbline_version`, `config`, `schema`, `encoder` (of a model with columns) and
// `checksum`, the XXH64 of the whole file with the checksum's own digits as zeros. Any safetensors reader can open it;
// reading runs no code.
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

// Throws a model_file error that says whether the file is foreign, truncated, altered or too new.
// `source` names the file in messages.
ModelFile decode(std::span<const std::byte> bytes, const std::string& source);

}  // namespace plumbline::inline v0

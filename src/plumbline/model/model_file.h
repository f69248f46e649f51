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
#include "plumbline/error.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

struct ModelFile {
  std::string config;   // JSON, see config.h
  std::string schema;   // JSON
  std::string encoder;  // JSON; empty for a model without one
  Tensors tensors;
  std::string position{};  // the caller's; empty for none
};

std::vector<std::byte> encode(const ModelFile& file);

// Throws a model_file error for a file that is not a model, truncated, altered or too new. `source` names the
// file in messages.
ModelFile decode(std::span<const std::byte> bytes, const std::string& source);

// The key of the configuration that only files of an OnlineCalibrator have.
inline constexpr const char* kCalibratorKey = "score_inputs";
bool is_calibrator(const ModelFile& file);

std::string schema_to_json(const Schema& schema);
// Throws a model_file error if it is malformed.
Schema schema_from_json(const std::string& text, const std::string& source);

// Rethrows errors about the content of a model file as errors of that file.
template <class Body>
auto with_source(const std::string& source, const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::model_file && !error.where().source.empty()) throw;
    throw Error(ErrorKind::model_file, error.what(), {.source = source});
  }
}

}  // namespace plumbline::inline v0

// Whole files, safely: a write leaves the old file or the new one, never half of it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace plumbline {

// Throws an io error for a path with a NUL byte: the system would take what precedes it for the whole. `verb`
// stands in the message: "cannot write …".
void check_path(const std::string& path, const char* verb);

// Throws an io error that says why the file cannot be read.
std::vector<std::byte> read_file(const std::string& path);

// Throws an io error if `write_file` could not write there now: no such folder, no permission.
void check_writable(const std::string& path);

// Writes beside the target, syncs, and renames; on failure the target is as it was.
void write_file(const std::string& path, std::span<const std::byte> bytes);

}  // namespace plumbline

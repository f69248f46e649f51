// Whole files, safely: a write leaves the old file or the new one, never half of it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace plumbline::inline v0 {

// Throws an io error for a path with a NUL byte: the system would take what precedes it for the whole. `verb`
// stands in the message: "cannot write …".
void check_path(const std::string& path, const char* verb);

// Throws an io error that says why the file cannot be read.
std::vector<std::byte> read_file(const std::string& path);

// Throws an io error if `write_file` could not write there now: no such folder, no permission.
void check_writable(const std::string& path);

// Writes a temporary file beside the target, syncs it, and renames it; on failure the target is as it
// was. A symbolic link stays one: the file that it points to is written. Temporary files of processes
// that were killed in the middle of this are removed by the next write of the same target.
void write_file(const std::string& path, std::span<const std::byte> bytes);

}  // namespace plumbline::inline v0

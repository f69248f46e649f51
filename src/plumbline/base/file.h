// Reading and atomic writing of whole files: a write leaves the old file or the new one, never a part.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace plumbline::inline v0 {

// Throws an io error for a path with a NUL byte, which the system would cut off there. `verb` appears in the
// message: "cannot write …".
void check_path(const std::string& path, const char* verb);

// Throws an io error with the reason if the file cannot be read.
std::vector<std::byte> read_file(const std::string& path);

// Throws an io error if `write_file` could not write there now: no such folder, no permission.
void check_writable(const std::string& path);

// Writes a temporary file in the target's folder, syncs it, and renames it; on failure the target is
// unchanged. A symbolic link stays in place, and the file that it points to is written. Temporary files
// of processes that were killed while writing are removed by the next write of the same target.
void write_file(const std::string& path, std::span<const std::byte> bytes);

}  // namespace plumbline::inline v0

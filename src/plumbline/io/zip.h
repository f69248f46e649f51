// A zip archive with one member, as data sets are published. Folders and what macOS adds ("__MACOSX/") do not count.
//
// The directory at the end of the archive is read first, so that an archive with several members is refused before any
// row is read. One that comes through a pipe is copied to a temporary file for that. Stored and deflated members are
// read, also of zip64; encrypted ones are not.
#pragma once

#include <memory>
#include <string>

#include "plumbline/io/source.h"

namespace plumbline::inline v0 {

// Throws a data error if there is not exactly one member that can be read; `name` stands in messages.
std::unique_ptr<Source> unpack_zip(std::unique_ptr<Source> packed, const std::string& name);

}  // namespace plumbline::inline v0

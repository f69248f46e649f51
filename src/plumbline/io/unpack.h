// Sources that unpack what another source gives: gzip, zstd, bzip2 and xz. A zip archive is for io/zip.h.
//
// Reading throws a data error if the packing is damaged or ends too early; `name` stands in messages.
#pragma once

#include <memory>
#include <string>

#include "plumbline/io/source.h"

namespace plumbline::inline v0 {

std::unique_ptr<Source> unpack_gzip(std::unique_ptr<Source> packed, const std::string& name);
std::unique_ptr<Source> unpack_zstd(std::unique_ptr<Source> packed, const std::string& name);
std::unique_ptr<Source> unpack_bzip2(std::unique_ptr<Source> packed, const std::string& name);
std::unique_ptr<Source> unpack_xz(std::unique_ptr<Source> packed, const std::string& name);

}  // namespace plumbline::inline v0

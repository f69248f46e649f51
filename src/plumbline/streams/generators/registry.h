// The table of stream generators; to add one, see CONTRIBUTING.md.
#pragma once

#include <cstdint>

#include "plumbline/core/registry.h"
#include "plumbline/streams/stream.h"

namespace plumbline {

// Generators are made for a seed.
using GeneratorRegistry = Registry<Stream, std::uint64_t>;
const GeneratorRegistry& generators();

}  // namespace plumbline

// The table of stream generators; to add one, see CONTRIBUTING.md.
#pragma once

#include <cstdint>

#include "plumbline/base/registry.h"
#include "plumbline/generators/generator.h"

namespace plumbline {

// Generators are made for a seed.
using GeneratorRegistry = Registry<Generator, NoTraits, std::uint64_t>;
const GeneratorRegistry& generators();

}  // namespace plumbline

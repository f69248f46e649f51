// The table of stream generators; to add one, see CONTRIBUTING.md.
#pragma once

#include <cstdint>

#include "plumbline/generators/generator.h"
#include "plumbline/registry.h"

namespace plumbline::inline v0 {

// The constructor argument is the seed.
using GeneratorRegistry = Registry<Generator, NoTraits, std::uint64_t>;
const GeneratorRegistry& generators();

}  // namespace plumbline::inline v0

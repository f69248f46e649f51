// A source that is read by a thread of its own, some buffers ahead: unpacking and learning overlap.
// The bytes are the same. Memory: a few buffers.
//
// For files only: a thread that waits for a pipe could not be stopped.
#pragma once

#include <memory>

#include "plumbline/streams/source.h"

namespace plumbline {

std::unique_ptr<Source> read_ahead(std::unique_ptr<Source> source);

}  // namespace plumbline

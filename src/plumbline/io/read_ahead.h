// A reader that a thread of its own keeps some blocks of rows ahead: reading, unpacking, splitting rows
// and finding the numbers in them overlap with learning. What rows mean is left to the thread that
// asks for them, so that nothing is learned from a row before it is asked for.
//
// The rows, their lines and what is wrong with some of them are the same, in the same order. Memory: a
// few blocks of some hundred rows, or of one row that is larger. No allocation once the blocks have
// been filled.
//
// For files only: a thread that waits for a pipe could not be stopped.
#pragma once

#include <memory>

#include "plumbline/stream.h"

namespace plumbline::inline v0 {

// The reader itself if no thread can be started.
std::unique_ptr<Stream> read_ahead(std::unique_ptr<Stream> reader);

}  // namespace plumbline::inline v0

// Shell scripts that complete the verbs, options and values of the program.
//
// Each calls the program itself: `__complete` with the words up to the cursor (cli/shell/complete.h).
#pragma once

#include "cli/options/verb.h"

namespace plumbline::cli {

// `completions SHELL`
Verb completions_verb();

}  // namespace plumbline::cli

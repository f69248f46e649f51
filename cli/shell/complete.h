// Completion of a command line, for the scripts of the shells (cli/shell/completions.h).
//
// Each line of the answer is a word that may replace the one at the cursor, and its meaning after a tab. `:files`
// and `:folders` request the shell's own completions. The shell filters by the letters before the cursor.
#pragma once

#include <string>

#include "cli/options/verb.h"

namespace plumbline::cli {

// The last word is the one at the cursor; it may be empty.
std::string complete(const Verb& program, Words words);

// `__complete -- WORD...`, hidden
Verb complete_verb();

}  // namespace plumbline::cli

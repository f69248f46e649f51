// The program: parses its command line and runs a verb, or prints an answer.
//
// A mistake is reported on standard error by one line, with the nearest known name, and a hint where to read on.
// Without any arguments the help is written to standard error and the program fails, so that a script that lost its
// arguments fails too.
#pragma once

#include "cli/options/verb.h"

namespace plumbline::cli {

// Returns the exit code; errors of the verb are thrown. `called_by` is the path of the program.
int run_program(const Verb& program, const std::string& called_by, const Words& words);

}  // namespace plumbline::cli

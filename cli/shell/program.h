// The program as a whole: reads its command line and does the work of a verb, or answers.
//
// An answer to a mistake goes to standard error and is one line and a hint where to read on: what is wrong, and
// the nearest name that is known. Without any arguments the help goes there: a person sees what there is, and a
// script that lost its arguments fails.
#pragma once

#include "cli/options/verb.h"

namespace plumbline::cli {

// Returns the exit code; an error in the work of the verb is thrown. `called_by` is the path of the program.
int run_program(const Verb& program, const std::string& called_by, const Words& words);

}  // namespace plumbline::cli

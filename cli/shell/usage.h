// What the program answers when it is asked for help, and to a command line that it cannot take.
//
// An answer to a mistake goes to standard error and is one line and a hint where to read on: what is
// wrong, and the nearest name that is known. Without any arguments the help goes there: a person sees
// what there is, and a script that lost its arguments fails.
#pragma once

#include <CLI/CLI.hpp>

namespace plumbline::cli {

// Prints the answer to what CLI11 threw; returns the exit code.
int answer(const CLI::App& program, const CLI::ParseError& error);
// The lines of --version: what was built, with what.
std::string version_text();

}  // namespace plumbline::cli

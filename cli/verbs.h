// The verbs of the command line tool: one file each.
#pragma once

#include <CLI/CLI.hpp>

namespace plumbline::cli {

// Adds the verb to the program; its work runs while CLI11 parses.
void add_demo(CLI::App& program);
void add_generate(CLI::App& program);

}  // namespace plumbline::cli

// The verbs of the command line tool: one file each.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace plumbline::cli {

// Adds the verb to the program; its work runs while CLI11 parses.
void add_demo(CLI::App& program);
void add_generate(CLI::App& program);
// The path is the one that the program was called by.
void add_run(CLI::App& program, const std::string& program_path);
void add_predict(CLI::App& program);
void add_compare(CLI::App& program);
void add_paper(CLI::App& program);
void add_inspect(CLI::App& program);
void add_datasets(CLI::App& program);
void add_config(CLI::App& program);
// These tell of the other verbs, so they are added last.
void add_completions(CLI::App& program);
void add_man(CLI::App& program);
void add_help(CLI::App& program);

}  // namespace plumbline::cli

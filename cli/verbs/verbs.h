// The verbs of the command line tool, one file each.
#pragma once

#include <vector>

#include "cli/options/verb.h"

namespace plumbline::cli {

Verb run_verb();
Verb predict_verb();
Verb calibrate_verb();
Verb compare_verb();
Verb paper_verb();
Verb inspect_verb();
Verb config_verb();
Verb datasets_verb();
Verb generate_verb();
Verb demo_verb();
Verb serve_verb();
Verb kafka_verb();

// "run kafka://…" as the words of the verb `kafka`; other words as they are.
Words with_kafka_verb(Words words);

// The program with all its verbs, in the order of the help.
Verb plumbline_program();

// The tool: runs the program with the arguments of `main`, and reports errors. Returns the exit code.
int run_tool(int argc, char** argv);

}  // namespace plumbline::cli

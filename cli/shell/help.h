// The help of a verb, generated from its table: each option with its value, meaning and default.
#pragma once

#include <string>

#include "cli/options/verb.h"

namespace plumbline::cli {

// "plumbline run [OPTIONS] file"
std::string usage(const VerbPath& path);
std::string help_text(const VerbPath& path);

// Adds the option --help to the verb and its subverbs.
void add_help_option(Verb& verb);

// `help VERB`
Verb help_verb();

}  // namespace plumbline::cli

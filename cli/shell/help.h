// The help of a verb, written from its table: each option, its value, its meaning and its default.
#pragma once

#include <string>

#include "cli/options/verb.h"

namespace plumbline::cli {

// "plumbline run [OPTIONS] file"
std::string usage(const VerbPath& path);
std::string help_text(const VerbPath& path);

// Gives the verb and all below it the option --help.
void add_help_option(Verb& verb);

// `help VERB`
Verb help_verb();

}  // namespace plumbline::cli

// The manual page, generated from the same table as the help.
#pragma once

#include <string>

#include "cli/options/verb.h"

namespace plumbline::cli {

// `man`
Verb man_verb();

}  // namespace plumbline::cli

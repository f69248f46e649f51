// Scripts that let a shell complete the verbs, options and values of the program.
//
// Each is tables of the program's verbs and options (cli/shell/tree.h), and a little code of the shell that
// finds out where on the command line the cursor is. They do not run the program.
#pragma once

#include <string>
#include <string_view>

#include "cli/shell/tree.h"

namespace plumbline::cli {

std::string bash_script(const Verb& top);
std::string zsh_script(const Verb& top);
std::string fish_script(const Verb& top);

std::string replace_all(std::string text, std::string_view from, std::string_view to);
// One word of bash or zsh, whatever is in it.
std::string quote(const std::string& text);

}  // namespace plumbline::cli

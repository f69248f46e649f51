#include "cli/shell/completions.h"

#include <memory>

#include "cli/options/command_line.h"
#include "cli/options/value.h"
#include "cli/output/output.h"

namespace plumbline::cli {
namespace {

// In the scripts, PROGRAM stands for the name of the program.
constexpr std::string_view kBash =
    R"~(# Completion of PROGRAM for bash, written by `PROGRAM completions bash`.
# To try it:  source <(PROGRAM completions bash)
# To keep it: PROGRAM completions bash > ~/.local/share/bash-completion/completions/PROGRAM
# (needs the package bash-completion; without it, source the file in ~/.bashrc)

_PROGRAM() {
  local current=${COMP_WORDS[COMP_CWORD]} words=() joins='' word offer
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    # Bash cuts --option=value and name:key=value into words at = and :.
    if ((${#words[@]})) && [[ $joins || $word == [=:]* ]]; then words[-1]+=$word; else words+=("$word"); fi
    if [[ $word == [=:]* ]]; then joins=yes; else joins=''; fi
  done
  if [[ $joins ]]; then current=''; fi
  COMPREPLY=()
  while IFS=$'\t' read -r offer _; do
    case $offer in
      :files | :folders)
        compopt -o filenames 2>/dev/null || :  # not while completing: a test
        if [[ $offer == :files ]]; then word=file; else word=directory; fi
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -A "$word" -- "$current")
        ;;
      "${words[-1]}"*) COMPREPLY+=("${offer#"${words[-1]%"$current"}"}") ;;
    esac
  done < <("${1/#\~/$HOME}" __complete -- "${words[@]}" 2>/dev/null)
  if [[ ${COMPREPLY[0]-} == *= ]]; then compopt -o nospace 2>/dev/null || :; fi
}

complete -F _PROGRAM PROGRAM
)~";

constexpr std::string_view kZsh = R"~(#compdef PROGRAM
# Completion of PROGRAM for zsh, written by `PROGRAM completions zsh`.
# To try it (after compinit): source <(PROGRAM completions zsh)
# To keep it: PROGRAM completions zsh > DIR/_PROGRAM, where DIR is a folder of $fpath

_PROGRAM() {
  local offer
  local -a offers unfinished
  for offer in ${(f)"$(${~words[1]} __complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)"}; do
    case $offer in
      :files) compset -P 1 '--*='; _files ;;
      :folders) compset -P 1 '--*='; _files -/ ;;
      *=) unfinished+=("${offer//:/\\:}") ;;
      *) offers+=("${${offer//:/\\:}/$'\t'/:}") ;;
    esac
  done
  _describe PROGRAM offers -- unfinished -S ''
}

# Loaded by compinit, the file is the function's body; sourced, it only defines it.
if [[ $funcstack[1] == _PROGRAM ]]; then
  _PROGRAM "$@"
else
  compdef _PROGRAM PROGRAM
fi
)~";

constexpr std::string_view kFish =
    R"~(# Completion of PROGRAM for fish, written by `PROGRAM completions fish`.
# To try it:  PROGRAM completions fish | source
# To keep it: PROGRAM completions fish > ~/.config/fish/completions/PROGRAM.fish

function __PROGRAM_offers
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    set -l option (string match -r -- '^--[^=]*=' $token)
    set -l rest (string replace -r -- '^--[^=]*=' '' $token)
    for offer in (eval (string escape -n -- $words[1]) __complete -- (string escape -- $words[2..] $token) 2>/dev/null)
        switch $offer
            case ':files'
                printf "$option%s\n" (__fish_complete_path $rest)
            case ':folders'
                printf "$option%s\n" (__fish_complete_directories $rest)
            case '*'
                printf '%s\n' $offer
        end
    end
end

complete -c PROGRAM -f -a '(__PROGRAM_offers)'
)~";

std::string script(const std::string& shell, const std::string& program) {
  std::string text(shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish);
  constexpr std::string_view kName = "PROGRAM";
  for (std::size_t at = 0; (at = text.find(kName, at)) != std::string::npos; at += program.size()) {
    text.replace(at, kName.size(), program);
  }
  return text;
}

}  // namespace

Verb completions_verb() {
  const auto shell = std::make_shared<std::string>();
  return {.name = "completions",
          .summary = "Write a script that completes verbs, options and values in your shell",
          .group = "Help",
          .positionals = {{.names = {"shell"},
                           .help = "Your shell",
                           .choices = {"bash", "zsh", "fish"},
                           .required = true,
                           .value = text(*shell)}},
          .examples = {"source <(plumbline completions bash)",
                       "plumbline completions fish > ~/.config/fish/completions/plumbline.fish"},
          .run = [shell](const CommandLine& line) { print(script(*shell, line.program().name)); }};
}

}  // namespace plumbline::cli

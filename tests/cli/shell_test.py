"""The command line seen from a shell: completion in real shells, the manual page, and answers to
slips of the hand. Usage: shell_test.py PATH_OF_PLUMBLINE PATH_OF_SAMPLE_PROGRAM.

The sample program has every kind of verb and option; plumbline has the real ones. Shells and
checkers of manual pages that are not installed are skipped with a message.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

SAMPLE = sys.argv.pop()
PLUMBLINE = sys.argv.pop()

# What stands on the command line before the cursor, and what is offered there.
VERBS = {"run", "store", "completions", "man", "help"}
RUN_OPTIONS = {
    "-h", "--help", "--learner", "--format", "-m", "--model", "--folder", "--column", "--rate", "-q",
    "--quiet", "--in-group",
}
FILES = {"data.csv", "folder/"}
SAMPLE_CASES = [
    ("sample ", VERBS),
    ("sample st", {"store"}),
    ("sample run --le", {"--learner"}),
    ("sample run --learner ", {"logistic", "linear_svm"}),
    ("sample run --learner lo", {"logistic"}),
    ("sample run --format ", {"csv", "json"}),
    ("sample run --rate ", set()),
    ("sample run --column ", set()),
    ("sample run --model ", FILES),
    ("sample run -m ", FILES),
    ("sample run --folder ", {"folder/"}),
    ("sample run ", FILES),
    ("sample run data.csv ", FILES),
    ("sample run --quiet ", FILES),
    ("sample run --learner logistic --format j", {"json"}),
    ("sample run --secr", set()),
    ("sample run --in-group ", {"one", "two"}),
    ("sample run --in-group one ", {"one", "two"} | FILES),
    ("sample run --nonsense data.csv --fo", {"--format", "--folder"}),
    ("sample nonsense ", set()),
    ("sample store ", {"list", "get"}),
    ("sample store list --lo", {"--long-list"}),
    ("sample store get ", {"forest", "weather"}),
    ("sample store get forest ", set()),
    ("sample completions ", {"bash", "zsh", "fish"}),
    ("sample help st", {"store"}),
    ("sample help store ", {"list", "get"}),
]
PLUMBLINE_CASES = [
    ("plumbline gen", {"generate"}),
    ("plumbline demo --learner gau", {"gaussian_nb"}),
    ("plumbline generate wave", {"waveform"}),
    ("plumbline generate sea -n 5 --drift-to wave", {"waveform"}),
    ("plumbline compare data.csv --policy ucb1 thomp", {"thompson"}),
    ("plumbline datasets verify fo", {"forest"}),
    ("plumbline run --preset li", {"literal"}),
]
# Words that bash cuts at = and :, so that it completes only their ends.
SPEC_CASES = [
    ("plumbline run --learner logistic:pen", {"logistic:penalty="}),
    ("plumbline run --learner logistic:penalty=l", {"logistic:penalty=l1", "logistic:penalty=l2"}),
    ("plumbline run --learner logistic:alpha=1,pen", {"logistic:alpha=1,penalty="}),
    ("plumbline run --learner=logistic:pen", {"--learner=logistic:penalty="}),
    ("plumbline run --learner nonsense:", set()),
]


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


def output_of(*command, **options):
    done = run(*command, **options)
    assert done.returncode == 0 and done.stderr == "", (command, done.stderr)
    return done.stdout


def verbs_of(program):
    """The verbs in the program's help, and those below them: [], ["run"], ["store", "get"]."""
    found = []
    waiting = [[]]
    while waiting:
        path = waiting.pop(0)
        found.append(path)
        text = output_of(program, *path, "--help")
        if " VERB\n" in text or " SUBCOMMAND\n" in text:
            groups = text[text.index("Options:") :].split("\n\n")[1:]
            names = re.findall(r"^  ([a-z]+)(?:, [a-z]+)* +[A-Z]", "\n\n".join(groups), re.M)
            waiting += [path + [name] for name in names]
    return found


class Shell(unittest.TestCase):
    """A folder with a file and a folder in it, and the scripts of both programs."""

    shell = "bash"

    def setUp(self):
        if shutil.which(self.shell) is None:
            print(f"SKIPPED: {self.shell} is not installed", file=sys.stderr)
            self.skipTest(f"{self.shell} is not installed")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = folder.name
        self.work = os.path.join(folder.name, "work")
        os.makedirs(os.path.join(self.work, "folder"))
        open(os.path.join(self.work, "data.csv"), "w").close()
        self.scripts = {}
        for name, program in [("plumbline", PLUMBLINE), ("sample", SAMPLE)]:
            self.scripts[name] = os.path.join(folder.name, "_" + name)
            with open(self.scripts[name], "w") as script:
                script.write(output_of(program, "completions", self.shell))
            os.symlink(os.path.abspath(program), os.path.join(folder.name, name))
        self.environment = {"PATH": folder.name + ":" + os.environ["PATH"], "HOME": folder.name,
                            "TERM": "dumb"}

    def script_for(self, line):
        return self.scripts[line.split()[0]]

    def output(self, *command):
        return output_of(*command, cwd=self.work, env=self.environment)


class Bash(Shell):
    shell = "bash"

    def complete(self, *words):
        """What the function puts into COMPREPLY; `words` as bash itself would cut the line."""
        code = f"""
          source {shlex.quote(self.scripts[words[0]])}
          COMP_WORDS=({shlex.join(words)}) COMP_CWORD={len(words) - 1}
          _{words[0]} {words[0]}
          printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        return set(self.output("bash", "-eu", "-c", code).split())

    def test_offers_what_fits(self):
        for line, expected in SAMPLE_CASES + PLUMBLINE_CASES:
            offered = self.complete(*re.split(r"\s+", line))
            self.assertEqual(offered, {name.rstrip("/") for name in expected}, line)

    def test_offers_the_options_of_a_verb(self):
        self.assertEqual(self.complete("sample", "run", "-"), RUN_OPTIONS)
        self.assertEqual(self.complete("sample", "-"), {"-h", "--help"})

    def test_knows_that_bash_cuts_words_at_equals_signs_and_colons(self):
        both = {"logistic", "linear_svm"}
        self.assertEqual(self.complete("sample", "run", "--learner", "="), both)
        self.assertEqual(self.complete("sample", "run", "--learner", "=", "li"), {"linear_svm"})
        spec = ["logistic", ":", "rate", "=", "1"]
        self.assertEqual(self.complete("sample", "run", "--learner", *spec[:2]), set())
        self.assertEqual(self.complete("sample", "run", "--learner", *spec[:3]), set())
        self.assertEqual(self.complete("sample", "run", "--learner", *spec[:4]), set())
        self.assertEqual(self.complete("sample", "run", "--learner", *spec), set())
        self.assertEqual(self.complete("sample", "run", "--learner", *spec, "--fo"),
                         {"--format", "--folder"})
        self.assertEqual(self.complete("sample", "store", "get", *spec, ""), set())

    def test_completes_the_options_of_a_component(self):
        for line, expected in SPEC_CASES:
            words = [piece for word in line.split() for piece in re.findall(r"[=:]|[^=:]+", word)]
            cut = re.match(r".*[=:]", line.split()[-1])
            ends = {word[cut.end():] for word in expected}
            self.assertEqual(self.complete(*words), ends, line)

    def test_after_two_dashes_there_are_no_options(self):
        self.assertEqual(self.complete("sample", "run", "--", "-"), set())
        self.assertEqual(self.complete("sample", "run", "--", "da"), {"data.csv"})

    def test_is_bound_to_the_name(self):
        code = f"source {shlex.quote(self.scripts['sample'])}; complete -p sample"
        self.assertEqual(self.output("bash", "-c", code), "complete -F _sample sample\n")


class Fish(Shell):
    shell = "fish"

    def complete(self, line):
        code = f"source {shlex.quote(self.script_for(line))}; complete -C {shlex.quote(line)}"
        lines = self.output("fish", "--no-config", "-c", code).splitlines()
        return {line.split("\t")[0] for line in lines}

    def test_offers_what_fits(self):
        for line, expected in SAMPLE_CASES + PLUMBLINE_CASES + SPEC_CASES:
            offered = self.complete(line)
            self.assertEqual(offered, expected, line)

    def test_offers_the_options_of_a_verb(self):
        self.assertEqual(self.complete("sample run -"), RUN_OPTIONS)

    def test_takes_values_behind_an_equals_sign(self):
        self.assertEqual(self.complete("sample run --format=j"), {"--format=json"})
        self.assertEqual(self.complete("sample run --model=da"), {"--model=data.csv"})

    def test_tells_what_is_meant(self):
        code = f"source {shlex.quote(self.scripts['sample'])}; complete -C 'sample store l'"
        self.assertEqual(self.output("fish", "--no-config", "-c", code), "list\tList them\n")


# Types each line and a tab into a real zsh, and prints the lines that come of it.
ZSH_TYPIST = """
zmodload zsh/zpty
typeset setup=$1 output='' piece line
zpty typist zsh -f -i
zpty -w typist $setup
until [[ $output == *READY* ]]; do zpty -r typist piece; output+=$piece; done
for line in ${@[2,-1]}; do
  zpty -w -n typist $line$'\\t\\x14'
  output=''
  until [[ $output == *\\<\\<*\\>\\>* ]]; do zpty -r typist piece; output+=$piece; done
  print -r -- ${${output#*\\<\\<}%%\\>\\>*}
done
zpty -d typist
"""


class Zsh(Shell):
    shell = "zsh"

    def complete(self, lines):
        sources = "".join(f"source {shlex.quote(path)};" for path in self.scripts.values())
        setup = (
            "PS1= ; unsetopt zle_bracketed_paste list_beep prompt_cr;"
            f"autoload -U compinit; compinit -u -D; {sources}"
            'show() { print -r -- "<""<$BUFFER>"">"; BUFFER= };'
            "zle -N show; bindkey '^T' show; print REA''DY"
        )
        return self.output("zsh", "-f", "-c", ZSH_TYPIST, "zsh", setup, *lines).splitlines()

    def test_the_scripts_are_correct_zsh(self):
        for script in self.scripts.values():
            self.output("zsh", "-n", script)

    def test_completes_what_is_the_only_choice(self):
        cases = [
            ("sample st", "sample store "),
            ("sample run --le", "sample run --learner "),
            ("sample run --learner lo", "sample run --learner logistic "),
            ("sample run --learner=li", "sample run --learner=linear_svm "),
            ("sample run --format j", "sample run --format json "),
            ("sample run -m da", "sample run -m data.csv "),
            ("sample run --folder ", "sample run --folder folder/"),
            ("sample run --rate ", "sample run --rate "),
            ("sample run da", "sample run data.csv "),
            ("sample run data.csv da", "sample run data.csv data.csv "),
            ("sample run --in", "sample run --in-group "),
            ("sample run --model=da", "sample run --model=data.csv "),
            ("sample run --folder=", "sample run --folder=folder/"),
            ("sample run --secr", "sample run --secr"),
            ("sample store li", "sample store list "),
            ("sample store list --lo", "sample store list --long-list "),
            ("sample store get wea", "sample store get weather "),
            ("sample completions f", "sample completions fish "),
            ("plumbline gen", "plumbline generate "),
            ("plumbline demo --learner gau", "plumbline demo --learner gaussian_nb "),
            ("plumbline generate wave", "plumbline generate waveform "),
            ("plumbline run --learner logistic:pen", "plumbline run --learner logistic:penalty="),
            ("plumbline run --learner logistic:penalty=n", "plumbline run --learner logistic:penalty=none "),
        ]
        completed = self.complete([line for line, _ in cases])
        self.assertEqual(completed, [expected for _, expected in cases])


class Man(unittest.TestCase):
    def pages(self):
        for program in (PLUMBLINE, SAMPLE):
            yield program, output_of(program, "man", env={"SOURCE_DATE_EPOCH": "0"})

    def test_holds_every_verb_and_option_of_the_help(self):
        for program, page in self.pages():
            plain = re.sub(r"\\f[BIR]", "", page).replace("\\-", "-")
            verbs = verbs_of(program)
            self.assertIn(["completions"], verbs)
            for path in verbs:
                if path:
                    self.assertIn(f".SS {' '.join(path)}\n", plain)
                text = output_of(program, *path, "--help")
                # The options stand at the start of their lines.
                for option in re.findall(r"^ +(?:-\w,)?(--[\w-]+)", text, re.M):
                    self.assertRegex(plain, rf"(?m)^(-\w, )?{option}\b", path)

    def test_the_sample_has_all_verbs(self):
        paths = [["run"], ["store"], ["completions"], ["man"], ["help"]]
        self.assertEqual(verbs_of(SAMPLE), [[], *paths, ["store", "list"], ["store", "get"]])

    def test_has_the_usual_sections(self):
        for _, page in self.pages():
            self.assertEqual(
                re.findall(r"^\.SH (.*)", page, re.M),
                ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "VERBS", "EXIT STATUS",
                 "ENVIRONMENT", "FILES", "EXAMPLES"],
            )
            self.assertIn(" 1 1970-01-01 ", page)

    def test_reads_as_it_was_written(self):
        if shutil.which("mandoc") is None:
            self.skipTest("mandoc is not installed")
        page = output_of(SAMPLE, "man")
        text = output_of("mandoc", "-Tutf8", "-Owidth=100", input=page)
        text = re.sub(".\b", "", text)  # bold and underlined letters
        for part in [
            "Don't \"quote\" [this]: `it` \\ costs $1 … ± 5 %.",
            "Who learns: 'a' [b]. Known: logistic, linear_svm.",
            ".leading dot. One of: csv, json.",
            "  .a line that begins with a dot",
            "-m, --model FILE",
            "A number. Above 0. Default: 0.5. Only with --model. Not with --quiet.",
            "sample run data.csv | head",
        ]:
            self.assertIn(part, text)
        self.assertNotIn("secret", text)

    def test_checkers_find_nothing(self):
        checkers = [
            ["mandoc", "-Tlint", "-Wall"],
            ["groff", "-k", "-man", "-ww", "-Tutf8", "-z"],
            ["man", "--warnings", "-l", "-"],
        ]
        for checker in checkers:
            if shutil.which(checker[0]) is None:
                print(f"SKIPPED: {checker[0]} is not installed", file=sys.stderr)
                continue
            for program, page in self.pages():
                done = run(*checker, input=page, env={**os.environ, "LC_ALL": "C.UTF-8"})
                complaints = done.stderr + (done.stdout if "lint" in checker[1] else "")
                self.assertEqual(complaints, "", (program, checker))


class Usage(unittest.TestCase):
    def expect_answer(self, arguments, *lines, program=PLUMBLINE):
        done = run(program, *arguments)
        self.assertEqual(done.returncode, 2, arguments)
        self.assertEqual(done.stdout, "", arguments)
        self.assertEqual(done.stderr.splitlines(), list(lines), arguments)

    def test_an_unknown_verb_gets_the_nearest_one(self):
        known = "known: run, store, completions, man, help"
        hint = "run 'sample --help' for usage"
        for arguments in [["rnu"], ["rnu", "--help"], ["rnu", "data.csv", "--learner", "x"]]:
            first = f"sample: unknown verb 'rnu'; did you mean 'run'? {known}"
            self.expect_answer(arguments, first, hint, program=SAMPLE)
        self.expect_answer(["xyzzy"], f"sample: unknown verb 'xyzzy'; {known}", hint, program=SAMPLE)
        self.expect_answer(
            ["store", "lits"],
            "sample: unknown verb 'lits'; did you mean 'list'? known: list, get",
            "run 'sample store --help' for usage",
            program=SAMPLE,
        )

    def test_an_unknown_option_gets_the_nearest_one_of_its_verb(self):
        hint = "run 'plumbline generate --help' for usage"
        unknown = "plumbline: unknown option '{}' of generate"
        meant = unknown + "; did you mean '--{}'?"
        for arguments, line in [
            # --examples is missing too, but that is not what went wrong.
            (["sea", "--exmaples", "5"], meant.format("--exmaples", "examples")),
            (["sea", "--exampels=5"], meant.format("--exampels", "examples")),
            (["sea", "-n", "5", "-seed", "3"], meant.format("-seed", "seed")),
            (["sea", "-n", "5", "--xyzzy"], unknown.format("--xyzzy")),
            (["sea", "-n", "5", "-x"], unknown.format("-x")),
        ]:
            self.expect_answer(["generate", *arguments], line, hint)
        self.expect_answer(
            ["--versoin", "demo"],
            "plumbline: unknown option '--versoin' of plumbline; did you mean '--version'?",
            "run 'plumbline --help' for usage",
        )
        self.expect_answer(
            ["run", "data.csv", "--in-gruop", "3"],
            "sample: unknown option '--in-gruop' of run; did you mean '--in-group'?",
            "run 'sample run --help' for usage",
            program=SAMPLE,
        )

    def test_other_mistakes_get_a_sentence_and_a_hint(self):
        hint = "run 'plumbline generate --help' for usage"
        for arguments, line in [
            (["sea"], "plumbline: --examples is required"),
            (["sea", "-n"], "plumbline: --examples needs a value"),
            (["sea", "-n", "5", "more"], "plumbline: unexpected argument 'more'"),
        ]:
            self.expect_answer(["generate", *arguments], line, hint)

    def test_without_a_verb_the_help_goes_to_standard_error(self):
        for program, arguments in [(PLUMBLINE, []), (SAMPLE, []), (SAMPLE, ["store"])]:
            done = run(program, *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr, output_of(program, *arguments, "--help"))

    def test_help_of_a_verb_is_its_help(self):
        for program in (PLUMBLINE, SAMPLE):
            for path in verbs_of(program):
                self.assertEqual(
                    output_of(program, "help", *path), output_of(program, *path, "--help")
                )
        done = run(PLUMBLINE, "help", "dmeo")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("unknown verb 'dmeo'; did you mean 'demo'?", done.stderr)

    def test_version_says_what_was_built_with_what(self):
        lines = output_of(PLUMBLINE, "--version").splitlines()
        self.assertRegex(lines[0], r"^plumbline \d+\.\d+\.\d+$")
        self.assertRegex(lines[1], r"^built by (gcc|clang) \d+\.\d+.*, build type \w+$")
        for line, library in zip(lines[2:], ["fmt", "nlohmann-json", "zlib", "zstd"]):
            self.assertRegex(line, rf"^{library} \d+\.\d+\.\d+$")
        self.assertEqual(len(lines), 6)

    def test_a_full_disk_is_an_io_error(self):
        with open("/dev/full", "w") as full:
            for arguments in (["man"], ["completions", "bash"], ["help", "demo"]):
                done = subprocess.run([PLUMBLINE, *arguments], stdout=full, stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, 5, arguments)


del Shell  # only its subclasses are tests

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

"""Every verb's standard output, standard error and exit code, as files in golden/.

PLUMBLINE_UPDATE_GOLDEN=1 writes them anew. Times and rates are replaced before the comparison.
"""

import os
import re
import shlex

from support import HERE, InFolder, main, run

GOLDEN = HERE / "golden"
SETUP = [
    "generate sea -n 1000 > sea.csv",
    "generate agrawal -n 600 --seed 2 > agrawal.csv",
    "generate waveform -n 400 > waveform.csv",
    "run sea.csv --preset paper --save model --progress none --predictions scores.csv > setup.txt",
]
# One file each; a file holds some commands that belong together.
SCRIPTS = {
    "help": ["--help", "run --help", "predict --help", "calibrate --help", "compare --help", "serve --help", "kafka --help", "paper --help", "inspect --help",
             "config --help", "datasets --help", "datasets list --help", "generate --help",
             "demo --help", "completions --help", "man --help"],
    "run": ["run sea.csv", "run sea.csv --preset paper --progress none",
            "run agrawal.csv --learner logistic --learners 5 --policy fixed:every=4",
            "run sea.csv --json --progress none --limit 200"],
    "predict": ["predict sea.csv --model model --limit 5",
                "predict sea.csv --model model --skip 998 --no-names"],
    "calibrate": ["calibrate scores.csv --score score --label label --save calibrator",
                  "calibrate scores.csv --score score,probability --label label --json --limit 200",
                  "calibrate scores.csv --load calibrator --skip 995 --predictions -", "inspect calibrator"],
    "costs": ["run agrawal.csv --cost-fp 20000 --cost-fn-column loan --progress none",
              "run agrawal.csv --cost-fn 4 --negatives-kept 0.5 --json --progress none --limit 100",
              "predict sea.csv --model model --limit 4 --cost-fn 3",
              "predict sea.csv --model model --limit 4 --prior 0.05",
              "predict sea.csv --model model --limit 400 --prior estimate --output estimated.csv",
              "compare agrawal.csv --policy always_train ucb1 --cost-fp 20000 --cost-fn-column loan"],
    "compare": ["compare sea.csv --policy always_train ucb1 thompson --runs 2"],
    "paper": ["paper --tables NB10_stationary --datasets waveform --runs 2 --threads 1 --data . --out out",
              "paper --tables NB10_stationary --data nowhere"],
    "inspect": ["inspect model"],
    "config": ["config", "config --learner logistic --policy discounted_thompson --json"],
    "datasets": ["datasets list --data nowhere", "datasets path musk2 --data nowhere",
                 "datasets verify musk2 --data nowhere"],
    "generate": ["generate led -n 3", "generate sea -n 4 --drift-to sea:concept=3 --position 2"],
    "demo": ["demo --runs 2 --examples 500"],
}


def normalised(text):
    """Without what differs from run to run, and without the lists of components, which docs/components.md has."""
    text = re.sub(r"^  (learners|calibrators|policies|rewards) {2,}\w+(?:,\s+\w+)*$", r"  \1  NAMES", text,
                  flags=re.MULTILINE)
    text = re.sub(r"(?:^# \w+: .*\n)+(?=name = )", "# NAME: SUMMARY\n", text, flags=re.MULTILINE)
    text = re.sub(r"(time +)[0-9.]+ s, [0-9,]+ examples/s", r"\1TIME, RATE", text)
    text = re.sub(r'("(?:seconds|examples_per_second)": )[0-9.e+-]+', r"\1NUMBER", text)
    text = re.sub(r"(  (?:ETA )?|runs in )[0-9]+:[0-9]{2}(?=$|;)", r"\1TIME", text, flags=re.MULTILINE)
    text = re.sub(r"  (?:ETA )?TIME$", "  TIME", text, flags=re.MULTILINE)
    lines = []
    for line in text.splitlines():
        # The last column of the table of progress and of a comparison is a rate.
        if re.match(r"\s+\d+ +\d+\.\d{4} ", line) or re.search(r"\d % +[0-9,]+$", line):
            line = re.sub(r" +[0-9,]+$", " RATE", line)
        lines.append(line.rstrip())
    return "\n".join(lines)


class Golden(InFolder):
    def transcript(self, commands):
        text = ""
        for command in commands:
            done = run(*shlex.split(command), cwd=self.folder)
            text += f"$ plumbline {command}\n{normalised(done.stdout)}\n"
            if done.stderr:
                text += f"--- standard error\n{normalised(done.stderr)}\n"
            text += f"--- exit code {done.returncode}\n\n"
        return text

    def test_every_verb_prints_what_it_printed(self):
        self.maxDiff = None
        for command in SETUP:
            arguments, target = command.split(" > ")
            self.write(target, self.ok(*shlex.split(arguments)).stdout)
        for name, commands in SCRIPTS.items():
            with self.subTest(name):
                path = GOLDEN / f"{name}.txt"
                text = self.transcript(commands)
                if os.environ.get("PLUMBLINE_UPDATE_GOLDEN"):
                    GOLDEN.mkdir(exist_ok=True)
                    path.write_text(text)
                self.assertEqual(text, path.read_text())

    def test_help_and_configuration_name_every_component(self):
        documented = (HERE.parent.parent / "docs" / "components.md").read_text()
        families = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", documented, re.MULTILINE | re.DOTALL))
        listed, config = run("run", "--help").stdout, run("config").stdout
        for family in ("Learners", "Calibrators", "Policies", "Rewards"):
            names = re.search(rf"^  {family.lower()} +(\w+(?:,\s+\w+)*)$", listed, re.MULTILINE)[1]
            expected = re.findall(r"^### `(\w+)`", families[family], re.MULTILINE)
            self.assertEqual(re.split(r",\s+", names), expected)
            for name in expected:
                self.assertRegex(config, rf"(?m)^# {name}: ")

    def test_every_verb_has_a_golden(self):
        for verb in re.findall(r"^  (\w+) {2,}", run("--help").stdout, re.MULTILINE):
            named = any(command.split()[0] == verb for commands in SCRIPTS.values()
                        for command in commands)
            self.assertTrue(named or verb == "help", verb)


if __name__ == "__main__":
    main()

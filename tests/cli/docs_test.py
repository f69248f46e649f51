"""The commands of the documentation run as they stand, and print the lines shown below them.

Each page is one shell session in an empty folder. A ```sh block is run; the lines of the next block without a
language must occur in its output, in that order ("…" stands for lines left out). Rates are not compared. ./demo is run
as `plumbline demo`, ./check not at all. PLUMBLINE_UPDATE_GOLDEN=1 replaces lines that have changed by the nearest ones.
"""

import difflib
import os
import pathlib
import re
import subprocess

from support import HERE, PLUMBLINE, InFolder, environment, main

ROOT = HERE.parent.parent
PAGES = ["README.md", "docs/start.md", "docs/why.md", "docs/cli.md", "docs/calibrate.md"]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def without_rate(line):
    return re.sub(r"(\d %) +[0-9,]+$", r"\1", line.rstrip())


def missing_lines(shown, printed):
    """The lines that do not occur in what was printed, in this order."""
    missing, rest = [], iter(map(without_rate, printed.splitlines()))
    for line in filter(str.strip, shown.splitlines()):
        if line.strip() != "…" and without_rate(line) not in rest:
            missing.append(line)
            rest = iter(map(without_rate, printed.splitlines()))
    return missing


class Docs(InFolder):
    def output_of(self, commands):
        commands = re.sub(r"^\./demo", "plumbline demo", re.sub(r"^\./check.*\n", "", commands, flags=re.MULTILINE),
                          flags=re.MULTILINE)
        path = f"{os.path.dirname(PLUMBLINE)}:{os.environ['PATH']}"
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=self.folder, text=True, timeout=300,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=environment(PATH=path))
        self.assertEqual(done.returncode, 0, f"{commands}\n{done.stdout}")
        return done.stdout

    def test_commands_print_what_the_page_shows(self):
        for page in PAGES:
            path, printed, checked = ROOT / page, None, 0
            for language, text in BLOCK.findall(path.read_text()):
                with self.subTest(page, block=text):
                    if language == "sh":
                        printed = self.output_of(text)
                        checked += 1
                    elif language == "" and printed is not None:
                        missing = missing_lines(text, printed)
                        if missing and os.environ.get("PLUMBLINE_UPDATE_GOLDEN"):
                            self.renew(path, missing, printed)
                            missing = []
                        self.assertEqual(missing, [], f"{page}: not in the output\n{printed}")
                        printed = None
            self.assertGreater(checked, 0, page)

    def renew(self, path, missing, printed):
        text = path.read_text()
        for line in missing:
            [nearest] = difflib.get_close_matches(line, printed.splitlines(), n=1, cutoff=0.3)
            text = text.replace(f"\n{line}\n", f"\n{nearest.rstrip()}\n")
        path.write_text(text)

    def test_links_lead_somewhere(self):
        for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
            for target in re.findall(r"\]\(([^)\s]+)\)", BLOCK.sub("", page.read_text())):
                if re.match(r"\w+://", target):
                    continue
                file, _, anchor = target.partition("#")
                path = page.parent / file if file else page
                self.assertTrue(path.exists(), f"{page.name}: {target}")
                if anchor:
                    self.assertIn(anchor, self.anchors(path), f"{page.name}: {target}")

    def anchors(self, path: pathlib.Path):
        titles = re.findall(r"^#+ (.*)$", BLOCK.sub("", path.read_text()), re.MULTILINE)
        return [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles]


if __name__ == "__main__":
    main()

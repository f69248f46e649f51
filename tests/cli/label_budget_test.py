"""The label budget: --label-budget."""

import csv
import json

from support import InFolder, main, run


class LabelBudget(InFolder):
    def setUp(self):
        super().setUp()
        self.write("a.csv", self.ok("generate", "sea", "-n", 600).stdout)

    def fails(self, *arguments):
        done = run(*arguments, cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        return done.stderr

    def rows(self, name):
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(file))

    def test_the_share_is_kept_and_reported(self):
        for preset in ("auto", "fast", "paper"):
            for choice in ("selective", "random"):
                with self.subTest(preset=preset, choice=choice):
                    result = json.loads(self.ok("run", "a.csv", "--preset", preset, "--label-budget", 0.2,
                                                "--label-choice", choice, "--predictions", "p.csv", "--json").stdout)
                    self.assertEqual(result["config"]["label_budget"], 0.2)
                    self.assertEqual(result["examples"], 600)
                    self.assertTrue(0.15 < result["asked_share"] <= 0.202, result["asked_share"])
                    asked = sum(row["ask"] == "1" for row in self.rows("p.csv"))
                    self.assertAlmostEqual(asked / 600, result["asked_share"])
        done = self.ok("run", "a.csv", "--label-budget", 0.2, "--report", "r.html")
        self.assertIn("label budget 0.2 (selective);", done.stdout)
        self.assertRegex(done.stdout, r"asked        0\.\d{4} of the labels \(label budget 0.2, selective\)")
        self.assertIn("labels asked for", (self.folder / "r.html").read_text())

    def test_1_is_the_default(self):
        self.ok("run", "a.csv", "--save", "one", "--predictions", "p.csv")
        self.ok("run", "a.csv", "--label-budget", 1, "--save", "two")
        self.assertEqual((self.folder / "one").read_bytes(), (self.folder / "two").read_bytes())
        self.assertNotIn("ask", self.rows("p.csv")[0])

    def test_a_run_resumes_exactly(self):
        for delay in (0, 11):
            budget = ["--label-budget", 0.3, "--label-delay", delay]
            self.ok("run", "a.csv", *budget, "--save", "whole", "--predictions", "w.csv")
            self.ok("run", "a.csv", *budget, "--limit", 170, "--save", "m", "--predictions", "p.csv")
            self.ok("run", "a.csv", "--load", "m", "--skip", 170, "--save", "m", "--predictions", "p.csv", "--append")
            self.assertEqual((self.folder / "m").read_bytes(), (self.folder / "whole").read_bytes())
            self.assertEqual(self.rows("p.csv"), self.rows("w.csv"))

    def test_predict_asks_for_labels_that_run_then_learns(self):
        self.ok("run", "a.csv", "--label-budget", 0.1, "--limit", 300, "--save", "m")
        before = (self.folder / "m").read_bytes()
        self.ok("predict", "a.csv", "--skip", 300, "--model", "m", "--output", "p.csv")
        self.assertEqual((self.folder / "m").read_bytes(), before)
        predicted = self.rows("p.csv")
        asked = {int(row["row"]) for row in predicted if row["ask"] == "1"}
        self.assertTrue(20 <= len(asked) <= 35, asked)  # some labels may have been saved before
        lines = (self.folder / "a.csv").read_text().splitlines()
        self.write("asked.csv", "\n".join([lines[0], *(lines[row] for row in sorted(asked))]) + "\n")
        examples = json.loads(self.ok("inspect", "m", "--json").stdout)["examples"]
        self.ok("run", "asked.csv", "--load", "m", "--learn-all", "--save", "m")
        learned = json.loads(self.ok("inspect", "m", "--json").stdout)["examples"]
        self.assertEqual(learned, examples + len(asked))

    def test_several_classes(self):
        rows = self.ok("generate", "waveform", "-n", 400).stdout.splitlines()
        self.write("k.csv", "\n".join([rows[0], *(f"{row[:-1]}{i % 3}" for i, row in enumerate(rows[1:]))]) + "\n")
        result = json.loads(self.ok("run", "k.csv", "--label-budget", 0.25, "--preset", "fast", "--predictions", "p.csv",
                                    "--layout", "long", "--json").stdout)
        self.assertLessEqual(result["asked_share"], 0.2525)
        self.assertEqual(len(self.rows("p.csv")), 1200)

    def test_a_file_may_set_it(self):
        config = self.ok("config", "--label-budget", 0.25, "--label-choice", "random").stdout
        self.assertIn('label_budget = 0.25', config)
        self.write("c.toml", config)
        result = json.loads(self.ok("run", "a.csv", "--config", "c.toml", "--json").stdout)
        self.assertLessEqual(result["asked_share"], 0.252)
        self.assertEqual(result["config"]["label_choice"], "random")

    def test_what_is_wrong_is_refused(self):
        for bad in ("0", "1.5", "-1", "nan", "x"):
            self.assertIn("--label-budget", self.fails("run", "a.csv", f"--label-budget={bad}"))
        self.assertIn("--label-choice", self.fails("run", "a.csv", "--label-choice", "best"))
        self.assertIn("--load", self.fails("run", "a.csv", "--learn-all"))


if __name__ == "__main__":
    main()

"""plumbline run --scores: scores of another model beside the features."""

import json
import math
import random

from support import InFolder, main, run


def rows(count, seed=1):
    """A feature x, the score of a model that knows something else, as a probability and as a logit, and the label."""
    rng = random.Random(seed)
    for _ in range(count):
        x, z = rng.uniform(-2, 2), rng.uniform(-3, 3)
        label = "yes" if rng.random() < 1 / (1 + math.exp(-x - z)) else "no"
        yield f"{x:.6g},{1 / (1 + math.exp(-z)):.6g},{z:.6g},{label}"


class Scores(InFolder):
    def file(self, count=2000, lines=None):
        return self.write("s.csv", "x,p,z,label\n" + "\n".join(lines or rows(count)) + "\n")

    def loss(self, verb, *arguments):
        result = json.loads(self.ok(verb, "s.csv", *arguments, "--json").stdout)
        return result["log_loss"] if verb == "run" else result["calibrated"]["log_loss"]

    def fails(self, *arguments, code=2):
        done = run("run", "s.csv", *arguments, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def test_they_help_beyond_the_features_and_beyond_themselves(self):
        self.file()
        best = min(self.loss("run", "--ignore", "p,z"), self.loss("calibrate", "--score", "p"))
        for options in (("--scores", "p", "--ignore", "z"), ("--scores", "z", "--score-input", "logit", "--ignore", "p"),
                        ("--scores", "p,z", "--score-input", "probability,score")):
            self.assertLess(self.loss("run", *options), best - 0.02)

    def test_they_are_no_features_and_saved_models_go_on_exactly(self):
        self.file(600)
        options = ("--scores", "p", "z", "--score-input", "probability", "score", "--label-delay", 20)
        said = self.ok("run", "s.csv", *options, "--save", "whole", "--predictions", "whole.csv")
        self.assertIn("1 numeric, 2 score columns", said.stdout)
        self.ok("run", "s.csv", *options, "--limit", 250, "--save", "part", "--predictions", "part.csv")
        self.ok("run", "s.csv", "--load", "part", "--skip", 250, "--save", "part", "--predictions", "part.csv", "--append")
        for one, other in (("whole", "part"), ("whole.csv", "part.csv")):
            self.assertEqual((self.folder / one).read_bytes(), (self.folder / other).read_bytes())
        shown = json.loads(self.ok("inspect", "whole", "--json").stdout)
        self.assertEqual(shown["scores"], [{"column": "p", "input": "probability"}, {"column": "z", "input": "score"}])
        self.assertIn("'p' (probability), 'z' (score)", self.ok("inspect", "whole").stdout)
        self.assertIn("leave out", self.fails("--load", "part", "--scores", "p"))

    def test_predicting_and_comparing_take_them_too(self):
        self.file(300)
        self.ok("run", "s.csv", "--scores", "p", "--ignore", "z", "--save", "m")
        lines = self.ok("predict", "s.csv", "--model", "m").stdout.splitlines()
        other = [line.split(",")[0] + ",0.5,0,no" for line in rows(300)]
        self.file(lines=other)
        self.assertNotEqual(self.ok("predict", "s.csv", "--model", "m").stdout.splitlines(), lines)
        self.file(600)
        text = self.ok("compare", "s.csv", "--scores", "p", "--policy", "ucb1", "always:action=both", "--preset", "fast")
        self.assertIn("ucb1", text.stdout)

    def test_missing_ones_count_as_a_half(self):
        lines = list(rows(400))
        for name, text in (("empty", ""), ("half", "0.5")):
            self.file(lines=[",".join([one.split(",")[0], text if i % 5 == 0 else one.split(",")[1], *one.split(",")[2:]])
                             for i, one in enumerate(lines)])
            self.ok("run", "s.csv", "--scores", "p", "--ignore", "z", "--predictions", name)
        self.assertEqual((self.folder / "empty").read_text(), (self.folder / "half").read_text())

    def test_bad_ones_are_bad_rows(self):
        lines = list(rows(60))
        lines[30] = "1,1.5,0,yes"
        self.file(lines=lines)
        message = self.fails("--scores", "p", code=3)
        self.assertIn("s.csv, line 32, column 2: the score 'p' is 1.5, which is not a probability from 0 to 1", message)
        done = self.ok("run", "s.csv", "--scores", "p", "--on-bad-row", "skip", "--json")
        self.assertEqual(json.loads(done.stdout)["bad_rows"], 1)

    def test_mistakes_are_explained(self):
        self.file(200)
        self.assertIn("cannot be a score", self.fails("--scores", "label"))
        self.assertIn("uses the ensemble's score only", self.fails("--scores", "p", "--preset", "paper"))
        self.assertIn("3 inputs for 1 scores", self.fails("--scores", "p", "--score-input", "logit", "score", "score"))
        self.assertIn("requires --scores", self.fails("--score-input", "logit"))
        self.file(lines=[f"{i % 7},0.{i % 9},0,{'abc'[i % 3]}" for i in range(90)])
        self.assertIn("need two", self.fails("--scores", "p"))


if __name__ == "__main__":
    main()

"""plumbline calibrate: scores of another model, from a file."""

import csv
import io
import json
import math
import random
import signal
import subprocess

from support import PLUMBLINE, InFolder, environment, is_waiting, main, run, wait_until


def rows(count, power=3, seed=1):
    """Probabilities that are too sure, as p and as a logit, and the label."""
    rng = random.Random(seed)
    for _ in range(count):
        truth = rng.uniform(0.02, 0.98)
        logit = power * math.log(truth / (1 - truth))
        yield f"{1 / (1 + math.exp(-logit)):.6g},{logit:.6g},{'yes' if rng.random() < truth else 'no'}"


def three(count, seed=1):
    rng = random.Random(seed)
    for _ in range(count):
        draws = [rng.expovariate(1) for _ in range(3)]
        label = rng.choices(["oak", "pine", "spruce"], draws)[0]
        powers = [draw**3 for draw in draws]
        yield ",".join(f"{one / sum(powers):.6g}" for one in powers) + f",{label}"


class Calibrate(InFolder):
    def file(self, count=3000, name="s.csv"):
        return self.write(name, "p,z,label\n" + "\n".join(rows(count)) + "\n")

    def result(self, *arguments):
        return json.loads(self.ok("calibrate", *arguments, "--json").stdout)

    def fails(self, *arguments, code=2):
        done = run("calibrate", *arguments, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def test_the_table_compares_before_and_after(self):
        self.file()
        text = self.ok("calibrate", "s.csv", "--score", "p").stdout
        self.assertIn("s.csv: 3,000 rows, 1 score of 2 classes, calibrator cascade", text)
        result = self.result("s.csv", "--score", "p")
        before, after = result["scores"][0]["metrics"], result["calibrated"]
        self.assertIn(f"\n  p               {before['log_loss']:.4f}", text)
        self.assertIn(f"\n  calibrated      {after['log_loss']:.4f}", text)
        self.assertLess(after["log_loss"], 0.85 * before["log_loss"])
        self.assertLess(after["ece"], 0.5 * before["ece"])
        self.assertEqual(result["classes"], ["no", "yes"])

    def test_the_metrics_are_those_of_the_predictions(self):
        self.file(800)
        result = self.result("s.csv", "--score", "p", "--predictions", "p.csv")
        said = list(csv.DictReader(io.StringIO((self.folder / "p.csv").read_text())))
        self.assertEqual([row["row"] for row in said], [str(i + 1) for i in range(800)])

        def loss(column):
            return -sum(math.log(float(row[column]) if row["label"] == "1" else 1 - float(row[column]))
                        for row in said) / 800

        self.assertAlmostEqual(result["calibrated"]["log_loss"], loss("probability"), places=9)
        self.assertAlmostEqual(result["scores"][0]["metrics"]["log_loss"], loss("score"), places=9)

    def test_each_row_is_predicted_before_its_label_is_learned(self):
        lines = list(rows(200))
        other = lines[:-1] + [lines[-1].replace("yes", "X").replace("no", "yes").replace("X", "no")]
        for name, text in (("a", lines), ("b", other)):
            self.write(f"{name}.csv", "p,z,label\n" + "\n".join(text) + "\n")
            self.ok("calibrate", f"{name}.csv", "--score", "p", "--predictions", f"{name}.out")
        a, b = ((self.folder / f"{name}.out").read_text().splitlines() for name in "ab")
        self.assertEqual(a[:-1], b[:-1])
        self.assertEqual(a[-1].split(",")[2:], b[-1].split(",")[2:])

    def test_probabilities_logits_and_scores_become_alike(self):
        self.file()
        losses = [self.result("s.csv", "--score", column, "--input", kind)["calibrated"]["log_loss"]
                  for column, kind in (("p", "probability"), ("z", "logit"), ("z", "score"))]
        for loss in losses:
            self.assertLess(loss, 0.56)  # the true probabilities have about 0.5
        both = self.result("s.csv", "--score", "p,z", "--input", "probability", "score")
        self.assertIsNone(both["scores"][1]["metrics"])
        self.assertEqual(set(both["weights"]), {"p", "z", "calibrator"})

    def test_several_classes_are_calibrated_jointly(self):
        self.write("t.csv", "a,b,c,label\n" + "\n".join(three(3000)) + "\n")
        result = self.result("t.csv", "--score", "a,b,c", "--classes", "oak,pine,spruce", "--predictions", "p.csv")
        self.assertLess(result["calibrated"]["log_loss"], 0.85 * result["scores"][0]["metrics"]["log_loss"])
        first = next(csv.DictReader(io.StringIO((self.folder / "p.csv").read_text())))
        self.assertEqual(list(first)[3:], ["probability=oak", "probability=pine", "probability=spruce"])
        self.assertIn("name all classes with --classes", self.fails("t.csv", "--score", "a,b,c", code=3))
        self.assertIn("2 columns of scores for 3 classes",
                      self.fails("t.csv", "--score", "a,b", "--classes", "oak,pine,spruce"))

    def test_saved_calibrators_go_on_exactly(self):
        self.file(1000)
        self.ok("calibrate", "s.csv", "--score", "p", "z", "--input", "probability", "score", "--save", "whole",
                "--predictions", "whole.csv")
        self.ok("calibrate", "s.csv", "--score", "p", "z", "--input", "probability", "score", "--limit", 400,
                "--save", "part", "--predictions", "part.csv")
        self.ok("calibrate", "s.csv", "--skip", 400, "--load", "part", "--save", "part", "--predictions", "part.csv",
                "--append")
        for one, other in (("whole", "part"), ("whole.csv", "part.csv")):
            self.assertEqual((self.folder / one).read_bytes(), (self.folder / other).read_bytes())

    def test_labels_that_come_later_have_no_effect_before(self):
        lines = list(rows(200))
        other = [*lines]
        other[99] = lines[99].replace("yes", "X").replace("no", "yes").replace("X", "no")
        for name, text in (("a", lines), ("b", other)):
            self.write(f"{name}.csv", "p,z,label\n" + "\n".join(text) + "\n")
            self.ok("calibrate", f"{name}.csv", "--score", "p", "--label-delay", 30, "--predictions", f"{name}.out")
        a, b = ([line.split(",")[2:] for line in (self.folder / f"{name}.out").read_text().splitlines()]
                for name in "ab")
        self.assertEqual([i for i, (one, two) in enumerate(zip(a, b)) if one != two][0], 131)

    def test_a_label_delay_goes_on_exactly(self):
        self.file(300)
        for name, input_of in (("p", "probability"), ("z", "score")):
            options = ("--score", name, "--input", input_of, "--label-delay", 40)
            self.ok("calibrate", "s.csv", *options, "--save", "whole", "--predictions", "whole.csv")
            self.ok("calibrate", "s.csv", *options, "--limit", 110, "--save", "part", "--predictions", "part.csv")
            result = self.result("s.csv", "--skip", 110, "--load", "part", "--save", "part", "--predictions", "part.csv",
                                 "--append")
            self.assertEqual(result["label_delay"], 40)
            for one, other in (("whole", "part"), ("whole.csv", "part.csv")):
                self.assertEqual((self.folder / one).read_bytes(), (self.folder / other).read_bytes())
        self.assertIn("seen         260 rows, and 40 more without a known label", self.ok("inspect", "part").stdout)
        self.assertIn("labels 40 rows later", self.ok("calibrate", "s.csv", "--load", "part").stdout)
        self.assertIn("leave out", self.fails("s.csv", "--load", "part", "--label-delay", 3))

    def test_the_progress_is_a_table_on_standard_error(self):
        self.file(3000)
        done = self.ok("calibrate", "s.csv", "--score", "p")
        self.assertIn("examples   log-loss since last    Brier   examples/s", done.stderr)
        shown = [int(line.split()[0]) for line in done.stderr.splitlines()[1:]]
        self.assertEqual(shown, [2**k for k in range(12)] + [3000])
        loss = json.loads(self.ok("calibrate", "s.csv", "--score", "p", "--json").stdout)["calibrated"]["log_loss"]
        self.assertEqual(done.stderr.splitlines()[-1].split()[1], f"{loss:.4f}")
        self.assertEqual(self.ok("calibrate", "s.csv", "--score", "p", "--progress", "none").stderr, "")

    def test_the_report_shows_the_reliability_of_scores_and_probabilities(self):
        self.file(2000)
        self.ok("calibrate", "s.csv", "--score", "p", "z", "--input", "probability", "score", "--report", "r.html")
        page = (self.folder / "r.html").read_text()
        result = self.result("s.csv", "--score", "p", "z", "--input", "probability", "score")
        for words in (f"{result['calibrated']['log_loss']:.4f}", f"{result['scores'][0]['metrics']['log_loss']:.4f}",
                      "band of a calibrated model", "Reliability", "stack_slow", "base rate"):
            self.assertIn(words, page)
        self.assertNotIn("<script", page)
        self.write("t.csv", "a,b,c,label\n" + "\n".join(three(500)) + "\n")
        self.ok("calibrate", "t.csv", "--score", "a,b,c", "--classes", "oak,pine,spruce", "--report", "t.html")
        self.assertIn("a … c", (self.folder / "t.html").read_text())
        self.assertIn("the stream", self.fails("s.csv", "--score", "p", "--report", "s.csv"))

    def test_an_interrupt_saves_and_says_how_to_go_on(self):
        lines = ["p,z,label", *rows(3000)]
        process = subprocess.Popen([PLUMBLINE, "calibrate", "-", "--score", "p", "--save", "c"], cwd=self.folder,
                                   env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        process.stdin.write("\n".join(lines[:2001]) + "\n")
        process.stdin.flush()
        self.assertTrue(wait_until(lambda: is_waiting(process)))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)  # before its input ends
        out, err = process.communicate()
        self.assertIn("interrupted after 2000 rows", err)
        self.assertIn("calibrate - --load c --skip 2000 --save c", err)
        self.assertIn("2,000 rows", out)

    def test_inspect_shows_a_calibrator(self):
        self.file(500)
        self.ok("calibrate", "s.csv", "--score", "p", "z", "--input", "probability", "logit", "--save", "c")
        text = self.ok("inspect", "c").stdout
        for words in ("seen         500 rows", "'p' (probability), 'z' (logit)", "'label': 'yes' is positive",
                      "cascade", "stack_slow"):
            self.assertIn(words, text)
        shown = json.loads(self.ok("inspect", "c", "--json").stdout)
        self.assertEqual((shown["examples"], shown["pending"]), (500, 0))
        self.assertEqual([score["input"] for score in shown["scores"]], ["probability", "logit"])
        self.assertAlmostEqual(sum(shown["weights"].values()), 1)

    def test_bad_rows_stop_or_are_counted(self):
        good = list(rows(50))
        for bad, words in (("nan,1,yes", "'p' is missing"), ("oops,1,yes", "'oops', which is not a number"),
                           ("1.5,1,yes", "not a probability from 0 to 1"), ("0.5,1,maybe", "'maybe' is none of"),
                           ("0.5,1,", "'label' is missing")):
            with self.subTest(bad=bad):
                self.write("b.csv", "\n".join(["p,z,label", *good[:40], bad, *good[40:]]) + "\n")
                message = self.fails("b.csv", "--score", "p", "--save", "c", "--classes", "no,yes", code=3)
                self.assertIn(words, message)
                self.assertIn("b.csv, line 42", message)
                self.assertIn("--load c --skip 40", message)
                result = self.result("b.csv", "--score", "p", "--on-bad-row", "skip", "--classes", "no,yes")
                self.assertEqual((result["examples"], result["bad_rows"]), (50, 1))

    def test_mistakes_in_options_are_explained(self):
        self.file(100)
        self.assertIn("--score COLUMN", self.fails("s.csv"))
        self.assertIn("did you mean 'label'", self.fails("s.csv", "--score", "p", "--label", "labl"))
        self.assertIn("given twice", self.fails("s.csv", "--score", "p", "p"))
        self.assertIn("given twice", self.fails("s.csv", "--score", "label"))
        self.assertIn("cascade", self.fails("s.csv", "--score", "p", "--calibrator", "cascad"))
        self.ok("calibrate", "s.csv", "--score", "p", "--save", "c")
        self.assertIn("leave out", self.fails("s.csv", "--load", "c", "--score", "p"))
        self.assertIn("both use standard output", self.fails("s.csv", "--score", "p", "--json", "--predictions", "-"))
        self.ok("run", "s.csv", "--preset", "fast", "--save", "m")
        self.assertIn("model of rows", self.fails("s.csv", "--load", "m", code=4))
        done = run("run", "s.csv", "--load", "c", cwd=self.folder)
        self.assertIn("calibrator of scores", done.stderr)


if __name__ == "__main__":
    main()

"""Labels that come later: --label-delay."""

import csv
import io
import json
import math

from support import InFolder, main, run
from baselines_test import FOUR, TWO, labels_of, sticky


def last_label(labels, classes, batch, delay):
    """Accuracy and log-loss by the definition: a label is known when the row `delay` rows later has been predicted."""
    right = loss = 0
    said = []  # the last label known when each row was predicted
    for start in range(0, len(labels), batch):
        known = max(0, start - delay)
        last = labels[known - 1] if known else None
        pairs = [label for before, label in zip(said[:known], labels) if before == last]
        for label in labels[start:start + batch]:
            right += label == (last or classes[0])
            loss -= math.log((pairs.count(label) + 0.5) / (len(pairs) + 0.5 * len(classes)) if last
                             else 1 / len(classes))
            said.append(last)
    return right / len(labels), loss / len(labels)


class LabelDelay(InFolder):
    def result(self, *arguments):
        return json.loads(self.ok("run", *arguments, "--json").stdout)

    def fails(self, *arguments):
        done = run(*arguments, cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        return done.stderr

    def probabilities(self, name):
        rows = csv.DictReader(io.StringIO((self.folder / name).read_text()))
        return [[row[key] for key in row if key.startswith("probability")] for row in rows]

    def test_the_last_label_is_that_of_an_earlier_row(self):
        for classes in (TWO, FOUR):
            text = sticky(600, classes)
            self.write("a.csv", text)
            for batch, delay in [(1, 1), (1, 20), (10, 5), (10, 25)]:
                with self.subTest(classes=len(classes), batch=batch, delay=delay):
                    result = self.result("a.csv", "--preset", "fast", "--batch", batch, "--label-delay", delay)
                    accuracy, loss = last_label(labels_of(text), classes, batch, delay)
                    self.assertAlmostEqual(result["last_label"]["accuracy"], accuracy, places=12)
                    # The same sum in another order.
                    self.assertAlmostEqual(result["last_label"]["log_loss"], loss, places=10)

    def test_labels_in_runs_help_less_the_later_they_come(self):
        self.write("a.csv", sticky(3000, TWO))
        losses = [self.result("a.csv", "--label-delay", delay)["log_loss"] for delay in (0, 3, 30)]
        self.assertEqual(losses, sorted(losses))
        self.assertGreater(losses[2], losses[0] + 0.05)

    def test_nothing_is_learned_if_no_label_is_ever_known(self):
        self.write("a.csv", sticky(200, TWO))
        result = self.result("a.csv", "--label-delay", 200)
        self.assertAlmostEqual(result["log_loss"], math.log(2), places=12)
        self.assertEqual(result["examples"], 200)

    def test_zero_is_the_default(self):
        self.write("a.csv", sticky(300, TWO))
        self.ok("run", "a.csv", "--save", "one")
        self.ok("run", "a.csv", "--label-delay", 0, "--save", "two")
        self.assertEqual((self.folder / "one").read_bytes(), (self.folder / "two").read_bytes())

    def test_a_label_has_no_effect_before_it_is_known(self):
        for classes in (TWO, FOUR):
            lines = sticky(300, classes).splitlines()
            self.write("a.csv", "\n".join(lines) + "\n")
            values, label = lines[201].rsplit(",", 1)
            lines[201] = f"{values},{classes[0] if label == classes[1] else classes[1]}"
            self.write("b.csv", "\n".join(lines) + "\n")
            for name in ("a", "b"):
                self.ok("run", f"{name}.csv", "--label-delay", 40, "--predictions", f"{name}.p")
            a, b = self.probabilities("a.p"), self.probabilities("b.p")
            self.assertEqual(a[:241], b[:241])
            self.assertNotEqual(a[241], b[241])

    def test_a_run_resumes_exactly(self):
        for classes in (TWO, FOUR):
            self.write("a.csv", sticky(400, classes))
            self.ok("run", "a.csv", "--label-delay", 30, "--predictions", "whole.p", "--save", "whole")
            self.ok("run", "a.csv", "--label-delay", 30, "--limit", 170, "--save", "m", "--predictions", "first.p")
            self.ok("run", "a.csv", "--load", "m", "--skip", 170, "--save", "m", "--predictions", "second.p")
            self.assertEqual((self.folder / "m").read_bytes(), (self.folder / "whole").read_bytes())
            self.assertEqual(self.probabilities("first.p") + self.probabilities("second.p"),
                             self.probabilities("whole.p"))

    def test_it_is_shown(self):
        self.write("a.csv", sticky(100, TWO))
        shown = self.ok("run", "a.csv", "--label-delay", 30, "--save", "m").stdout
        self.assertIn("minibatches of 1, labels 30 rows later;", shown)
        inspected = self.ok("inspect", "m").stdout
        self.assertIn("70 examples in 70 minibatches, and 30 more without a known label", inspected)
        self.assertIn("1 rows, labels 30 rows later, seed 1", inspected)
        self.assertIn("label_delay = 30", self.ok("config", "--label-delay", 30).stdout)

    def test_a_delay_that_is_impossible_is_refused(self):
        self.write("a.csv", sticky(100, TWO))
        for bad in ("-1", "1000001", "x"):
            self.assertIn("label", self.fails("run", "a.csv", f"--label-delay={bad}"))
        self.assertIn("label_delay", self.fails("run", "a.csv", "--set", "label_delay=-1"))


if __name__ == "__main__":
    main()

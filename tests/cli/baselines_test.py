"""The baselines without a model beside every result: the base rate, and "always the last label"."""

import csv
import io
import json
import math
import random
from collections import Counter

from support import InFolder, main


def sticky(rows, classes, seed=1):
    """A stream whose labels come in runs."""
    draw = random.Random(seed)
    label, lines = classes[0], ["x,y,label"]
    for _ in range(rows):
        if draw.random() < 0.15:
            label = draw.choice(classes)
        lines.append(f"{draw.gauss(classes.index(label), 1):.4f},{draw.random():.4f},{label}")
    return "\n".join(lines) + "\n"


def labels_of(text):
    return [line.rsplit(",", 1)[1] for line in text.splitlines()[1:]]


def last_label(labels, classes, batch):
    """Accuracy and log-loss by the definition, from the labels of the minibatches before."""
    right = loss = 0
    pairs = Counter()  # (last label known, label)
    last = None
    for start in range(0, len(labels), batch):
        rows = labels[start:start + batch]
        for label in rows:
            right += label == (classes[0] if last is None else last)
            of_last = sum(pairs[last, other] for other in classes) if last is not None else 0
            loss -= math.log((pairs[last, label] + 0.5) / (of_last + 0.5 * len(classes)) if last is not None
                             else 1 / len(classes))
        if last is not None:
            pairs.update((last, label) for label in rows)
        last = rows[-1]
    return right / len(labels), loss / len(labels)


TWO, FOUR = ["no", "yes"], ["ash", "birch", "cedar", "oak"]


class Baselines(InFolder):
    def result(self, verb, *arguments):
        return json.loads(self.ok(verb, *arguments, "--json").stdout)

    def test_the_last_label_is_that_of_the_minibatch_before(self):
        for classes in (TWO, FOUR):
            text = sticky(1203, classes)
            self.write("a.csv", text)
            labels = labels_of(text)
            for batch in (1, 10, 50):
                with self.subTest(classes=len(classes), batch=batch):
                    result = self.result("run", "a.csv", "--batch", batch, "--predictions", "p.csv")
                    accuracy, loss = last_label(labels, classes, batch)
                    self.assertAlmostEqual(result["last_label"]["accuracy"], accuracy, places=12)
                    # The same sum in another order.
                    self.assertAlmostEqual(result["last_label"]["log_loss"], loss, places=10)
                    rows = list(csv.DictReader(io.StringIO((self.folder / "p.csv").read_text())))
                    if classes == TWO:
                        right = sum((float(row["probability"]) > 0.5) == (row["label"] == "1") for row in rows)
                    else:
                        right = sum(row["predicted"] == row["label"] for row in rows)
                    kappa = (right / len(rows) - accuracy) / (1 - accuracy)
                    self.assertAlmostEqual(result["kappa_temporal"], kappa, places=10)

    def test_the_base_rate_decides_for_the_most_frequent_class(self):
        for classes in (TWO, FOUR):
            text = sticky(500, classes)
            self.write("a.csv", text)
            result = self.result("run", "a.csv")
            most = max(Counter(labels_of(text)).values())
            self.assertAlmostEqual(result["base_rate"]["accuracy"], most / 500, places=12)

    def test_a_class_that_comes_late_has_half_an_example(self):
        labels = ["a", "b"] * 100 + ["c"] * 20
        self.write("a.csv", "x,label\n" + "".join(f"{i % 7},{label}\n" for i, label in enumerate(labels)))
        result = self.result("run", "a.csv", "--multiclass", "ovr", "--sample", 50, "--batch", 1)
        # The first label is a, as is the class predicted before a label is known; then no label is repeated until
        # the second c.
        self.assertAlmostEqual(result["last_label"]["accuracy"], 20 / 220, places=12)
        loss = last_label(labels[:200], ["a", "b"], 1)[1] * 200
        loss -= math.log(0.5 / (99 + 1.5))  # c after b, as one class of three
        loss -= sum(math.log((k + 0.5) / (k + 1.5)) for k in range(19))
        self.assertAlmostEqual(result["last_label"]["log_loss"], loss / 220, places=10)

    def test_a_resumed_run_measures_its_own_rows(self):
        text = sticky(1000, TWO)
        self.write("a.csv", text)
        self.ok("run", "a.csv", "--limit", 400, "--save", "m")
        result = self.result("run", "a.csv", "--load", "m", "--skip", 400)
        self.assertEqual(result["examples"], 600)
        accuracy, loss = last_label(labels_of(text)[400:], TWO, 1)
        self.assertAlmostEqual(result["last_label"]["accuracy"], accuracy, places=12)
        self.assertAlmostEqual(result["last_label"]["log_loss"], loss, places=10)

    def test_there_is_no_kappa_if_the_last_label_is_always_right(self):
        self.write("a.csv", "x,label\n" + "1,a\n2,a\n" * 20 + "3,b\n")
        arguments = ["run", "a.csv", "--limit", 40, "--progress", "none"]
        result = self.result(*arguments)
        self.assertEqual(result["last_label"]["accuracy"], 1)
        self.assertIsNone(result["kappa_temporal"])
        text = self.ok(*arguments, "--report", "r.html").stdout
        self.assertIn("(always the last label: 1.0000; kappa-temporal: -)", text)
        page = (self.folder / "r.html").read_text()
        for words in (text, page):
            self.assertNotRegex(words, r"(?i)\b(nan|inf)\b")

    def test_they_are_printed_beside_the_result(self):
        for classes in (TWO, FOUR):
            self.write("a.csv", sticky(600, classes))
            done = self.ok("run", "a.csv", "--report", "r.html")
            result = self.result("run", "a.csv")
            base = "0.[0-9]{3}" if classes == TWO else "the classes' shares"
            self.assertRegex(done.stdout, f"always saying {base}: {result['base_rate']['log_loss']:.4f};\n"
                                          f" +always the last label: {result['last_label']['log_loss']:.4f}\\)")
            self.assertRegex(done.stdout,
                             rf"accuracy +{result['accuracy']:.4f}   \(always the last label: "
                             rf"{result['last_label']['accuracy']:.4f}; kappa-temporal: {result['kappa_temporal']:.4f}\)")
            page = (self.folder / "r.html").read_text()
            for words in ("always the last label", "kappa-temporal", f"{result['last_label']['log_loss']:.4f}",
                          f"{result['base_rate']['log_loss']:.4f}"):
                self.assertIn(words, page)

    def test_compare_shows_those_of_run(self):
        for classes in (TWO, FOUR):
            self.write("a.csv", sticky(600, classes))
            alone = self.result("run", "a.csv", "--policy", "ucb1")
            arguments = ["compare", "a.csv", "--policy", "ucb1", "always"]
            result = self.result(*arguments)
            for key in ("log_loss", "accuracy"):
                self.assertEqual(result["last_label"][key], alone["last_label"][key])
                self.assertEqual(result["base_rate"][key], alone["base_rate"][key])
            self.assertEqual(result["results"][0]["kappa_temporal"], alone["kappa_temporal"])
            text = self.ok(*arguments, "--report", "c.html").stdout
            self.assertRegex(text, rf"(?m)^always the last label +{alone['last_label']['log_loss']:.4f} +"
                                   rf"{alone['last_label']['accuracy']:.4f}$")
            self.assertRegex(text, rf"(?m)^always saying .+ {alone['base_rate']['log_loss']:.4f} +"
                                   rf"{alone['base_rate']['accuracy']:.4f}$")
            page = (self.folder / "c.html").read_text()
            self.assertIn("always the last label", page)
            self.assertIn("kappa-temporal", page)

    def test_shuffled_labels_tell_nothing_of_the_next(self):
        text = sticky(2000, TWO)
        self.write("a.csv", text)
        shuffled = self.result("compare", "a.csv", "--policy", "always", "--shuffle", "--runs", 3, "--batch", 1)
        # The loss of two shares to be learned, at most (1/2) ln n + 1 each, above that of the base rate.
        gap = shuffled["last_label"]["log_loss"] - shuffled["base_rate"]["log_loss"]
        self.assertLess(abs(gap), 2 * (0.5 * math.log(2000) + 1) / 2000)
        ordered = self.result("run", "a.csv", "--batch", 1)
        self.assertLess(ordered["last_label"]["log_loss"], 0.8 * ordered["base_rate"]["log_loss"])


if __name__ == "__main__":
    main()

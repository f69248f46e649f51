"""A label with several classes: run, resume, predict, inspect, compare."""

import csv
import html.parser
import io
import json
import math
import random

from support import InFolder, main, run

CLASSES = ["ash", "birch", "cedar", "oak"]


def stream(rows, first=0, classes=CLASSES, late=0):
    """Clouds around points of a circle; class k from row `late * k` on."""
    lines = ["x,y,colour,species"]
    for i in range(first, first + rows):
        draw = random.Random(i)
        known = len(classes) if late == 0 else min(len(classes), 1 + i // late)
        k = draw.randrange(known)
        angle = 2 * math.pi * k / len(classes)
        x, y = 2 * math.cos(angle) + draw.gauss(0, 1), 2 * math.sin(angle) + draw.gauss(0, 1)
        lines.append(f"{x:.4f},{y:.4f},{draw.choice(['red', 'blue'])},{classes[k]}")
    return "\n".join(lines) + "\n"


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


class Several(InFolder):
    def test_several_classes_are_taken_without_asking(self):
        self.write("a.csv", stream(1200))
        done = self.ok("run", "a.csv")
        self.assertIn("4 classes ('ash', 'birch', 'cedar', 'oak')", done.stderr)
        self.assertIn("--positive", done.stderr)
        self.assertIn("4 classes, one-vs-rest", done.stdout)
        for name in CLASSES:
            self.assertRegex(done.stdout, rf"(?m)^  {name} +\d+ ")

    def test_the_figures_are_those_of_the_predictions(self):
        self.write("a.csv", stream(1200))
        for scheme in ("ovr", "ovo"):
            done = self.ok("run", "a.csv", "--multiclass", scheme, "--json", "--predictions", "p.csv")
            result = json.loads(done.stdout)
            rows = table((self.folder / "p.csv").read_text())
            self.assertEqual(len(rows), 1200)
            self.assertEqual(list(rows[0]), ["row", "label", "predicted"]
                             + [f"probability={name}" for name in CLASSES] + ["total_of_later_classes"])
            loss = brier = right = 0
            for row in rows:
                p = {name: float(row[f"probability={name}"]) for name in CLASSES}
                self.assertAlmostEqual(sum(p.values()), 1, places=12)
                self.assertEqual(float(row["total_of_later_classes"]), 0)
                self.assertEqual(row["predicted"], max(CLASSES, key=p.get))
                loss -= math.log(p[row["label"]])
                brier += sum((p[name] - (name == row["label"])) ** 2 for name in CLASSES)
                right += row["predicted"] == row["label"]
            self.assertAlmostEqual(result["log_loss"], loss / 1200, places=10)
            self.assertAlmostEqual(result["brier"], brier / 1200, places=10)
            self.assertAlmostEqual(result["accuracy"], right / 1200, places=12)
            self.assertEqual(result["multiclass"], scheme)
            self.assertEqual([entry["name"] for entry in result["classes"]], CLASSES)
            self.assertEqual(sum(map(sum, result["confusion"])), 1200)
            self.assertEqual(sum(result["confusion"][k][k] for k in range(4)), right)
            mean = sum(entry["ece"] for entry in result["classes"]) / 4
            self.assertAlmostEqual(result["ece"], mean, places=12)
            self.assertEqual(result["label"], {"name": "species", "classes": CLASSES})
            self.assertGreater(result["accuracy"], 0.75)
            self.assertLess(result["log_loss"], result["base_rate"]["log_loss"] / 2)

    def test_two_values_stay_the_binary_machine(self):
        self.write("a.csv", stream(600, classes=["no", "yes"]))
        result = json.loads(self.ok("run", "a.csv", "--json", "--save", "m").stdout)
        self.assertEqual(result["label"], {"name": "species", "positive": "yes", "negative": "no"})
        self.assertNotIn("multiclass", result["config"])
        self.assertNotIn(b"classes", (self.folder / "m").read_bytes())

    def test_one_value_against_the_rest_is_still_to_be_had(self):
        self.write("a.csv", stream(600))
        result = json.loads(self.ok("run", "a.csv", "--json", "--positive", "oak").stdout)
        self.assertEqual(result["label"]["positive"], "oak")

    def test_a_run_in_pieces_is_the_same_run(self):
        self.write("a.csv", stream(1500, late=450))  # a class after the sample, too
        for scheme in ("ovr", "ovo"):
            with self.subTest(scheme):
                options = ["--multiclass", scheme, "--sample", "100"]
                self.ok("run", "a.csv", *options, "--save", "whole", "--predictions", "whole.csv")
                self.ok("run", "a.csv", *options, "--save", "part", "--limit", "400")
                for skip in range(400, 1500, 550):
                    self.ok("run", "a.csv", "--load", "part", "--save", "part", "--skip", skip,
                            "--limit", 550, "--predictions", "part.csv")
                self.assertEqual((self.folder / "part").read_bytes(),
                                 (self.folder / "whole").read_bytes())
                whole = table((self.folder / "whole.csv").read_text())[950:]
                part = table((self.folder / "part.csv").read_text())
                self.assertEqual([r["predicted"] for r in part], [r["predicted"] for r in whole])

    def test_a_class_that_comes_late_is_added(self):
        self.write("a.csv", stream(1500, late=450))
        done = self.ok("run", "a.csv", "--multiclass", "ovr", "--sample", "500", "--json",
                       "--predictions", "p.csv", "--save", "m")
        result = json.loads(done.stdout)
        self.assertEqual([entry["name"] for entry in result["classes"]], CLASSES)
        rows = table((self.folder / "p.csv").read_text())
        # Two classes had a column when the file was begun; the others share the last one.
        self.assertEqual(list(rows[0])[3:],
                         ["probability=ash", "probability=birch", "total_of_later_classes"])
        for row in rows:
            self.assertAlmostEqual(sum(float(row[name]) for name in list(row)[3:]), 1, places=12)
        self.assertGreater(float(rows[-1]["total_of_later_classes"]), 0)
        self.assertIn("cedar", {row["predicted"] for row in rows})
        self.write("new.csv", stream(20, first=5000))
        head = self.ok("predict", "new.csv", "--model", "m").stdout.splitlines()[0]
        self.assertEqual(head, "row,label,predicted,"
                         + ",".join(f"probability={name}" for name in CLASSES))

    def test_without_asking_a_third_value_after_the_sample_is_a_bad_row(self):
        self.write("a.csv", stream(1500, late=450))
        done = run("run", "a.csv", "--sample", "500", cwd=self.folder)
        self.assertEqual(done.returncode, 3)
        self.assertIn("--multiclass ovr", done.stderr)

    def test_predict_says_what_the_run_would_have_said(self):
        self.write("a.csv", stream(500))
        self.write("b.csv", stream(50, first=500))
        for scheme in ("ovr", "ovo"):
            self.ok("run", "a.csv", "--multiclass", scheme, "--save", "m", "--batch", "50")
            before = (self.folder / "m").read_bytes()
            predicted = table(self.ok("predict", "b.csv", "--model", "m").stdout)
            self.assertEqual((self.folder / "m").read_bytes(), before)
            self.ok("run", "b.csv", "--load", "m", "--predictions", "p.csv")
            stepped = table((self.folder / "p.csv").read_text())
            # One minibatch, in which no number is missing and none is standardised.
            for a, b in zip(predicted, stepped, strict=True):
                del b["total_of_later_classes"]
                self.assertEqual(a, b)

    def test_inspect_shows_the_classes_and_their_models(self):
        self.write("a.csv", stream(500))
        for scheme, models in (("ovr", 4), ("ovo", 6)):
            self.ok("run", "a.csv", "--multiclass", scheme, "--save", "m")
            shown = json.loads(self.ok("inspect", "m", "--json").stdout)
            self.assertEqual(shown["examples"], 500)
            self.assertEqual(sum(entry["examples"] for entry in shown["classes"]), 500)
            self.assertEqual(len(shown["models"]), models)
            self.assertEqual(len(shown["models"][0]["learners"]), 10)
            text = self.ok("inspect", "m").stdout
            self.assertIn("birch against " + ("ash" if scheme == "ovo" else "rest"), text)

    def test_the_report_is_one_page_with_every_class(self):
        self.write("a.csv", stream(500, classes=["<a>", "b&c", "d", "e"]))
        self.ok("run", "a.csv", "--report", "r.html")
        page = (self.folder / "r.html").read_text()
        html.parser.HTMLParser().feed(page)
        for text in ("&lt;a&gt;", "b&amp;c", "one-vs-rest", "true class", "Learning curve"):
            self.assertIn(text, page)
        self.assertNotIn("<a>", page)

    def test_compare_ranks_by_the_log_loss_of_the_classes(self):
        self.write("a.csv", stream(600))
        for more in ([], ["--shuffle"]):
            done = self.ok("compare", "a.csv", "--multiclass", "ovr", "ovo", "--policy", "always",
                           "always_train", "--json", "--report", "c.html", *more)
            result = json.loads(done.stdout)
            entries = {entry["configuration"]: entry for entry in result["results"]}
            self.assertEqual(set(entries), {f"{scheme} + {policy}" for scheme in ("ovr", "ovo")
                                            for policy in ("always", "always_train")})
            best = min(entries.values(), key=lambda entry: entry["log_loss"])
            self.assertEqual(result["best"], best["configuration"])
        alone = json.loads(self.ok("run", "a.csv", "--multiclass", "ovo", "--json").stdout)
        again = json.loads(self.ok("compare", "a.csv", "--multiclass", "ovo", "--json").stdout)
        self.assertEqual(again["results"][0]["log_loss"], alone["log_loss"])

    def test_a_configuration_file_can_say_it(self):
        self.write("a.csv", stream(300))
        self.write("c.toml", 'multiclass = "ovo"\n')
        result = json.loads(self.ok("run", "a.csv", "--config", "c.toml", "--json").stdout)
        self.assertEqual(result["multiclass"], "ovo")
        self.assertIn('multiclass = "ovo"', self.ok("config", "--multiclass", "ovo").stdout)

    def test_numbers_are_classes_by_value(self):
        rows = "".join(f"{i % 7},{i % 5},{['10', '9.0', '+2'][i % 3]}\n" for i in range(300))
        self.write("a.csv", "a,b,y\n" + rows)
        result = json.loads(self.ok("run", "a.csv", "--json").stdout)
        self.assertEqual(result["label"]["classes"], ["2", "9", "10"])

    def test_libsvm_rows_have_classes_too(self):
        rows = "".join(f"{i % 3 + 1} 1:{i % 3} 2:{i % 5}\n" for i in range(300))
        self.write("a.svm", rows)
        result = json.loads(self.ok("run", "a.svm", "--json").stdout)
        self.assertEqual(result["label"]["classes"], ["1", "2", "3"])
        self.assertGreater(result["accuracy"], 0.8)


class Refused(InFolder):
    def refused(self, code, parts, *arguments):
        done = run(*arguments, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)

    def test_more_values_than_look_like_classes(self):
        self.write("a.csv", "x,y\n" + "".join(f"{i},{i % 40}\n" for i in range(400)))
        self.refused(3, ["40 values", "--multiclass ovr", "--positive"], "run", "a.csv")
        self.ok("run", "a.csv", "--multiclass", "ovr")

    def test_more_classes_than_there_can_be(self):
        self.write("a.csv", "x,y\n" + "".join(f"{i},{i}\n" for i in range(400)))
        self.refused(3, ["400 values", "256 classes are the most"],
                     "run", "a.csv", "--multiclass", "ovr")
        self.refused(3, ["line 258", "would be class 257"],
                     "run", "a.csv", "--multiclass", "ovr", "--sample", "50")

    def test_a_word_among_classes_that_are_numbers(self):
        self.write("a.csv", "x,y\n" + "".join(f"{i},{i % 3}\n" for i in range(300)) + "1,two\n2,\n")
        self.refused(3, ["line 302", "'two' is not a number"],
                     "run", "a.csv", "--sample", "100")
        done = self.ok("run", "a.csv", "--sample", "100", "--on-bad-row", "skip", "--json")
        self.assertEqual(json.loads(done.stdout)["bad_rows"], 2)

    def test_what_contradicts_itself(self):
        self.write("a.csv", stream(100))
        self.refused(2, ["--positive", "--multiclass"],
                     "run", "a.csv", "--multiclass", "ovr", "--positive", "oak")
        self.refused(2, ["ovr"], "run", "a.csv", "--multiclass", "ovx")
        for options in (["--cost-fp", "5"], ["--negatives-kept", "0.5"]):
            for verb in ("run", "compare"):
                self.refused(2, ["several classes", "--positive"], verb, "a.csv", *options)
        self.ok("run", "a.csv", "--save", "m")
        self.refused(2, ["several classes"], "predict", "a.csv", "--model", "m", "--cost-fn", "2")
        self.refused(2, ["--prior"], "predict", "a.csv", "--model", "m", "--prior", "0.2")
        self.refused(2, ["--load"], "run", "a.csv", "--load", "m", "--multiclass", "ovo")


if __name__ == "__main__":
    main()

"""Errors leave no trace: in a model that is saved after a bad row, in one that was loaded, and in one that predicts.

Rows that bring what a model has not seen are predicted, and it says of them what it says of an unseen value."""

import csv
import io
import json
import random

from support import InFolder, main, run

USAGE, DATA, IO = 2, 3, 5
BATCH = 10


def table(rows, first=0):
    """Numbers, a category, an amount and one of two labels."""
    lines = []
    for i in range(first, first + rows):
        draw = random.Random(i)
        label = draw.choice(["no", "yes"])
        colour = draw.choice(["red", "blue"])
        lines.append(f"{draw.gauss(label == 'yes', 1):.4f},{colour},{draw.randrange(9)},{label}")
    return lines


def classes(rows, first=0):
    return [line.rsplit(",", 1)[0] + "," + "abc"[i % 3] for i, line in enumerate(table(rows, first), first)]


def times(rows, first=0):
    """The same at some time; seconds are not the same from row to row."""
    return [f"{1709251200 + 97 * i + i * i % 50},{line}" for i, line in enumerate(table(rows, first), first)]


def libsvm(rows, first=0):
    return [f"{i % 2} 1:{random.Random(i).gauss(i % 2, 1):.4f} {2 + i % 3}:1" for i in range(first, first + rows)]


def vw(rows, first=0):
    return [f"{'1' if i % 2 else '-1'} |f size:{random.Random(i).gauss(i % 2, 1):.4f} {'abc'[i % 3]}"
            for i in range(first, first + rows)]


HEADER = "size,colour,amount,y"
COSTS = ["--cost-fp", 2, "--cost-fn-column", "amount"]
# What a row is like, the names of the columns, a row that brings what is new, options, and bad rows with what is
# said of them.
STREAMS = {
    "table.csv": (table, HEADER, "1,green,1,yes", [], {
        "oops,red,1,yes": "column 1: 'oops' in 'size' is not a number",
        "inf,red,1,yes": "column 1: 'inf' in 'size' is infinite",
        "1,white,1,maybe": "column 4: the label 'maybe' is neither 'no' nor 'yes'",
        "1,white,1,": "column 4: the label 'y' is missing",
        "1,white,1": "3 fields"}),
    "costs.csv": (table, HEADER, "1,green,1,yes", COSTS, {
        "1,white,-1,yes": "column 3: '-1' in 'amount' is no cost",
        "1,white,,yes": "column 3: the cost in 'amount' is missing",
        "1,white,1e13,yes": "column 3: '1e13' in 'amount' is no cost"}),
    "classes.csv": (classes, HEADER, "1,green,1,d", [], {
        "1,white,1,5": "column 4: the label '5' is a number",
        "1,white,1,": "column 4: the label 'y' is missing"}),
    "times.csv": (times, "sent_at," + HEADER, "2024-03-02 12:00:00,1,green,1,yes", [], {
        "soon,1,red,1,yes": "column 1: 'soon' in 'sent_at' is not a time",
        "-1e12,1,red,1,yes": "column 1: '-1e12' in 'sent_at' is not a time",
        "2024-04-01,oops,red,1,yes": "column 2: 'oops' in 'size' is not a number",
        "2024-04-01,1,white,1,maybe": "column 5: the label 'maybe' is neither 'no' nor 'yes'"}),
    "rows.svm": (libsvm, "", "1 77:1", [], {
        "1 88:1 1:x": "'x'", "1 88:1 1:1e200": "1e150", "7 88:1": "the label '7' is neither '0' nor '1'"}),
    "rows.vw": (vw, "", "1 |g new", [], {
        "1 |f later size:x": "'x'", "7 |f later": "the label '7' is neither '-1' nor '1'", "|f later": "no label"}),
}


class Models(InFolder):
    def read(self, name):
        return (self.folder / name).read_bytes()

    def rows(self, name, header, *lines):
        self.write(name, "\n".join([header, *lines] if header else lines) + "\n")

    def learned(self, name, header, lines, options=()):
        """The model `m` of these rows; its bytes."""
        self.rows("first-" + name, header, *lines)
        self.ok("run", "first-" + name, "--preset", "fast", "--save", "m", "--progress", "none", *options)
        return self.read("m")


class NoTrace(Models):
    def test_a_bad_row_leaves_the_whole_minibatches_before_it(self):
        for name, (rows, header, news, options, bad_rows) in STREAMS.items():
            before = self.learned(name, header, rows(60), options)
            good = rows(24, 60)  # two minibatches, and a part of one
            self.rows("good-" + name, header, *good[:2 * BATCH])
            self.ok("run", "good-" + name, "--load", "m", "--save", "wanted", *options)
            for bad, words in bad_rows.items():
                with self.subTest(name, bad=bad):
                    self.rows(name, header, *good, news, bad, *rows(30, 90))
                    done = run("run", name, "--load", "m", "--save", "m2", *options, cwd=self.folder)
                    self.assertEqual(done.returncode, DATA, done.stderr)
                    self.assertIn(f"{name}, line {(1 if header else 0) + 26}", done.stderr)
                    self.assertIn(words, done.stderr)
                    self.assertIn("stopped after 20 rows", done.stderr)
                    self.assertEqual(self.read("m2"), self.read("wanted"))
                    self.assertEqual(self.read("m"), before)

    def test_a_bad_row_in_the_first_minibatch_leaves_no_new_model(self):
        for name, (rows, header, news, options, bad_rows) in STREAMS.items():
            before = self.learned(name, header, rows(60), options)
            self.rows(name, header, *rows(4, 60), news, next(iter(bad_rows)), *rows(30, 90))
            with self.subTest(name):
                for save in ("m", "new"):
                    done = run("run", name, "--load", "m", "--save", save, *options, cwd=self.folder)
                    self.assertEqual(done.returncode, DATA, done.stderr)
                    self.assertIn(f"'{save}' is unchanged", done.stderr)
                    self.assertEqual(self.read("m"), before)
                self.assertFalse((self.folder / "new").exists())

    def test_skipped_rows_leave_no_trace(self):
        for name, (rows, header, news, options, bad_rows) in STREAMS.items():
            self.learned(name, header, rows(60), options)
            good = [*rows(24, 60), news, *rows(17, 90)]
            self.rows("good-" + name, header, *good)
            self.ok("run", "good-" + name, "--load", "m", "--save", "wanted", *options)
            bad = list(bad_rows)
            self.rows(name, header, *bad, *good[:24], *bad, *good[24:], *bad)
            done = self.ok("run", name, "--load", "m", "--save", "m2", "--on-bad-row", "skip", *options)
            self.assertRegex(done.stdout, rf"bad rows +{3 * len(bad)} skipped")
            self.assertEqual(self.read("m2"), self.read("wanted"), name)

    def test_a_bad_option_changes_no_file(self):
        before = self.learned("table.csv", HEADER, table(60))
        self.rows("rows.csv", HEADER, *table(30, 60))
        self.rows("other.csv", "a,b,y", "1,2,yes", "2,1,no")
        for words, code in {"rows.csv --cost-fp -1": USAGE, "rows.csv --cost-fp nan": USAGE,
                            "rows.csv --cost-fn 1e13": USAGE, "rows.csv --cost-fn-column nothing": USAGE,
                            "rows.csv --cost-fn-column y": USAGE, "rows.csv --negatives-kept 0": USAGE,
                            "rows.csv --label colour": USAGE, "rows.csv --learner logistic": USAGE,
                            "other.csv": DATA, "nothing.csv": IO}.items():
            with self.subTest(words):
                done = run("run", *words.split(), "--load", "m", "--save", "m", cwd=self.folder)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertEqual(self.read("m"), before)

    def test_a_class_too_many_leaves_the_others(self):
        lines = [f"{i},c{i % 250}" for i in range(500)]
        options = ["--multiclass", "ovr", "--learners", 1, "--learner", "gaussian_nb", "--batch", 250]
        self.learned("many.csv", "n,y", lines, options)
        self.rows("more.csv", "n,y", *[f"{i},c{i}" for i in range(250)], *[f"{i},d{i}" for i in range(7)])
        self.rows("good.csv", "n,y", *[f"{i},c{i}" for i in range(250)])
        self.ok("run", "good.csv", "--load", "m", "--save", "wanted")
        done = run("run", "more.csv", "--load", "m", "--save", "m2", cwd=self.folder)
        self.assertEqual(done.returncode, DATA, done.stderr)
        self.assertIn("more.csv, line 258, column 2: the label 'd6' would be class 257", done.stderr)
        self.assertEqual(self.read("m2"), self.read("wanted"))


class Unseen(Models):
    def probabilities(self, name, header, *lines):
        """What `m` says of these rows."""
        self.rows(name, header, *lines)
        before = self.read("m")
        said = self.ok("predict", name, "--model", "m").stdout
        self.assertEqual(self.read("m"), before)
        rows = list(csv.DictReader(io.StringIO(said)))
        self.assertEqual(len(rows), len(lines))
        return [{key: value for key, value in row.items() if key not in ("row", "label")} for row in rows]

    def test_a_new_category_is_as_none_of_those_that_are_known(self):
        # Missing is a value like any other, and was not seen either.
        self.learned("table.csv", HEADER, table(60))
        said = self.probabilities("x.csv", "size,colour,amount", "1,green,3", "1,,3", "1,white,3", "1,red,3",
                                  "1,blue,3")
        self.assertEqual(said[0], said[1])
        self.assertEqual(said[0], said[2])
        self.assertNotEqual(said[0], said[3])
        self.assertNotEqual(said[0], said[4])
        # Alone or beside others, one at a time or many.
        self.assertEqual(self.probabilities("y.csv", "size,colour,amount", "1,green,3"), said[:1])

    def test_a_category_without_room_is_as_the_others_without_room(self):
        self.learned("table.csv", HEADER, [*table(60), *["1,green,3,yes"] * 5], ["--set", "encoder.max_categories=2"])
        features = json.loads(self.ok("inspect", "m", "--json").stdout)
        self.assertIn("colour=*", json.dumps(features))
        said = self.probabilities("x.csv", "size,colour,amount", "1,green,3", "1,white,3", "1,red,3")
        self.assertEqual(said[0], said[1])
        self.assertNotEqual(said[0], said[2])

    def test_a_new_name_is_as_if_it_were_absent(self):
        self.learned("rows.svm", "", libsvm(60))
        said = self.probabilities("x.svm", "", "1 1:0.5 2:1", "1 1:0.5 2:1 99:7", "1 99:7", "1 98:1 97:1")
        self.assertEqual(said[0], said[1])
        self.assertEqual(said[2], said[3])
        self.assertNotEqual(said[0], said[2])
        self.learned("rows.vw", "", vw(60))
        said = self.probabilities("x.vw", "", "|f size:0.5 a", "|f size:0.5 a new:7 |g size:2 a")
        self.assertEqual(said[0], said[1])

    def test_a_new_class_is_a_label_that_is_repeated(self):
        for rows, labels in ((table, ["maybe", "", "7"]), (classes, ["d", "", "7"])):
            self.learned("table.csv", HEADER, rows(60))
            lines = ["1,red,3", "0.5,blue,2", "2,green,1"]
            expected = self.probabilities("x.csv", "size,colour,amount", *lines)
            self.assertEqual(self.probabilities("y.csv", HEADER, *map(",".join, zip(lines, labels))), expected)
            said = self.ok("predict", "y.csv", "--model", "m").stdout
            self.assertEqual([row["label"] for row in csv.DictReader(io.StringIO(said))], labels)

    def test_bad_rows_of_predict_leave_the_model_and_cost_no_other_row(self):
        for name, (rows, header, news, options, bad_rows) in STREAMS.items():
            before = self.learned(name, header, rows(60), options)
            good = [*rows(6, 60), news]
            self.rows("good-" + name, header, *good)
            expected = self.ok("predict", "good-" + name, "--model", "m", *options).stdout
            for bad, words in bad_rows.items():
                with self.subTest(name, bad=bad):
                    self.rows(name, header, *good, bad)
                    done = run("predict", name, "--model", "m", *options, cwd=self.folder)
                    if "label" in words:  # which is not needed
                        self.assertEqual(done.returncode, 0, done.stderr)
                        self.assertEqual(done.stdout.splitlines()[:-1], expected.splitlines())
                    else:
                        self.assertEqual(done.returncode, DATA, done.stderr)
                        self.assertIn(words, done.stderr)
                        self.assertEqual(done.stdout, expected)
                    self.assertEqual(self.read("m"), before)


if __name__ == "__main__":
    main()

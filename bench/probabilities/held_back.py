"""Measures the log-loss on rows unlike those that were learned.

    held_back.py BUILD_DIR [--data DIR] [--streams NAME ...] [--rows N] [--seed N] [--jobs N] [--json]
                 [--variant NAME=OPTIONS ...]

BUILD_DIR is a release build. From each stream some rows are held back. `plumbline run` learns the others in their order;
`plumbline predict` predicts those held back, and nothing is learned from them:

  - "first half", "second half": two columns that count up, `id` and `time`, are put in front of the others, and one half
    of the rows is held back. The two columns say nothing about the label, but the halves have none of their values in common.
    The last column, "without", is the first variant without `id` and `time`;
  - "low", "high": the quarter of the rows with the lowest or the highest values of a column. The columns are the three
    with 20 different values or more that are correlated most with the label; the table has their mean.

The table shows the mean log-loss of the rows held back for each variant of the options of `plumbline run`. By default
these are the preset fast with `reach=0`, which lets its linear models extrapolate ("off"), and the preset fast ("on").
"share" always predicts the share of positives among the rows learned. `id` and `time` are read as numbers; otherwise
`plumbline run` would leave out the first and take the second for a time.
"""

import argparse
import concurrent.futures
import csv
import io
import json
import math
import os
import pathlib
import random
import shlex
import statistics
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from support import data_options, output_of, say

DATA_SETS = ["electricity", "weather", "forest", "landsat", "musk2", "spambase", "waveform"]
GENERATED = {
    "sea": ["sea"],
    "hyperplane": ["hyperplane"],
    "random_rbf": ["random_rbf"],
    "agrawal 1": ["agrawal"],
    "agrawal 5": ["agrawal:function=5"],
    "generated waveform": ["waveform"],
}
HALVES, RANGES = ("first half", "second half"), ("low", "high")
WITHOUT = "without"
COLUMNS = 3
LEAST_VALUES = 20
COUNTING = ["id", "time"]
VARIANTS = {
    "off": ["--preset", "fast", "--companions",
            *(f"logistic_adaptive:forgetting={kept}" for kept in (0.9999, 0.999, 0.99))],
    "on": ["--preset", "fast"],
}


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--data", help="folder of the data sets; else where plumbline looks, or ../shared/data")
    parser.add_argument("--streams", nargs="+", metavar="NAME", help="only these")
    parser.add_argument("--rows", type=int, default=20000, help="rows of a stream at most [20000]")
    parser.add_argument("--seed", type=int, default=1, help="of generated rows and of shuffles [1]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time [all cores]")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.add_argument("--variant", action="append", metavar="NAME=OPTIONS", help="instead of off and on")
    given = parser.parse_args()
    given.variants = VARIANTS
    if given.variant:
        given.variants = {name: shlex.split(options) for name, _, options in
                          (text.partition("=") for text in given.variant)}
    return given


def payments(count, seed):
    """Payments, of which some in a hundred are fraud."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count):
        country, device = rng.choices("ABCDE", [50, 20, 15, 10, 5])[0], rng.choice(["phone", "web", "till"])
        amount = rng.lognormvariate(3.5, 1)
        odds = -4 + 1.5 * (country == "E") + 0.7 * (device == "web") + 0.5 * (math.log(amount) - 3.5)
        rows.append([country, f"{amount:.2f}", device, int(rng.random() < 1 / (1 + math.exp(-odds)))])
    return ["country", "amount", "device", "label"], rows


def labels(rows):
    return [row[-1] for row in rows]


def mean_log_loss(predictions):
    return statistics.fmean(-math.log(max(probability if label else 1 - probability, 1e-15))
                            for probability, label in predictions)


def halves(header, rows):
    """The kind of rows held back, the names of the columns, the rows to learn and the rows held back."""
    rng = random.Random(1)
    time, counted = 1_700_000_000, []
    for id, row in enumerate(rows, 1):
        time += rng.randrange(1, 120)
        counted.append([id, time, *row])
    half = len(rows) // 2
    for with_count, names, all_rows in ((True, [*COUNTING, *header], counted), (False, header, rows)):
        yield HALVES[0], with_count, names, all_rows[half:], all_rows[:half]
        yield HALVES[1], with_count, names, all_rows[:half], all_rows[half:]


def numbers(rows, column):
    """The values of a column of many numbers, else None."""
    try:
        values = [float(row[column]) for row in rows]
    except ValueError:
        return None
    return values if len(set(values)) >= LEAST_VALUES else None


def ranges(header, rows):
    """As `halves`."""
    columns = {column: values for column in range(len(header) - 1)
               if (values := numbers(rows, column)) is not None}
    by_correlation = sorted(columns, key=lambda column: -abs(statistics.correlation(columns[column], labels(rows))))
    for column in by_correlation[:COLUMNS]:
        values = columns[column]
        low, _, high = statistics.quantiles(values, n=4)
        for name, held in zip(RANGES, (lambda value: value < low, lambda value: value > high)):
            parts = [[], []]
            for row, value in zip(rows, values):
                parts[held(value)].append(row)
            # A column with few values may have almost none beyond its quartile.
            if len(parts[1]) * 20 >= len(rows) and len(set(labels(parts[0]))) == 2:
                yield name, True, header, *parts


class Bench:
    def __init__(self, given):
        self.given = given
        self.plumbline = given.build / "plumbline"
        self.where = data_options(given.data)
        self.names = given.streams or ["payments", *DATA_SETS, *GENERATED]

    def stream(self, name):
        """The names of the columns, and the rows, with labels 0 and 1."""
        limit, seed = self.given.rows, self.given.seed
        if name == "payments":
            return payments(limit, seed)
        source = (["generate", *GENERATED[name], "-n", limit] if name in GENERATED
                  else ["datasets", "task", name, *self.where])
        header, *rows = csv.reader(io.StringIO(output_of(self.plumbline, *source, "--seed", seed)))
        positive = max(row[-1] for row in rows)
        return header, [[*values, int(label == positive)] for *values, label in rows[:limit]]

    def log_loss(self, learned, held_back, model, options):
        output_of(self.plumbline, "run", learned, "--save", model, "--label", "label", "--progress", "none",
                  "--threads", 1, *options)
        lines = csv.DictReader(io.StringIO(output_of(self.plumbline, "predict", held_back, "--model", model)))
        return mean_log_loss((float(line["probability"]), line["label"] == "1") for line in lines)

    def log_losses(self, all_variants, header, learned, held_back):
        """Of each variant and of saying the share of positives, or of the first variant alone."""
        result = {}
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, name) for name in ("learned.csv", "held_back.csv")]
            for file, rows in zip(files, (learned, held_back)):
                with open(file, "w", newline="") as out:
                    csv.writer(out).writerows([[*header[:-1], "label"], *rows])
            variants = list(self.given.variants.items())
            numeric = ["--numeric", *COUNTING] if header[:2] == COUNTING else []
            for name, options in variants if all_variants else [(WITHOUT, variants[0][1])]:
                result[name] = self.log_loss(*files, pathlib.Path(folder, name), [*options, *numeric])
        if all_variants:
            share = statistics.fmean(labels(learned))
            result["share"] = mean_log_loss((share, label) for label in labels(held_back))
        return result


def measure(given):
    """The log-loss of each stream, what is held back, and variant."""
    bench = Bench(given)
    table = {}
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for name in bench.names:
            header, rows = bench.stream(name)
            pending = [(what, pool.submit(bench.log_losses, *task))
                       for split in (halves, ranges) for what, *task in split(header, rows)]
            found = table[name] = {}
            for what, result in pending:
                for variant, loss in result.result().items():
                    found.setdefault(what, {}).setdefault(variant, []).append(loss)
            say(f"{name} done")
    return {name: {what: {variant: statistics.fmean(losses) for variant, losses in variants.items()}
                   for what, variants in found.items()} for name, found in table.items()}


def print_table(table, splits, columns):
    def line(name, cells):
        print(f"{name:<19}" + "".join(f" {cell:>{9 if i % len(columns) else 12}}" for i, cell in enumerate(cells)))

    print(f"{'':<19}" + "".join(f" {what:>{13 + 10 * (len(columns) - 1) - 1}}" for what in splits))
    line("stream", [*columns] * len(splits))
    values = {name: [found.get(what, {}).get(column) for what in splits for column in columns]
              for name, found in table.items()}
    for name, cells in values.items():
        line(name, ["-" if cell is None else f"{cell:.4f}" for cell in cells])
    line("mean", [f"{statistics.fmean(cell for cell in cells if cell is not None):.4f}" for cells in zip(*values.values())])


def main():
    given = arguments()
    table = measure(given)
    if given.json:
        print(json.dumps(table, indent=1))
        return
    print_table(table, HALVES, ["share", *given.variants, WITHOUT])
    print()
    print_table(table, RANGES, ["share", *given.variants])
    print("\nMean log-loss of the rows held back; lower is better.")


if __name__ == "__main__":
    main()

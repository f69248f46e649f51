#!/usr/bin/env python3
"""What part of the wrapper's time is waiting for memory: cold.py [--rows N] [--rounds N]

Around a model that uses much memory, the steps of river's OnlineCalibrated find the processor's caches full of other data.
This script wraps a model that predicts at random and touches so many MiB in each call, one number per cache line, and
prints the µs per row that are spent outside of it, the median of all rows, least of the rounds:

  empty       a wrapper in Python that only calls the model, and counts
  calibrated  plumbline.river.OnlineCalibrated

The row of 0 MiB is the time of the instructions. What is more in the other rows is waiting. Needs plumbline and river.
"""

import argparse
import pathlib
import random
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import numpy as np  # noqa: E402
from river import base  # noqa: E402

from run import Stopwatch  # noqa: E402

import plumbline.river  # noqa: E402

MIB = [0, 0.25, 1, 4, 16, 64]


class Touching(base.Classifier):
    """Predicts at random, and touches memory in each call."""

    def __init__(self, mib, classes):
        self.mib, self.classes = mib, classes
        self.numbers = np.zeros(int(mib * 2**20 / 8))
        self.rng = random.Random(1)

    def predict_proba_one(self, x):
        self.numbers[::8] += 1
        weights = [self.rng.random() + 0.01 for _ in range(self.classes)]
        total = sum(weights)
        return {k: weight / total for k, weight in enumerate(weights)}

    def learn_one(self, x, y):
        self.numbers[::8] += 1


class Empty:
    """The least that a wrapper in Python does."""

    def __init__(self, model):
        self.model, self.learned = model, 0

    def predict_proba_one(self, x):
        return dict(self.model.predict_proba_one(x))

    def learn_one(self, x, y):
        self.learned += 1
        self.model.learn_one(x, y)


def added(wrapper, data):
    watch, times = Stopwatch(), []
    watch.watch(wrapper.model, ("predict_proba_one", "learn_one"))

    def step(x, y):
        wrapper.predict_proba_one(x)
        wrapper.learn_one(x, y)

    for x, y in data:
        times.append(watch.around(lambda: step(x, y))[1])
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=500, help="of each round [500]")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--classes", type=int, default=2)
    options = parser.parse_args()
    rng = random.Random(2)
    data = [({f"x{j}": rng.random() for j in range(8)}, rng.randrange(options.classes)) for _ in range(options.rows)]
    wrappers = {"empty": Empty, "calibrated": plumbline.river.OnlineCalibrated}
    print(f"| MiB touched in each call | {' | '.join(f'{name}, µs per row' for name in wrappers)} | difference |")
    print("|---|---|---|---|")
    for mib in MIB:
        least = [min(added(make(Touching(mib, options.classes)), data) for _ in range(options.rounds))
                 for make in wrappers.values()]
        print(f"| {mib:g} | {' | '.join(f'{one:.1f}' for one in least)} | {least[1] - least[0]:.1f} |", flush=True)


if __name__ == "__main__":
    main()

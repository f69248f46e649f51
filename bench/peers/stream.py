"""Code shared by the Python peers: the stream in memory, the clocks, and the line that each prints.

The task is CSV with a header, features as numbers and the label, 0 or 1, as the last column.
"""

import json
import pathlib
import re
import time

import numpy

CLIP = 1e-15  # of a probability inside the logarithm, as plumbline's


def load(path, limit=0, standardise=False):
    """The first `limit` rows (all of them if 0) as features and labels.

    Standardised with the running means and deviations of the rows so far, the present one included,
    as plumbline does it (by minibatch); before any clock runs, as there.
    """
    rows = numpy.loadtxt(path, delimiter=",", skiprows=1, max_rows=limit or None)
    x, y = numpy.ascontiguousarray(rows[:, :-1]), rows[:, -1].astype(int)
    if standardise:
        seen = numpy.arange(1, len(x) + 1)[:, None]
        mean = numpy.cumsum(x, axis=0) / seen
        variance = numpy.cumsum(x * x, axis=0) / seen - mean * mean
        deviation = numpy.sqrt(numpy.maximum(variance, 0))
        # The variance of a constant is rounding error.
        varies = deviation > 1e-6 * (1 + numpy.abs(mean))
        x = numpy.where(varies, (x - mean) / numpy.where(varies, deviation, 1), 0)
    return x, y


def memory(field):
    """VmRSS or VmHWM, the peak, in KiB. (getrusage would tell the parent's if that is larger.)"""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(re.search(rf"^{field}:\s+(\d+)", status, re.MULTILINE)[1])


class Clock:
    """with Clock() as clock: …; then clock.wall and clock.cpu, in seconds."""

    def __enter__(self):
        self.wall, self.cpu = -time.perf_counter(), -time.process_time()
        return self

    def __exit__(self, *_):
        self.wall += time.perf_counter()
        self.cpu += time.process_time()


def quality(probabilities, labels):
    """The mean log-loss and the accuracy. What is no number counts as 0.5."""
    p = numpy.nan_to_num(numpy.asarray(probabilities, dtype=float), nan=0.5)
    y = numpy.asarray(labels)
    of_label = numpy.clip(numpy.where(y == 1, p, 1 - p), CLIP, 1)
    return {"log_loss": float(-numpy.log(of_label).mean()), "accuracy": float(((p > 0.5) == (y == 1)).mean())}


def report(examples, learn, predict, loaded, **more):
    """Prints the line: `learn` is the clock of predicting and learning, `predict` of predicting alone."""
    line = {"examples": examples, "seconds_learn": learn.wall, "seconds_predict": predict.wall,
            "cpu_learn": learn.cpu, "cpu_predict": predict.cpu,
            "loaded_kib": loaded, "peak_kib": memory("VmHWM"), **more}
    print(json.dumps(line))

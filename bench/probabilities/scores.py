"""The quality of probabilities: log-loss and accuracy, raw and calibrated, and summaries over all streams."""

import array
import hashlib
import math
import random
import statistics
import subprocess

CLIP = 1e-15


def read_probabilities(path, classes):
    values = array.array("d")
    with open(path, "rb") as file:
        values.frombytes(file.read())
    if not all(0 <= value <= 1 for value in values):
        raise ValueError(f"{path}: not all are probabilities")
    return [values[i:i + classes] for i in range(0, len(values), classes)]


def log_loss(rows, labels):
    """The mean of -ln p(label), with p at least 1e-15."""
    if len(rows) != len(labels):
        raise ValueError(f"{len(rows)} predictions of {len(labels)} rows")
    return statistics.fmean(-math.log(max(row[label], CLIP)) for row, label in zip(rows, labels))


def accuracy(rows, labels):
    """The share of rows whose class is the most likely one; of equally likely ones, the first."""
    return statistics.fmean(max(range(len(row)), key=row.__getitem__) == label for row, label in zip(rows, labels))


def to_power(row, power):
    """Probabilities proportional to p^power; zero counts as the smallest normal number."""
    logs = [power * math.log(max(p, 2.3e-308)) for p in row]
    powers = [math.exp(value - max(logs)) for value in logs]
    return [value / sum(powers) for value in powers]


class Calibration:
    """Our own calibrator, test-then-learn on each row (calibrate.cpp)."""

    def __init__(self, program):
        self.program = program
        rng = random.Random(1)
        fixed = [(label := rng.randrange(2), [1 - (p := rng.betavariate(1 + label, 2 - label)), p]) for _ in range(500)]
        # The version of the calibrator: it changes if, and only if, its answers do.
        answers = self.apply([row for _, row in fixed], [label for label, _ in fixed])
        self.version = hashlib.sha256(repr(answers).encode()).hexdigest()[:12]

    def apply(self, rows, labels):
        lines = "".join(f"{label} {' '.join(map(repr, row))}\n" for row, label in zip(rows, labels))
        done = subprocess.run([self.program], input=lines, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        return [[float(word) for word in line.split()] for line in done.stdout.splitlines()]

    def log_loss(self, rows, labels, power):
        if power != 1:
            rows = [to_power(row, power) for row in rows]
        return log_loss(self.apply(rows, labels), labels)


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def best(results, kind):
    """The name of the peer with the lowest loss of that kind, and the loss; None without any."""
    found = [(result[kind], name) for name, result in results.items() if kind in result]
    return min(found)[::-1] if found else None

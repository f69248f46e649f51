#!/usr/bin/env python3
"""What scores of another model add to plumbline's own: scores.py BUILD [STREAM …] [options]

The other model is a batch model: scikit-learn's HistGradientBoostingClassifier, fitted to the first half of each stream and
fixed from then on. On the second half, each row is predicted before it is learned by the preset auto, by a calibrator of
the batch model's probabilities, and by auto with them as scores (`plumbline run --scores`). Prints their log-losses.
Needs the package plumbline with scikit-learn and pandas (docs/python.md); BUILD has the tool that writes the streams.
"""

import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "probabilities")]

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: E402

import plumbline  # noqa: E402
from streams import NAMES, Streams  # noqa: E402
from support import data_options, say  # noqa: E402

STREAMS = ["sea, drift", "hyperplane, fast", "random_rbf", "agrawal 1, then 4", "generated waveform", "electricity",
           "weather", "spambase", "krvskp"]


def log_loss(p, y):
    metric = plumbline.Metric("log_loss")
    metric.update(np.ascontiguousarray(p), y)
    return metric.value


def row_by_row(p, y):
    """The log-loss of probabilities that are calibrated online."""
    calibrator = plumbline.OnlineCalibrator(classes=[0, 1])
    calibrated = []
    for score, label in zip(p, y):
        calibrated.append(calibrator.predict_proba([score])[0, 1])
        calibrator.partial_fit([score], [label])
    return log_loss(np.array(calibrated), y)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="folder with the tool, such as build/release")
    parser.add_argument("streams", nargs="*", help=f"of {', '.join(NAMES)}")
    parser.add_argument("--rows", type=int, default=10000, help="of each stream, at most [10000]")
    parser.add_argument("--data", type=pathlib.Path, help="folder of the data sets, as for 'plumbline datasets'")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_intermixed_args()
    streams = Streams(options.build / "plumbline", data_options(options.data), options.build / "bench" / "streams",
                      seed=options.seed, limit=options.rows, generated=options.rows)
    print("| stream | batch model | calibrated | auto | auto with its scores |\n|---|---|---|---|---|")
    for stream in options.streams or STREAMS:
        try:
            table = pd.read_csv(streams.path(stream), nrows=options.rows)
        except SystemExit as error:
            say(f"{stream} is left out: {str(error).splitlines()[-1]}")
            continue
        X, y = table.iloc[:, :-1], table.iloc[:, -1].to_numpy()
        half = len(y) // 2
        batch = HistGradientBoostingClassifier(random_state=1).fit(X[:half], y[:half])
        X, y = X[half:].reset_index(drop=True), y[half:]
        p = batch.predict_proba(X)[:, 1]
        alone = plumbline.Model(classes=[0, 1]).step(X, y).to_numpy()[:, 1]
        both = plumbline.Model(classes=[0, 1], scores=["batch"]).step(X.assign(batch=p), y).to_numpy()[:, 1]
        losses = [log_loss(p, y), row_by_row(p, y), log_loss(alone, y), log_loss(both, y)]
        print(f"| {stream} | " + " | ".join(f"{loss:.4f}" for loss in losses) + " |", flush=True)


if __name__ == "__main__":
    main()

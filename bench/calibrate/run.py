#!/usr/bin/env python3
"""Measures the gain from calibrating river's and scikit-learn's own models: run.py BUILD [STREAM …] [options]

Each stream is predicted before it is learned, by a model alone and by plumbline's OnlineCalibrated around a copy of it:
river's models row by row, scikit-learn's in minibatches. Prints a table for each package: the log-loss of both, their
ratio, and the time per row that is spent in the wrapper and not in the model, the median of all rows. Needs the package plumbline with
river and scikit-learn (docs/python.md); BUILD has the tool that writes the streams.
"""

import argparse
import csv
import math
import pathlib
import statistics
import sys
import time
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "probabilities")]

import numpy as np  # noqa: E402
from river import ensemble, forest, linear_model, naive_bayes, neighbors, preprocessing, tree  # noqa: E402
from sklearn.linear_model import Perceptron, SGDClassifier  # noqa: E402
from sklearn.naive_bayes import BernoulliNB, ComplementNB, GaussianNB, MultinomialNB  # noqa: E402
from sklearn.neural_network import MLPClassifier  # noqa: E402

import plumbline  # noqa: E402
import plumbline.river  # noqa: E402
from streams import NAMES, Streams  # noqa: E402
from support import data_options, say  # noqa: E402

STREAMS = ["sea, drift", "hyperplane, fast", "random_rbf", "agrawal 1, then 4", "generated waveform", "electricity",
           "weather", "spambase", "krvskp", "landsat, 6 classes", "forest, 7 classes", "led, 10 classes"]
RIVER = {
    "Naive Bayes": lambda classes: naive_bayes.GaussianNB(),
    "logistic regression": lambda classes: (
        linear_model.LogisticRegression() if classes == 2 else linear_model.SoftmaxRegression()),
    "HoeffdingAdaptiveTree": lambda classes: tree.HoeffdingAdaptiveTreeClassifier(seed=1),
    "AMF": lambda classes: forest.AMFClassifier(seed=1),
    "ARF": lambda classes: forest.ARFClassifier(seed=1),
}
SKLEARN = {
    "GaussianNB": lambda: GaussianNB(),
    "SGD, log-loss": lambda: SGDClassifier(loss="log_loss", random_state=1),
    "SGD, modified Huber": lambda: SGDClassifier(loss="modified_huber", random_state=1),
    "MLP": lambda: MLPClassifier(random_state=1),
}
# Models on which no setting of the wrappers was tried (--others).
OTHER_RIVER = {
    "Bernoulli Naive Bayes": lambda classes: naive_bayes.BernoulliNB(),
    "Multinomial Naive Bayes": lambda classes: naive_bayes.MultinomialNB(),
    "Complement Naive Bayes": lambda classes: naive_bayes.ComplementNB(),
    "10 nearest neighbors": lambda classes: neighbors.KNNClassifier(n_neighbors=10),
    "ExtremelyFastDecisionTree": lambda classes: tree.ExtremelyFastDecisionTreeClassifier(),
    "bagged Hoeffding trees": lambda classes: ensemble.ADWINBaggingClassifier(
        tree.HoeffdingTreeClassifier(), n_models=3, seed=1),
}
OTHER_SKLEARN = {
    "PassiveAggressive": lambda: SGDClassifier(loss="hinge", penalty=None, learning_rate="pa1", eta0=1.0, random_state=1),
    "Perceptron": lambda: Perceptron(random_state=1),
    "BernoulliNB": lambda: BernoulliNB(),
    "MultinomialNB": lambda: MultinomialNB(),
    "ComplementNB": lambda: ComplementNB(),
    "MLP, 3 layers": lambda: MLPClassifier((50, 50, 50), learning_rate_init=0.01, random_state=1),
}
SLOW = ("AMF", "ARF", "10 nearest neighbors", "bagged Hoeffding trees")
COUNTS = ("Multinomial Naive Bayes", "Complement Naive Bayes", "MultinomialNB", "ComplementNB")  # need counts
CLIP = 1e-15


class Stopwatch:
    """The time spent in the methods of a model, while `watch` is on it."""

    def __init__(self):
        self.spent, self.inside = 0.0, False

    def watch(self, model, names):
        for name in names:
            setattr(model, name, self.timed(getattr(model, name)))

    def timed(self, method):
        def call(*arguments, **options):
            if self.inside:  # a method that calls another one
                return method(*arguments, **options)
            self.inside, start = True, time.perf_counter()
            result = method(*arguments, **options)
            self.spent += time.perf_counter() - start
            self.inside = False
            return result

        return call

    def around(self, work):
        """What `work` returns, and its microseconds outside of the methods that are watched."""
        before, start = self.spent, time.perf_counter()
        result = work()
        return result, (time.perf_counter() - start - (self.spent - before)) * 1e6


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def read(path, limit):
    with open(path, newline="") as file:
        lines = csv.reader(file)
        names = next(lines)[:-1]
        rows = [list(map(float, line)) for line, _ in zip(lines, range(limit))]
    labels = [int(row.pop()) for row in rows]
    return names, rows, labels


def loss_of(found, label):
    return -math.log(min(max(found.get(label, 0.0), CLIP), 1 - CLIP))


def run_river(model, scaler, data, inner=None):
    """The mean log-loss, and the median of the microseconds per row that are not spent in the inner model."""
    watch, total, added = Stopwatch(), 0.0, []
    if inner is not None:
        watch.watch(inner, ("predict_proba_one", "learn_one"))

    def step(x, y):
        found = model.predict_proba_one(x)
        model.learn_one(x, y)
        return found

    for x, y in data:
        if scaler is not None:
            scaler.learn_one(x)
            x = scaler.transform_one(x)
        found, outside = watch.around(lambda: step(x, y))
        added.append(outside)
        total += loss_of(found, y) if found else 0.0
    return total / len(data), statistics.median(added)


def probabilities_of(model, X):
    """Of a model that has none: the logistic function, or softmax, of its decision function."""
    if hasattr(model, "predict_proba"):
        return model.predict_proba(X)
    z = model.decision_function(X)
    z = np.stack([0 * z, z], axis=1) if z.ndim == 1 else z
    p = np.exp(z - z.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)


def run_sklearn(model, X, y, classes, batch, wrapper=False):
    """The same in minibatches, from the second one on."""
    model.partial_fit(X[:batch], y[:batch], classes=classes)
    watch, total, added = Stopwatch(), 0.0, []
    if wrapper:
        method = "predict_proba" if hasattr(model.estimator_, "predict_proba") else "decision_function"
        watch.watch(model.estimator_, (method, "partial_fit"))

    def step(part, labels):
        p = probabilities_of(model, part)
        model.partial_fit(part, labels)
        return p

    for i in range(batch, len(y), batch):
        part, labels = X[i:i + batch], y[i:i + batch]
        p, outside = watch.around(lambda: step(part, labels))
        added.append(outside / len(labels))
        chosen = np.nan_to_num(p[np.arange(len(labels)), labels], nan=0.0)
        total -= np.log(np.clip(chosen, CLIP, 1 - CLIP)).sum()
    return total / (len(y) - batch), statistics.median(added)


def table(title, results):
    """Markdown: a line for each stream and model."""
    lines = [f"\n{title}\n", "| stream | model | own log-loss | calibrated | ratio | µs per row added |",
             "|---|---|---|---|---|---|"]
    for stream, model, raw, calibrated, added in results:
        lines.append(f"| {stream} | {model} | {raw:.4f} | {calibrated:.4f} | {calibrated / raw:.3f} | {added:.1f} |")
    ratios = [calibrated / raw for *_, raw, calibrated, _ in results]
    added = [one[-1] for one in results]
    lines.append(f"\nratio: geometric mean {geometric_mean(ratios):.3f}, largest {max(ratios):.4f}; added: mean "
                 f"{sum(added) / len(added):.1f} µs, most {max(added):.1f} µs")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="folder with the tool, such as build/release")
    parser.add_argument("streams", nargs="*", help=f"of {', '.join(NAMES)}")
    parser.add_argument("--rows", type=int, default=5000, help="of each stream, at most [5000]")
    parser.add_argument("--forest-rows", type=int, default=2000, help="for slow models such as ARF and AMF [2000]")
    parser.add_argument("--batch", type=int, default=100, help="rows of a minibatch for scikit-learn [100]")
    parser.add_argument("--others", action="store_true", help="other models, on which no setting was tried")
    parser.add_argument("--models", nargs="*", help="names of models; all by default")
    parser.add_argument("--data", type=pathlib.Path, help="folder of the data sets, as for 'plumbline datasets'")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_intermixed_args()
    warnings.simplefilter("ignore")
    streams = Streams(options.build / "plumbline", data_options(options.data), options.build / "bench" / "streams",
                      seed=options.seed, limit=options.rows, generated=options.rows)
    rivers, sklearns = (OTHER_RIVER, OTHER_SKLEARN) if options.others else (RIVER, SKLEARN)
    of_river, of_sklearn = [], []
    for stream in options.streams or STREAMS:
        try:
            names, rows, labels = read(streams.path(stream), options.rows)
        except SystemExit as error:
            say(f"{stream} is left out: {str(error).splitlines()[-1]}")
            continue
        classes = max(labels) + 1
        target = [label == 1 for label in labels] if classes == 2 else labels
        data = [(dict(zip(names, row)), y) for row, y in zip(rows, target)]
        X, y = np.array(rows), np.array(labels)
        scaled = (X - X[:1000].mean(axis=0)) / (X[:1000].std(axis=0) + 1e-9)
        counts = np.clip(np.round(3 * (scaled + 2)), 0, 20)
        for name, make in rivers.items():
            if options.models and name not in options.models:
                continue
            part = data[:options.forest_rows] if name in SLOW else data
            if name in COUNTS:
                part = [(dict(zip(names, map(int, row))), y) for row, (_, y) in zip(counts, part)]
            scale = name == "logistic regression"
            scaler = preprocessing.StandardScaler if scale else lambda: None
            wrapped = plumbline.river.OnlineCalibrated(make(classes))
            raw, _ = run_river(make(classes), scaler(), part)
            found = raw, *run_river(wrapped, scaler(), part, wrapped.model)
            of_river.append((stream, name, *found))
            say(f"{stream}, river {name}: {found[0]:.4f} {found[1]:.4f} {found[1] / found[0]:.4f} {found[2]:.1f} µs")
        for name, make in sklearns.items():
            if options.models and name not in options.models:
                continue
            features = X if name == "GaussianNB" else counts if name in COUNTS else scaled
            raw, _ = run_sklearn(make(), features, y, np.arange(classes), options.batch)
            wrapped = plumbline.OnlineCalibrated(make(), batch=options.batch)
            found = raw, *run_sklearn(wrapped, features, y, np.arange(classes), options.batch, wrapper=True)
            of_sklearn.append((stream, name, *found))
            say(f"{stream}, scikit-learn {name}: {found[0]:.4f} {found[1]:.4f} {found[1] / found[0]:.4f} {found[2]:.1f} µs")
    for title, results in (("river, row by row", of_river), (f"scikit-learn, minibatches of {options.batch}", of_sklearn)):
        if results:
            print(table(title, results))


if __name__ == "__main__":
    main()

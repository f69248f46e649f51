"""One measurement of run.py, in the package's environment: inside.py WHAT [FILE]. Prints seconds for an example."""

import json
import math
import sys
import threading
import time

import numpy as np

import plumbline


def step(X, y):
    pieces = [(X[i:i + 50], y[i:i + 50]) for i in range(0, len(X), 50)]
    least = 1e9
    for _ in range(5):
        model = plumbline.Model("literal", classes=[0, 1], batch=50, encoder={"standardize": "false"}, threads=1)
        start = time.thread_time()
        for a, b in pieces:
            model.step(a, b)
        least = min(least, time.thread_time() - start)
    return least / len(X)


def learn_one(rows, labels):
    from plumbline.river import OnlineBoost

    least = 1e9
    for _ in range(3):
        model = OnlineBoost("literal")
        start = time.thread_time()
        for x, y in zip(rows, labels):
            model.learn_one(x, y)
        least = min(least, time.thread_time() - start)
    return least / len(rows)


def predict(X, y, threads):
    """By wall clock, of all threads together. Each thread works alone: the model's own would help them."""
    model = plumbline.Model(learners=25, threads=1).learn(X, y)
    parts = np.array_split(X, 2 * threads)
    least = 1e9
    for _ in range(5):
        def work(k):
            for part in parts[k::threads]:
                model.predict_proba(part)

        jobs = [threading.Thread(target=work, args=(k,)) for k in range(threads)]
        start = time.perf_counter()
        for job in jobs:
            job.start()
        for job in jobs:
            job.join()
        least = min(least, time.perf_counter() - start)
    return least / len(X)


def stream(name, model, rows, labels):
    loss = 0.0
    start = time.thread_time()
    for x, y in zip(rows, labels):
        p = model.predict_proba_one(x).get(y, 0.5)
        loss -= math.log(max(p, 1e-15))
        model.learn_one(x, y)
    seconds = time.thread_time() - start
    return json.dumps({"name": name, "seconds": seconds / len(rows), "loss": loss / len(rows)})


def count(minibatches):
    X, y = plumbline.generate("hyperplane:features=50", 50 * 350)
    model = plumbline.Model("literal", classes=[0, 1], batch=50, encoder={"standardize": "false"}, threads=1)
    for i in range(0, 50 * minibatches, 50):
        model.step(X[i:i + 50], y[i:i + 50])


def main():
    if sys.argv[1].startswith("count_"):
        return count(int(sys.argv[1].partition("_")[2]))
    what, path = sys.argv[1:]
    numbers = np.loadtxt(path, delimiter=",", skiprows=1)
    X, y = np.ascontiguousarray(numbers[:, :-1]), numbers[:, -1].astype(np.int64)
    rows = [dict(zip(map(str, range(X.shape[1])), row)) for row in X.tolist()]
    labels = (y == 1).tolist()
    if what == "minibatches":
        print(step(X, y))
    elif what == "learn_one":
        print(learn_one(rows, labels))
    elif what.startswith("predict_"):
        print(predict(X, y, int(what[-1])))
    elif what == "river":
        from river import ensemble, naive_bayes

        model = ensemble.AdaBoostClassifier(naive_bayes.GaussianNB(), n_models=10, seed=1)
        print(stream("river, AdaBoostClassifier of 10 GaussianNB", model, rows[:5000], labels[:5000]))
    else:
        from plumbline.river import OnlineBoost

        print(stream(f"plumbline, {what}", OnlineBoost(what), rows[:5000], labels[:5000]))


main()

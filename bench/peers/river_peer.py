"""river's AdaBoostClassifier: river_peer.py gaussian_nb|logistic TASK.csv [LIMIT]

Ten learners, example by example: the probability first, then learning. The examples are dictionaries, as
river takes them, made before the clock runs, and standardised for logistic regression.
"""

import sys

from river import ensemble, linear_model, naive_bayes

import stream

LEARNERS = {"gaussian_nb": naive_bayes.GaussianNB, "logistic": linear_model.LogisticRegression}
SIZE = 10


def main():
    learner, path, *limit = sys.argv[1:]
    x, y = stream.load(path, int(*limit or [0]), standardise=learner == "logistic")
    names = [f"x{i + 1}" for i in range(x.shape[1])]
    examples = [(dict(zip(names, row)), bool(label)) for row, label in zip(x.tolist(), y)]
    model = ensemble.AdaBoostClassifier(model=LEARNERS[learner](), n_models=SIZE, seed=1)
    loaded = stream.memory("VmRSS")

    before = []
    with stream.Clock() as learn:
        for features, label in examples:
            # Before any learning there is no probability.
            before.append(model.predict_proba_one(features).get(True, 0.0) if before else 0.5)
            model.learn_one(features, label)
    with stream.Clock() as predict:
        for features, _ in examples:
            model.predict_proba_one(features)
    stream.report(len(y), learn, predict, loaded, **stream.quality(before, y))


if __name__ == "__main__":
    main()

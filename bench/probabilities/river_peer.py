"""The probabilities of one of river's classifiers: river_peer.py TASK.csv CLASSES OUT LEARNER

Task, OUT and the last line of the output are those of MoaPeer.java. Classes that river does not name have
probability 0; before it names any, all are equally likely.
"""

import array
import csv
import itertools
import sys
import time

from river import compose, forest, linear_model, preprocessing, tree

CHUNK = 1000


def logistic(classes):
    model = linear_model.LogisticRegression() if classes == 2 else linear_model.SoftmaxRegression()
    return compose.Pipeline(preprocessing.StandardScaler(), model)


LEARNERS = {
    "arf": lambda classes: forest.ARFClassifier(seed=1),
    "amf": lambda classes: forest.AMFClassifier(seed=1),
    "hat": lambda classes: tree.HoeffdingAdaptiveTreeClassifier(seed=1),
    "logistic": logistic,
}


def shares(found, classes):
    """The probabilities of all classes, from those that river names."""
    values = [max(found.get(k, 0.0), 0.0) for k in range(classes)]
    total = sum(values)
    return [value / total for value in values] if total > 0 else [1 / classes] * classes


def main():
    task, classes, out, learner = sys.argv[1:]
    classes = int(classes)
    model = LEARNERS[learner](classes)
    spent = 0.0
    with open(task, newline="") as file, open(out, "wb") as answers:
        rows = csv.reader(file)
        names = next(rows)[:-1]
        while lines := list(itertools.islice(rows, CHUNK)):
            examples = [(dict(zip(names, map(float, values))), int(label)) for *values, label in lines]
            probabilities = array.array("d")
            start = time.process_time()
            for features, label in examples:
                # Before its first example some of river's models have no answer at all.
                probabilities.extend(shares(model.predict_proba_one(features) or {}, classes))
                model.learn_one(features, label)
            spent += time.process_time() - start
            probabilities.tofile(answers)
    print(spent)


if __name__ == "__main__":
    main()

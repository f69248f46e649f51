"""Measures of several classes against scikit-learn, and the coupling of pairs against scipy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from sklearn.metrics import accuracy_score, confusion_matrix, log_loss


@pytest.mark.parametrize("classes", [2, 3, 7])
def test_measures(driver, classes):
    rng = np.random.default_rng(classes)
    probabilities = rng.dirichlet(np.full(classes, 0.5), size=400)
    labels = np.array([rng.choice(classes, p=p) for p in probabilities])
    names = np.arange(classes)
    answer = driver("classes", probabilities=probabilities, labels=labels)
    # The sums are taken in another order.
    assert_allclose(answer["log_loss"], log_loss(labels, probabilities, labels=names), rtol=1e-12)
    brier = np.mean(np.sum((probabilities - np.eye(classes)[labels]) ** 2, axis=1))
    assert_allclose(answer["brier"], brier, rtol=1e-12)
    said = probabilities.argmax(axis=1)
    assert_allclose(answer["accuracy"], accuracy_score(labels, said), rtol=1e-15)
    assert_array_equal(answer["confusion"], confusion_matrix(labels, said, labels=names))


@pytest.mark.parametrize("classes", [3, 4, 6])
def test_coupling_is_the_constrained_minimum(driver, classes):
    rng = np.random.default_rng(classes)
    pairs = [(i, j) for j in range(classes) for i in range(j)]
    for _ in range(5):
        second = rng.uniform(size=len(pairs))

        def objective(p, second=second):
            return sum((r * p[i] - (1 - r) * p[j]) ** 2
                       for (i, j), r in zip(pairs, second, strict=True))

        found = minimize(objective, np.full(classes, 1 / classes), method="SLSQP",
                         bounds=[(0, 1)] * classes, options={"ftol": 1e-15, "maxiter": 1000},
                         constraints={"type": "eq", "fun": lambda p: p.sum() - 1})
        answer = driver("couple", classes=classes, second=second)["probabilities"]
        assert objective(answer) <= objective(found.x) + 1e-12
        # As near as SLSQP comes where the objective is flat.
        assert_allclose(answer, found.x, atol=1e-5)

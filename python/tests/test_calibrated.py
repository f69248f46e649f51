"""OnlineCalibrated and OnlineStack around scikit-learn's classifiers."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import Perceptron, SGDClassifier
from sklearn.metrics import log_loss
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from plumbline import OnlineBoostClassifier, OnlineCalibrated, OnlineStack, generate


@parametrize_with_checks([
    OnlineCalibrated(GaussianNB()),
    OnlineCalibrated(SGDClassifier(random_state=1)),
    OnlineCalibrated(Perceptron(random_state=1), policy="thompson", batch=10),
    OnlineStack([GaussianNB(), SGDClassifier(loss="log_loss", random_state=1)]),
    OnlineStack([("first", OnlineBoostClassifier("fast")), ("second", GaussianNB())]),
])
def test_is_a_classifier_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def data():
    return generate("waveform", 6000, seed=5)


def several(rows=6000):
    """Five classes in eight dimensions."""
    rng = np.random.default_rng(2)
    centers = rng.normal(size=(5, 8))
    y = rng.integers(5, size=rows)
    return centers[y] + rng.normal(size=(rows, 8)), y


def prequential(model, X, y, batch=100):
    """The mean log-loss of minibatches that are predicted before they are learned, except the first."""
    classes, losses = np.unique(y), []
    for i in range(0, len(y), batch):
        rows, labels = X[i:i + batch], y[i:i + batch]
        if i > 0:
            losses.append(log_loss(labels, model.predict_proba(rows), labels=classes))
        model.partial_fit(rows, labels, classes=classes)
    return float(np.mean(losses))


def test_lowers_the_loss_of_naive_bayes(data):
    X, y = data
    raw, model = prequential(GaussianNB(), X, y), prequential(OnlineCalibrated(GaussianNB()), X, y)
    assert model < 0.7 * raw


def test_lowers_the_loss_of_several_classes():
    X, y = several()
    X = np.repeat(X, 3, axis=1)  # copies of features make Naive Bayes too sure
    raw, model = prequential(GaussianNB(), X, y), prequential(OnlineCalibrated(GaussianNB()), X, y)
    assert model < 0.8 * raw


def test_turns_margins_into_probabilities(data):
    X, y = data
    svm = OnlineCalibrated(SGDClassifier(loss="hinge", random_state=1))
    logistic = SGDClassifier(loss="log_loss", random_state=1)
    assert prequential(svm, X, y) < prequential(logistic, X, y)
    many = OnlineCalibrated(Perceptron(random_state=1))
    assert prequential(many, *several()) < 1.0


def test_what_calibrates_is_what_was_predicted_before_learning(data):
    """An estimator that remembers its rows predicts them perfectly once it has learned them."""

    class Rote(GaussianNB):
        def partial_fit(self, X, y, classes=None):
            self.seen_ = {**getattr(self, "seen_", {}), **{row.tobytes(): label for row, label in zip(X, y)}}
            return super().partial_fit(X, y, classes=classes)

        def predict_proba(self, X):
            p = np.array([self.seen_.get(row.tobytes(), -1) for row in X])
            return np.column_stack([np.where(p < 0, 0.5, 1 - p), np.where(p < 0, 0.5, p)])

    X, y = data
    model = OnlineCalibrated(Rote())
    for i in range(0, 3000, 100):
        model.partial_fit(X[i:i + 100], y[i:i + 100], classes=[0, 1])
    # Unknown rows were all that the calibrator saw: it knows the share of positives and has not learned to trust.
    assert model.predict_proba(X[4000:4010])[:, 1] == pytest.approx(np.full(10, y[:3000].mean()), abs=0.1)


@pytest.mark.parametrize("rows", ["the same", "a buffer that was refilled"])
def test_the_last_prediction_is_used_again_only_for_its_rows(data, rows):
    X, y = data
    asked = []

    class Counting(GaussianNB):
        def predict_proba(self, X):
            asked.append(len(X))
            return super().predict_proba(X)

    model = OnlineCalibrated(Counting()).partial_fit(X[:100], y[:100], classes=[0, 1])
    plain = OnlineCalibrated(GaussianNB()).partial_fit(X[:100], y[:100], classes=[0, 1])
    asked.clear()
    buffer = X[100:200].copy()
    model.predict_proba(buffer)
    if rows == "the same":
        model.partial_fit(buffer, y[100:200])
        assert asked == [100]
    else:
        buffer[:] = X[200:300]
        model.partial_fit(buffer, y[200:300])
        assert asked == [100, 100]
    plain.partial_fit(buffer, y[100:200] if rows == "the same" else y[200:300])
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))


def test_frozen_models_are_only_calibrated(data):
    X, y = data
    forest = RandomForestClassifier(20, min_samples_leaf=1, random_state=1).fit(X[:1000], y[:1000])
    before = forest.predict_proba(X)
    model = OnlineCalibrated(FrozenEstimator(forest))
    for i in range(1000, 4000, 100):
        model.partial_fit(X[i:i + 100], y[i:i + 100])
    np.testing.assert_array_equal(forest.predict_proba(X), before)
    assert log_loss(y[4000:], model.predict_proba(X[4000:])) < log_loss(y[4000:], before[4000:])
    assert model.calibrator_.examples == 3000
    learned = SGDClassifier(random_state=1).fit(X[:1000], y[:1000])
    coefficients = learned.coef_.copy()
    OnlineCalibrated(FrozenEstimator(learned)).fit(X, y)
    np.testing.assert_array_equal(learned.coef_, coefficients)


def test_weights_reach_the_estimators_and_not_the_calibrator(data):
    X, y = data[0][:1000], data[1][:1000]
    weights = np.random.default_rng(3).exponential(size=1000) * np.where(y == 1, 10, 1)
    model = OnlineCalibrated(GaussianNB()).partial_fit(X, y, sample_weight=weights)
    stack = OnlineStack([GaussianNB(), SGDClassifier(random_state=1)]).partial_fit(X, y, sample_weight=weights)
    alone = GaussianNB().partial_fit(X, y, classes=[0, 1], sample_weight=weights)
    for one in (model.estimator_, stack.estimators_[0]):
        # Minibatches add up in another order.
        np.testing.assert_allclose(one.theta_, alone.theta_, rtol=1e-9)
        np.testing.assert_allclose(one.class_prior_, alone.class_prior_, rtol=1e-9)
    # The prior of the estimator is that of the weights, the calibrated mean that of the rows.
    assert model.estimator_.class_prior_[1] > y.mean() + 0.3
    assert abs(model.predict_proba(X)[:, 1].mean() - y.mean()) < 0.05
    ones = OnlineCalibrated(GaussianNB()).partial_fit(X, y, sample_weight=np.ones(1000)).predict_proba(X)
    np.testing.assert_allclose(ones, OnlineCalibrated(GaussianNB()).partial_fit(X, y).predict_proba(X), rtol=1e-9)
    frozen = FrozenEstimator(GaussianNB().fit(X, y))
    np.testing.assert_array_equal(OnlineCalibrated(frozen).partial_fit(X, y, sample_weight=weights).predict_proba(X),
                                  OnlineCalibrated(frozen).partial_fit(X, y).predict_proba(X))


def test_weights_that_cannot_be_used_are_refused(data):
    X, y = data[0][:300], data[1][:300]
    model = OnlineCalibrated(GaussianNB()).partial_fit(X, y)
    before = model.predict_proba(X)
    for weights in (np.ones(299), np.full(300, -1.0), np.full(300, np.nan)):
        with pytest.raises(ValueError, match="(?i)sample_weight"):
            model.partial_fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(model.predict_proba(X), before)

    class Unweighted(GaussianNB):
        def partial_fit(self, X, y, classes=None):
            return super().partial_fit(X, y, classes)

    with pytest.raises(ValueError, match="the partial_fit of Unweighted takes no sample_weight"):
        OnlineStack([GaussianNB(), Unweighted()]).partial_fit(X, y, sample_weight=np.ones(300))


def test_models_that_cannot_learn_or_predict_are_refused(data):
    with pytest.raises(ValueError, match="no partial_fit.*FrozenEstimator"):
        OnlineCalibrated(RandomForestClassifier()).fit(*data)
    with pytest.raises(ValueError, match="no estimators"):
        OnlineStack([]).fit(*data)
    with pytest.raises(ValueError, match="cannot choose for another model"):
        OnlineCalibrated(GaussianNB(), policy="greedy").fit(*data)
    with pytest.raises(ValueError, match="calibratr"):
        OnlineCalibrated(GaussianNB(), policy="fixed", actions=["train", "calibratr"]).fit(*data)


def test_the_policy_chooses_what_learns(data):
    X, y = data
    learned = {}
    for policy in ("always:action=both", "always_train", "fixed:every=4", "ucb1"):
        model = OnlineCalibrated(GaussianNB(), policy=policy, batch=50).fit(X, y)
        learned[policy] = model.calibrator_.examples, int(model.estimator_.class_count_.sum())
    assert learned["always:action=both"] == (5975, 6000)
    assert learned["always_train"] == (0, 6000)
    assert learned["fixed:every=4"] == (1500, 4500)
    calibrated, trained = learned["ucb1"]
    assert 0 < calibrated < 5950 and 0 < trained < 6000
    idle = OnlineCalibrated(GaussianNB(), policy="always:action=skip", actions=["skip"]).fit(X, y)
    assert (idle.calibrator_.examples, idle.estimator_.class_count_.sum()) == (0, 50)


def test_a_stack_is_no_worse_than_its_best_member(data):
    X, y = data
    members = [GaussianNB(), SGDClassifier(loss="log_loss", random_state=1), BernoulliNB(binarize=2.0)]
    alone = [prequential(clone(one), X, y) for one in members]
    assert prequential(OnlineStack(members), X, y) < min(alone)
    assert prequential(OnlineStack([*members, MLPClassifier(random_state=1)]), *several(2000)) < 1.0


def test_pickles_go_on_alike(data):
    X, y = data
    for policy in ("always:action=both", "thompson"):
        model = OnlineStack([GaussianNB(), SGDClassifier(random_state=1)], policy=policy).fit(X[:2000], y[:2000])
        other = pickle.loads(pickle.dumps(model))
        assert pickle.dumps(model) == pickle.dumps(model)
        for one in (model, other):
            one.partial_fit(X[2000:4000], y[2000:4000])
        np.testing.assert_array_equal(model.predict_proba(X), other.predict_proba(X))


def test_tables_and_sparse_rows_reach_the_estimator(data):
    X, y = data
    table = pd.DataFrame(X[:500], columns=[f"c{j}" for j in range(X.shape[1])])
    by_table = OnlineCalibrated(GaussianNB()).fit(table, y[:500])
    assert list(by_table.estimator_.feature_names_in_) == list(table.columns)
    np.testing.assert_array_equal(by_table.predict_proba(table),
                                  OnlineCalibrated(GaussianNB()).fit(X[:500], y[:500]).predict_proba(X[:500]))
    sparse = scipy.sparse.csr_matrix(np.maximum(X[:500], 0))
    model = OnlineCalibrated(SGDClassifier(random_state=1)).fit(sparse, y[:500])
    assert model.predict_proba(sparse).shape == (500, 2)


def test_a_model_that_overflows_has_no_opinion(data):
    class Broken(GaussianNB):
        def predict_proba(self, X):
            p = super().predict_proba(X)
            p[::10] = np.nan
            return p

    model = OnlineCalibrated(Broken()).fit(*data)
    assert np.isfinite(model.predict_proba(data[0])).all()

"""The classifiers of plumbline.river among river's own tools."""

import copy
import itertools
import json
import math
import pickle
import random

import pandas as pd
import pytest

pytest.importorskip("river")
from river import (  # noqa: E402
    bandit, base, checks, compose, drift, evaluate, forest, linear_model, metrics, naive_bayes, preprocessing, tree)

import plumbline  # noqa: E402
from plumbline.river import OnlineBoost, OnlineCalibrated, OnlineStack  # noqa: E402


def rows(count, seed=7):
    return list(itertools.islice(plumbline.Stream("sea", seed=seed), count))


@pytest.mark.parametrize("params", list(OnlineBoost._unit_test_params()))
def test_passes_rivers_own_checks(params):
    checks.check_estimator(OnlineBoost(**params))


def test_works_in_pipelines_and_progressive_validation():
    model = compose.Pipeline(preprocessing.StandardScaler(), OnlineBoost())
    loss = evaluate.progressive_val_score(rows(2000), model, metrics.LogLoss())
    assert loss.get() < 0.45


def test_drift_detectors_and_bandits_stand_beside_it():
    model, detector = OnlineBoost(), drift.ADWIN()
    policy = bandit.EpsilonGreedy(epsilon=0.1, seed=1)
    for x, y in rows(500):
        arm = policy.pull(["a", "b"])
        p = model.predict_proba_one(x).get(True, 0.5)
        detector.update(abs(p - y))
        policy.update(arm, p)
        model.learn_one(x, y)
    assert model.predict_one(x) in (True, False)


def test_features_may_come_and_go():
    model = OnlineBoost()
    model.learn_one({"a": 1.0}, True)
    model.learn_one({"b": 2.0, "colour": "red"}, False)
    model.learn_one({}, True)
    p = model.predict_proba_one({"unheard": 3.0, "colour": "blue", "a": None})
    assert set(p) == {True, False}
    assert sum(p.values()) == pytest.approx(1)


def test_learn_many_takes_minibatches():
    data = rows(600)
    X, y = pd.DataFrame([x for x, _ in data]), pd.Series([y for _, y in data])
    many = OnlineBoost(batch=50)
    for i in range(0, 600, 50):
        many.learn_many(X[i:i + 50], y[i:i + 50])
    said = many.predict_proba_many(X)
    assert said.shape == (600, 2) and said.index.equals(X.index)
    one = many.predict_proba_one(data[0][0])
    assert said.iloc[0].to_dict() == one


def test_copies_go_on_alike():
    data = rows(400)
    model = OnlineBoost()
    for x, y in data[:200]:
        model.learn_one(x, y)
    other, third = pickle.loads(pickle.dumps(model)), copy.deepcopy(model)
    assert pickle.dumps(other) == pickle.dumps(model)
    for x, y in data[200:]:
        for each in (model, other, third):
            each.learn_one(x, y)
    x = data[0][0]
    assert model.predict_proba_one(x) == other.predict_proba_one(x) == third.predict_proba_one(x)


def test_a_feature_that_is_no_number_is_named():
    with pytest.raises(ValueError, match="'a'"):
        OnlineBoost().learn_one({"a": object()}, True)


def test_options_have_the_command_lines_names():
    model = OnlineBoost("paper", learner="logistic:alpha=0.01", policy="fixed:every=3", reward="brier",
                        actions=["train", "calibrate", "both"], learners=4, score="logistic",
                        ensemble={"resample": "false"}, encoder={"max_features": 7}, seed=9)
    config = json.loads(model.clone()._config)
    assert (config["learner"]["alpha"], config["policy"]["every"], config["reward"]["name"]) == (0.01, 3, "brier")
    assert (config["ensemble"]["size"], config["ensemble"]["score"], config["seed"]) == (4, "logistic", 9)
    assert (config["ensemble"]["resample"], config["encoder"]["max_features"]) == ("false", 7)
    assert config["actions"] == ["train", "calibrate", "both"]


def test_a_first_row_without_features_teaches_nothing():
    model = OnlineBoost()
    model.learn_one({}, True)
    model.learn_one({"a": None}, False)
    assert model.predict_proba_one({"a": 1.0}) == {}
    model.learn_many(pd.DataFrame({"a": [None, 1.0, 2.0]}), pd.Series([True, False, True]))
    assert set(model.predict_proba_one({"a": 1.0})) == {True, False}


def test_a_mistake_changes_nothing():
    model = OnlineBoost()
    with pytest.raises(ValueError):
        model.learn_one({"a": float("inf")}, True)
    assert model.predict_proba_one({"a": 1.0}) == {}
    for x, y in rows(100):
        model.learn_one(x, "up" if y else "down")
    before = model.predict_proba_one(x)
    for wrong in ({"x1": float("inf")}, {"x1": object()}):
        with pytest.raises(ValueError, match="x1"):
            model.learn_one(wrong, "sideways")
    with pytest.raises(ValueError, match="number"):
        model.learn_one(x, 7)
    assert model.predict_proba_one(x) == before


def test_labels_may_be_lists_and_are_never_missing():
    model = OnlineBoost()
    model.learn_many(pd.DataFrame({"a": [1.0, 2.0, None]}), ["x", "y", "x"])
    assert set(model.predict_proba_one({"a": pd.NA, "b": float("nan")})) == {"x", "y"}
    for wrong in (None, float("nan"), pd.NA):
        with pytest.raises(ValueError, match="no label"):
            model.learn_one({"a": 1.0}, wrong)
    with pytest.raises(ValueError, match="row 2"):
        model.learn_many(pd.DataFrame({"a": [1.0, 2.0]}), pd.Series(["x", None]))


# ---- Calibration around river's own classifiers


MODELS = {
    "naive Bayes": lambda: naive_bayes.GaussianNB(),
    "logistic regression": lambda: linear_model.LogisticRegression(),
    "adaptive tree": lambda: tree.HoeffdingAdaptiveTreeClassifier(seed=1),
    "AMF": lambda: forest.AMFClassifier(n_estimators=3, seed=1),
    "ARF": lambda: forest.ARFClassifier(n_models=3, seed=1),
}


@pytest.mark.parametrize("name", MODELS)
def test_calibrated_models_pass_rivers_own_checks(name):
    checks.check_estimator(OnlineCalibrated(MODELS[name]()))


@pytest.mark.parametrize("name", ["naive Bayes", "adaptive tree", "AMF"])
def test_stacks_pass_rivers_own_checks(name):
    checks.check_estimator(OnlineStack([MODELS[name](), naive_bayes.GaussianNB()]))


def loss_of(model, data, warm_up=0):
    """The mean log-loss of rows that are predicted before they are learned."""
    total = 0.0
    for i, (x, y) in enumerate(data):
        p = model.predict_proba_one(x)
        if i >= warm_up:
            total -= math.log(min(max(p.get(y, 0.0), 1e-15), 1 - 1e-15))
        model.learn_one(x, y)
    return total / (len(data) - warm_up)


@pytest.mark.parametrize("name", MODELS)
def test_calibration_lowers_the_loss(name):
    data = [(x, y) for (x, y), _ in zip(plumbline.Stream("waveform", seed=3), range(1500))]
    scale = name == "logistic regression"

    def model(inner):
        return compose.Pipeline(preprocessing.StandardScaler(), inner) if scale else inner

    raw, calibrated = (loss_of(model(one), data, 100) for one in (MODELS[name](), OnlineCalibrated(MODELS[name]())))
    assert calibrated < 1.01 * raw
    if name in ("naive Bayes", "adaptive tree"):
        assert calibrated < 0.8 * raw


def test_what_calibrates_was_predicted_before_learning():
    class Rote(base.Classifier):
        """Remembers its rows, and predicts those perfectly."""

        def __init__(self):
            self.seen = {}

        def learn_one(self, x, y):
            self.seen[x["id"]] = y

        def predict_proba_one(self, x):
            p = 0.5 if x["id"] not in self.seen else float(self.seen[x["id"]])
            return {False: 1 - p, True: p}

    model = OnlineCalibrated(Rote())
    for i in range(1000):
        model.learn_one({"id": i}, i % 10 < 3)
    assert model.predict_proba_one({"id": 2000})[True] == pytest.approx(0.3, abs=0.07)


def test_the_model_is_asked_once_for_a_row_that_is_predicted_and_learned():
    asked = []

    class Counting(naive_bayes.GaussianNB):
        def predict_proba_one(self, x):
            asked.append(x)
            return super().predict_proba_one(x)

    model = OnlineCalibrated(Counting())
    data = rows(60)
    for x, y in data[:50]:
        model.predict_proba_one(x)
        model.learn_one(x, y)
    assert len(asked) == 50
    x, y = data[50]
    model.predict_proba_one(x)
    x["x1"] += 1  # another row now
    model.learn_one(x, y)
    model.learn_one(*data[51])
    assert len(asked) == 53


def test_classes_may_come_at_any_time():
    model = OnlineCalibrated(naive_bayes.GaussianNB())
    assert model.predict_proba_one({"a": 1.0}) == {}
    for i in range(300):
        model.learn_one({"a": i % 4 + 0.2 * math.sin(i)}, "abcd"[i % 4] if i > 100 else "ab"[i % 2])
    p = model.predict_proba_one({"a": 2.0})
    assert set(p) == set("abcd") and sum(p.values()) == pytest.approx(1)
    assert model.predict_one({"a": 2.0}) == "c"


def test_calibrated_copies_go_on_alike():
    data = rows(400)
    for make in (lambda: OnlineCalibrated(naive_bayes.GaussianNB(), policy="thompson"),
                 lambda: OnlineStack([naive_bayes.GaussianNB(), linear_model.LogisticRegression()])):
        model = make()
        for x, y in data[:200]:
            model.learn_one(x, y)
        other, third = pickle.loads(pickle.dumps(model)), copy.deepcopy(model)
        for x, y in data[200:]:
            for each in (model, other, third):
                each.learn_one(x, y)
        x = data[0][0]
        assert model.predict_proba_one(x) == other.predict_proba_one(x) == third.predict_proba_one(x)


def test_a_stack_is_no_worse_than_its_best_member():
    data = [(x, y) for (x, y), _ in zip(plumbline.Stream("sea", seed=4), range(3000))]
    members = [MODELS["naive Bayes"], lambda: tree.HoeffdingTreeClassifier(), lambda: OnlineBoost("fast")]
    alone = [loss_of(make(), data) for make in members]
    # Its bound, for three models.
    assert loss_of(OnlineStack([make() for make in members]), data) < min(alone) + (math.log(6) + 0.04) / 3000


def test_the_policy_chooses_what_learns():
    model = OnlineCalibrated(naive_bayes.GaussianNB(), policy="fixed:every=2")
    for x, y in rows(300):
        model.learn_one(x, y)
    assert sum(model.model.class_counts.values()) == 150
    assert model._core.examples == 150
    with pytest.raises(ValueError, match="cannot choose for another model"):
        OnlineCalibrated(naive_bayes.GaussianNB(), policy="lin_ucb")


class TooSure(base.Classifier):
    """A model whose logits are three times too large."""

    def learn_one(self, x, y):
        pass

    def predict_proba_one(self, x):
        odds = {k: math.exp(3 * z) for k, z in x.items()}
        return {k: one / sum(odds.values()) for k, one in odds.items()}


def test_a_further_class_keeps_what_was_learned():
    """After 1000 rows of two classes, there is a third."""
    def row(i):
        generator = random.Random(i)
        x = {k: generator.gauss(0, 1) for k in "ab"}
        if i >= 1000:
            x["c"] = generator.gauss(-1, 1)
        return x, generator.choices(list(x), [math.exp(z) for z in x.values()])[0]

    def loss_after(first):
        model, losses = OnlineCalibrated(TooSure()), []
        for i in range(first, 1200):
            x, y = row(i)
            if i >= 1020:
                losses.append(-math.log(model.predict_proba_one(x)[y]))
            model.learn_one(x, y)
        return model, sum(losses) / len(losses)

    kept, with_two = loss_after(0)
    assert kept._core.examples == 1197  # all but the first of each class
    copied = pickle.loads(pickle.dumps(kept))
    assert copied.predict_proba_one(row(5)[0]) == kept.predict_proba_one(row(5)[0])
    assert with_two < loss_after(1000)[1] - 0.01


def test_models_keep_to_a_learn_budget():
    for policy in ("always:action=both", "selective"):
        model = OnlineCalibrated(naive_bayes.GaussianNB(), policy=policy, learn_budget=0.2)
        data = rows(300)
        for x, y in data[:150]:
            model.learn_one(x, y)
        model = pickle.loads(pickle.dumps(model))
        for x, y in data[150:]:
            model.learn_one(x, y)
        assert 55 <= sum(model.model.class_counts.values()) <= 61
        assert model._core.examples > 290
    with pytest.raises(ValueError, match="learn_budget"):
        OnlineCalibrated(naive_bayes.GaussianNB(), learn_budget=0)

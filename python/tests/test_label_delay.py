"""Labels that come later: label_delay."""

import csv

import numpy as np
import pandas as pd
import pytest

from plumbline import Model, OnlineBoostClassifier, _core, generate


def stream(classes):
    X, y = generate("sea", 400)
    if classes > 2:
        y = (X[:, 0] // (10 / classes)).astype(np.int64).clip(0, classes - 1)
    return X, y


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("delay", [1, 30])
def test_labels_have_no_effect_before_they_are_known(classes, delay):
    X, y = stream(classes)
    other = y.copy()
    other[200] = (y[200] + 1) % 2
    one, two = (Model(classes=range(classes), label_delay=delay).step(X, labels) for labels in (y, other))
    known = 200 + delay + 1
    np.testing.assert_array_equal(one[:known], two[:known])
    assert (one[known] != two[known]).any()


@pytest.mark.parametrize("classes", [2, 4])
def test_a_copy_goes_on_exactly(classes):
    X, y = stream(classes)
    whole = Model(classes=range(classes), label_delay=50)
    expected = whole.step(X, y)
    part = Model(classes=range(classes), label_delay=50).learn(X[:170], y[:170])
    part = Model.from_bytes(part.to_bytes())
    np.testing.assert_array_equal(part.step(X[170:], y[170:]), expected[170:])
    assert part.to_bytes() == whole.to_bytes()
    assert part.config["label_delay"] == 50


def test_predicting_is_what_a_step_would_say():
    X, y = stream(2)
    model = Model(label_delay=20).learn(X[:300], y[:300])
    said = model.predict_proba(X[300:301])
    np.testing.assert_array_equal(model.step(X[300:301], y[300:301]), said)


def test_nothing_is_learned_before_a_label_is_known():
    X, y = stream(2)
    np.testing.assert_array_equal(Model(label_delay=400).step(X, y), 0.5)


def test_the_command_line_agrees(tmp_path, command_line):
    X, y = stream(2)
    pd.DataFrame(X, columns=["x1", "x2", "x3"]).assign(label=y).to_csv(tmp_path / "a.csv", index=False)
    command_line("run", tmp_path / "a.csv", "--label-delay", "25", "--predictions", tmp_path / "p.csv")
    frame = pd.DataFrame(X, columns=["x1", "x2", "x3"])
    said = Model(label_delay=25).step(frame, y)
    with open(tmp_path / "p.csv") as lines:
        written = [float(row["probability"]) for row in csv.DictReader(lines)]
    np.testing.assert_array_equal(written, said.iloc[:, 1])


def test_the_classifier_has_it_too(tmp_path):
    X, y = stream(2)
    late = OnlineBoostClassifier(label_delay=100).fit(X, y)
    same = Model(label_delay=100).learn(X, y)._predict(X, places=_core.Places.unknown)
    np.testing.assert_array_equal(late.predict_proba(X), same)
    late.save(tmp_path / "m")
    assert OnlineBoostClassifier.load(tmp_path / "m").label_delay == 100
    assert OnlineBoostClassifier().label_delay is None


def test_river_has_it_too():
    pytest.importorskip("river")
    from plumbline.river import OnlineBoost

    model = OnlineBoost(label_delay=5)
    for i in range(5):
        model.learn_one({"x": i % 2}, i % 2 == 0)
    assert set(model.predict_proba_one({"x": 0}).values()) == {0.5}
    model.learn_one({"x": 1}, False)
    assert set(model.predict_proba_one({"x": 0}).values()) != {0.5}


@pytest.mark.parametrize("bad", [-1, 1_000_001, 1.5])
def test_an_impossible_delay_is_refused(bad):
    with pytest.raises(ValueError, match="label_delay"):
        Model(label_delay=bad)

"""The label budget: which rows are worth a label."""

import numpy as np
import pytest

import plumbline
from plumbline import Model, generate


def test_step_learns_what_it_asks_for_and_goes_on_exactly():
    X, y = generate("sea", 600)
    whole = Model(label_budget=0.2)
    p, scores, asked = whole.step(X, y, scores=True, asked=True)
    assert p.shape == scores.shape == (600, 2) and asked.dtype == bool
    assert 110 <= asked.sum() <= 121 == 1 + 0.2 * 600
    assert whole.view()["examples"] == asked.sum()
    part = Model(label_budget=0.2)
    part.step(X[:170], y[:170])
    part = Model.from_bytes(part.to_bytes())
    rest, of_rest = part.step(X[170:], y[170:], asked=True)
    np.testing.assert_array_equal(rest, p[170:])
    np.testing.assert_array_equal(of_rest, asked[170:])
    assert part.to_bytes() == whole.to_bytes()
    other = np.where(asked, y, 1 - y)  # the other labels have no effect
    np.testing.assert_array_equal(Model(label_budget=0.2, classes=[0, 1]).step(X, other), p)


def test_ask_then_learn():
    X, y = generate("sea", 1000)
    model = Model(label_budget=0.1).learn(X[:50], y[:50])
    assert model.view()["examples"] == 50
    bought = 0
    for i in range(50, 1000, 50):
        before = model.predict_proba(X[i:i + 50])
        p, asked = model.ask(X[i:i + 50])
        np.testing.assert_array_equal(p, before)
        bought += asked.sum()
        model.learn(X[i:i + 50][asked], y[i:i + 50][asked])
    assert 85 <= bought <= 96 and model.view()["examples"] == 50 + bought


def test_several_classes_and_tables():
    pd = pytest.importorskip("pandas")
    X, y = generate("waveform", 500)
    labels = np.array(list("abc"))[np.digitize(X[:, 5], [1, 3])]
    frame = pd.DataFrame(X)
    model = Model("fast", label_budget=0.3, label_choice="random")
    p, asked = model.step(frame, labels, asked=True)
    assert list(p.columns) == sorted(set(labels)) and 140 <= asked.sum() <= 151
    p, asked = model.ask(frame[:10])
    assert p.shape == (10, 3) and asked.shape == (10,)


def test_without_a_budget_every_row_is_asked_for():
    X, y = generate("sea", 50)
    model = Model()
    assert model.step(X, y, asked=True)[1].all()
    with pytest.raises(ValueError, match="label_budget"):
        model.ask(X)


def test_a_bad_row_spends_nothing():
    X, y = generate("sea", 700)
    model = Model(label_budget=0.5).learn(X, y)
    before = model.to_bytes()
    X[600, 1] = np.inf
    with pytest.raises(ValueError, match="row 601|infinite"):
        model.ask(X)
    assert model.to_bytes() == before


def test_what_is_wrong_is_refused():
    for bad in (0, 1.5, -1.0):
        with pytest.raises(ValueError, match="label_budget"):
            Model(label_budget=bad)
    with pytest.raises(ValueError, match="label choice"):
        Model(label_budget=0.5, label_choice="best")
    assert "label_budget" not in plumbline.config()

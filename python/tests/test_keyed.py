"""One model per key."""

import os
import subprocess
import sys

import numpy as np
import pytest

from plumbline import KeyedModel, Model


def stream(rows=2000, keys=7, seed=1):
    rng = np.random.default_rng(seed)
    key = rng.integers(keys, size=rows)
    own = rng.normal(size=keys)
    X = rng.normal(size=(rows, 3))
    X[rng.random(X.shape) < 0.02] = np.nan
    y = (own[key] + np.nan_to_num(X[:, 0]) * own[key] + rng.normal(size=rows) > 0).astype(int)
    return key, X, y


def test_a_key_is_as_alone():
    key, X, y = stream()
    together = KeyedModel(features=3, parent=None).step(key, X, y)
    for k in range(7):
        alone = Model("small", classes=[0, 1])
        rows = [alone.step(X[i:i + 1], y[i:i + 1])[0] for i in np.flatnonzero(key == k)]
        np.testing.assert_array_equal(together[key == k], np.array(rows))


def test_results_do_not_depend_on_how_rows_are_given():
    key, X, y = stream()
    whole = KeyedModel(features=3).step(key, X, y)
    parts = KeyedModel(features=3)
    pieces = [parts.step(key[i:i + 37], X[i:i + 37], y[i:i + 37]) for i in range(0, len(y), 37)]
    np.testing.assert_array_equal(whole, np.concatenate(pieces))


def test_a_new_key_begins_with_the_parent_and_departs_from_it():
    key, X, y = stream()
    model = KeyedModel(features=3).learn(key, X, y)
    first, second = model.predict_proba(["new", "newer"], X[[0, 0]])
    np.testing.assert_array_equal(first, second)
    assert model.statistics("new") is None
    assert model.totals.log_loss < model.totals.parent_log_loss


def test_resumes_exactly_and_a_store_that_was_not_saved_is_that_of_the_last_save(tmp_path):
    key, X, y = stream()
    whole = KeyedModel(features=3).step(key, X, y)
    model = KeyedModel(tmp_path / "s", features=3)
    model.learn(key[:900], X[:900], y[:900])
    model.save({"a": 900})
    model.learn(key[900:], X[900:], y[900:])
    del model
    again = KeyedModel.open(tmp_path / "s")
    assert again.positions == {"a": 900}
    assert again.totals.rows == 900
    np.testing.assert_array_equal(again.step(key[900:], X[900:], y[900:]), whole[900:])


def test_a_killed_process_loses_nothing_that_was_saved(tmp_path):
    code = (
        "import os, sys, numpy as np; from plumbline import KeyedModel\n"
        "m = KeyedModel(sys.argv[1], features=1); k = np.arange(3000) % 700; X = k.reshape(-1, 1) / 700.0\n"
        "m.learn(k[:2000], X[:2000], k[:2000] % 2); m.save({'k': 2000})\n"
        "m.learn(k[2000:], X[2000:], k[2000:] % 2); os.kill(os.getpid(), 9)\n")
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "s")])
    assert done.returncode == -9
    model = KeyedModel.open(tmp_path / "s")
    assert model.positions == {"k": 2000} and model.totals.rows == 2000 and model.totals.keys == 700


def test_idle_keys_are_forgotten():
    model = KeyedModel(features=1, parent=None, ttl=10)
    model.learn(["a"] + ["b"] * 10 + ["a"], np.zeros((12, 1)), [1] * 12)
    assert model.statistics("a").rows == 1
    assert model.totals.expired == 1 and model.totals.keys == 2


def test_refused_rows_change_nothing():
    key, X, y = stream(50)
    model = KeyedModel(features=3).learn(key, X, y)
    before = model.predict_proba(key, X)
    bad = X.copy()
    bad[20, 1] = np.inf
    with pytest.raises(ValueError, match="row 21, feature 2"):
        model.step(key, bad, y)
    with pytest.raises(ValueError, match="the models have 3"):
        model.step(key, X[:, :2], y)
    with pytest.raises(ValueError, match="key of row 2 is missing"):
        model.step(["a", None], X[:2], y[:2])
    with pytest.raises(ValueError, match="49 keys were given for 50 rows"):
        model.step(key[:49], X, y)
    assert model.totals.rows == 50
    np.testing.assert_array_equal(model.predict_proba(key, X), before)


def test_mistakes_have_clear_messages(tmp_path):
    with pytest.raises(ValueError, match="each row is learned by itself"):
        KeyedModel(features=1, batch=10)
    with pytest.raises(ValueError, match="two classes"):
        KeyedModel(features=1, classes=[0, 1, 2])
    KeyedModel(tmp_path / "s", features=1)
    with pytest.raises(ValueError, match="exists already"):
        KeyedModel(tmp_path / "s", features=1)
    with pytest.raises(FileNotFoundError):
        KeyedModel.open(tmp_path / "none")
    with pytest.raises(KeyError):
        KeyedModel(features=1).model("nobody")
    assert sorted(os.listdir(tmp_path)) == ["s"]

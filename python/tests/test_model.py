"""plumbline.Model: kinds of rows, files, threads, errors."""

import concurrent.futures
import gc
import sys
import threading

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as arrays

import plumbline
from plumbline import Model


@pytest.fixture(scope="module")
def data():
    return plumbline.generate("sea", 1500, seed=2)


@pytest.fixture(scope="module")
def table(data):
    X, y = data
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1].astype(np.float32), "n": X[:, 2].astype(np.int64),
                          "word": np.where(X[:, 2] > 5, "high", "low"), "flag": X[:, 0] > 5})
    frame.loc[frame.index % 7 == 0, "a"] = np.nan
    frame.loc[frame.index % 11 == 0, "word"] = None
    return frame, np.where(y == 1, "yes", "no")


def test_strides_and_kinds_of_numbers_make_no_difference(data):
    X, y = data
    X = np.round(X)
    model = Model().learn(X, y)
    wanted = model.predict_proba(X)
    wide = np.zeros((len(X), 2 * X.shape[1]))
    wide[:, ::2] = X
    for same in (np.asfortranarray(X), wide[:, ::2], X[::-1][::-1], X.astype(np.float32),
                 X.astype(np.int32), X.astype(np.uint8), X.tolist(), scipy.sparse.csr_matrix(X)):
        np.testing.assert_array_equal(model.predict_proba(same), wanted)
        np.testing.assert_array_equal(Model().learn(same, y).predict_proba(X), wanted)


def test_tables_of_all_kinds_are_the_same(table):
    frame, y = table
    model = Model().learn(frame, y)
    assert model.classes == ["no", "yes"]
    assert {"word=high", "word=low"} <= set(model.features)
    wanted = model.predict_proba(frame)
    for same in (pl.from_pandas(frame), pa.Table.from_pandas(frame, preserve_index=False),
                 frame.astype({"word": "category"}),
                 pl.from_pandas(frame).with_columns(pl.col("word").cast(pl.Categorical))):
        np.testing.assert_array_equal(model.predict_proba(same), wanted)
        np.testing.assert_array_equal(Model().learn(same, y).predict_proba(frame), wanted)


def test_files_travel_between_python_and_the_command_line(tmp_path, table, command_line):
    frame, y = table
    together = frame.assign(label=y)
    half = len(frame) // 2
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    together[:half].to_csv(first, index=False)
    together[half:].to_csv(second, index=False)
    command_line("run", first, "--save", tmp_path / "m")
    # The same rows in Python give the same file.
    model = Model().learn(pd.read_csv(first).drop(columns="label"), y[:half])
    model.save(tmp_path / "n")
    by_command_line, by_python = Model.load(tmp_path / "m"), Model.load(tmp_path / "n")
    rest = pd.read_csv(second).drop(columns="label")
    np.testing.assert_array_equal(by_command_line.predict_proba(rest), by_python.predict_proba(rest))
    # And the command line goes on with Python's.
    said = command_line("predict", second, "--model", tmp_path / "n")
    probabilities = [float(line.split(",")[-1]) for line in said.splitlines()[1:]]
    np.testing.assert_array_equal(probabilities, by_python.predict_proba(rest)[:, 1])


def test_the_file_is_one_of_safetensors(tmp_path, data):
    from safetensors.numpy import load_file

    Model().learn(*data).save(tmp_path / "model.safetensors")
    tensors = load_file(tmp_path / "model.safetensors")
    assert any(name.endswith("mean") for name in tensors)


def test_predicting_on_many_threads_is_safe_while_another_learns(data):
    X, y = data
    model = Model().learn(X, y)
    stop = threading.Event()

    def predict():
        while not stop.is_set():
            p = model.predict_proba(X[:200])
            assert np.isfinite(p).all()

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(predict) for _ in range(3)]
        for i in range(0, 1000, 50):
            model.learn(X[i:i + 50], y[i:i + 50])
        stop.set()
        for job in jobs:
            job.result()
    alone = Model().learn(X, y)
    for i in range(0, 1000, 50):
        alone.learn(X[i:i + 50], y[i:i + 50])
    assert model.to_bytes() == alone.to_bytes()


@pytest.mark.parametrize("call, kind, words", [
    (lambda m, X, y: m.predict_proba(X[:, :2]), ValueError, ["2 features", "3 features"]),
    (lambda m, X, y: m.predict_proba(X[0]), ValueError, ["2D"]),
    (lambda m, X, y: m.predict_proba([["a", "b", "c"]]), ValueError, ["numbers"]),
    (lambda m, X, y: m.predict_proba(X * np.inf), ValueError, ["row 1"]),
    (lambda m, X, y: m.learn(X, y[:-1]), ValueError, ["1500", "1499"]),
    (lambda m, X, y: m.learn(X, y + 5), ValueError, ["none of the classes", "[0, 1]"]),
    (lambda m, X, y: Model().predict_proba(X), ValueError, ["not learned"]),
    (lambda m, X, y: Model.load("nowhere.safetensors"), FileNotFoundError, ["nowhere.safetensors"]),
    (lambda m, X, y: Model.from_bytes(b"no model"), ValueError, ["bytes"]),
    (lambda m, X, y: Model(learner=7), ValueError, ["learner"]),
    (lambda m, X, y: plumbline.generate("see"), ValueError, ["see", "sea"]),
    (lambda m, X, y: plumbline.Metric("logloss"), ValueError, ["log_loss"]),
])
def test_mistakes_get_a_sentence(data, call, kind, words):
    X, y = data
    model = Model().learn(X, y)
    before = model.to_bytes()
    with pytest.raises(kind) as caught:
        call(model, X, y)
    for word in words:
        assert word in str(caught.value)
    assert model.to_bytes() == before


@settings(max_examples=60, deadline=None)
@given(X=arrays.arrays(
    dtype=st.sampled_from([np.float64, np.float32, np.int64, np.uint8]),
    shape=st.tuples(st.integers(0, 30), st.integers(1, 6))),
    seed=st.integers(0, 2**32 - 1))
def test_any_numbers_give_probabilities_or_a_sentence(X, seed):
    y = np.random.default_rng(seed).integers(0, 2, len(X))
    model = Model(classes=[0, 1], batch_size=7)
    try:
        p = model.step(X, y)
        q = model.predict_proba(X)
    except ValueError as error:
        assert str(error)
        return
    for said in (p, q):
        assert said.shape == (len(X), 2)
        assert ((said >= 0) & (said <= 1)).all()


def test_nothing_leaks(data):
    X, y = data
    model = Model().learn(X, y)
    frame = pd.DataFrame(X)
    frame.columns = ["a", "b", "c"]
    tabled = Model().learn(frame, y)

    def count_after(times):
        for _ in range(times):
            model.learn(X[:100], y[:100])
            model.predict_proba(X)
            tabled.learn(frame[:100], y[:100])
            tabled.predict_proba(frame)
        gc.collect()
        return [sys.getrefcount(one) for one in (X, y, frame)]

    assert count_after(1) == count_after(20)


def test_components_are_those_of_the_registries():
    everything = plumbline.components()
    assert "gaussian_nb" in everything["learner"]
    assert everything["policy"]["fixed"]["options"]["every"]["help"]
    for name in everything["generator"]:
        X, _ = plumbline.generate(name, 5)
        assert X.shape[0] == 5


def test_figures_are_drawn(data):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, y = data
    p = Model().step(X, y)[:, 1]
    assert len(plumbline.plot.reliability(y, p).lines) == 2
    curve = plumbline.plot.learning_curve(y, p).lines[0].get_ydata()
    losses = -np.log(np.where(y == 1, p, 1 - p))
    assert curve[-1] == pytest.approx(losses.mean(), rel=1e-12)

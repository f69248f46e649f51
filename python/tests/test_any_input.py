"""Whatever is given: probabilities, or an exception with a sentence and a model that is as it was."""

import os

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as arrays

import plumbline
from plumbline import Model, OnlineBoostClassifier

NUMBERS = st.one_of(st.floats(), st.integers(-2**70, 2**70), st.booleans(), st.none())
VALUES = st.one_of(NUMBERS, st.text(max_size=5), st.binary(max_size=2), st.lists(st.integers(), max_size=2))
SMALL = settings(max_examples=int(os.environ.get("PLUMBLINE_EXAMPLES", 80)), deadline=None)


def assert_probabilities(said, rows, classes):
    said = np.asarray(said, dtype=float)
    assert said.shape == (rows, classes)
    assert ((said >= 0) & (said <= 1)).all()
    assert np.allclose(said.sum(axis=1), 1, rtol=1e-9)


def either(model, call):
    """Calls; after an exception the model must be as it was."""
    before = pickled(model)
    try:
        return call()
    except (ValueError, TypeError, OverflowError) as error:
        assert str(error)
        assert pickled(model) == before
        return None


def pickled(model):
    return None if model._core is None else model.to_bytes()


@SMALL
@given(X=arrays.arrays(
    dtype=st.one_of(arrays.floating_dtypes(), arrays.integer_dtypes(), arrays.unsigned_integer_dtypes(),
                    arrays.boolean_dtypes(), arrays.complex_number_dtypes(), arrays.unicode_string_dtypes(max_len=3)),
    shape=arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=20)),
    order=st.sampled_from("CF"), step=st.sampled_from([1, 2, -1]), seed=st.integers(0, 2**32 - 1))
def test_arrays(X, order, step, seed):
    X = np.array(X, order=order)
    X = X[::step] if X.ndim else X
    y = np.random.default_rng(seed).integers(0, 2, len(X) if X.ndim else 1)
    model = Model(classes=[0, 1], batch=7)
    p = either(model, lambda: model.step(X, y))
    if p is not None:
        assert_probabilities(p, len(X), 2)
        assert_probabilities(model.predict_proba(X), len(X), 2)


@SMALL
@given(examples=st.lists(st.tuples(
    st.dictionaries(st.text(max_size=3), st.one_of(st.floats(-9, 9), st.floats(-9, 9), VALUES), max_size=4),
    st.one_of(st.sampled_from([True, False]), st.integers(0, 3), st.sampled_from(["a", "b", ""]))), max_size=8),
    kind=st.sampled_from([bool, int, str, object]))
def test_dicts(examples, kind):
    rows, labels = [row for row, _ in examples], [label for _, label in examples if isinstance(label, kind)]
    labels = (labels * len(rows))[:len(rows)]
    model = Model("paper", batch=3)
    p = either(model, lambda: model.step(rows, labels))
    if p is not None:
        assert_probabilities(p, len(rows), len(model.classes))
        assert_probabilities(model.predict_proba(rows), len(rows), len(model.classes))
        either(model, lambda: model.step(rows[::-1], labels))


@SMALL
@given(data=st.data(), rows=st.integers(1, 12))
def test_tables(data, rows):
    kinds = [st.floats(), st.floats(width=32), st.integers(-2**63, 2**63 - 1), st.booleans(), st.text(max_size=3),
             st.sampled_from(["red", "green"]), st.one_of(st.none(), st.floats()), st.one_of(st.none(), st.text(max_size=2)),
             st.just(None), st.dates(), st.lists(st.integers(0, 5), max_size=2)]
    columns = {}
    for j in range(data.draw(st.integers(0, 4))):
        values = data.draw(st.sampled_from(kinds).flatmap(lambda kind: st.lists(kind, min_size=rows, max_size=rows)))
        columns[data.draw(st.sampled_from("abcd=é ")) + str(j)] = values
    y = data.draw(st.lists(st.integers(0, 1), min_size=rows, max_size=rows))
    make = data.draw(st.sampled_from([
        pd.DataFrame, lambda c: pl.DataFrame(c, strict=False), lambda c: pa.table({k: pa.array(v) for k, v in c.items()})]))
    try:
        table = make(columns)
    except Exception:  # their makers refuse some of it
        return
    model = Model("paper", classes=[0, 1], batch=4)
    p = either(model, lambda: model.step(table, y))
    if p is not None:
        assert type(p) is type(table)
        assert_probabilities(p, rows, 2)
        either(model, lambda: model.predict_proba(table))


@SMALL
@given(y=st.one_of(st.lists(st.one_of(st.integers(), st.floats(), st.text(max_size=2), st.none()), max_size=12),
                   arrays.arrays(dtype=st.sampled_from([np.int64, np.float64, np.bool_, "<U2"]), shape=st.integers(0, 12))),
       weights=st.one_of(st.none(), arrays.arrays(np.float64, st.integers(0, 12), elements=st.floats(-1, 3))))
@pytest.mark.filterwarnings("ignore")  # of NumPy and scikit-learn, about such labels
def test_labels_and_weights_for_scikit_learn(y, weights):
    X = np.arange(2.0 * len(y)).reshape(-1, 2)
    try:
        model = OnlineBoostClassifier("paper").fit(X, y, sample_weight=weights)
    except (ValueError, TypeError) as error:
        assert str(error)
        return
    assert_probabilities(model.predict_proba(X), len(X), len(model.classes_))


@SMALL
@given(text=st.text(max_size=20), value=VALUES)
def test_configurations(text, value):
    for call in (lambda: Model(text), lambda: Model(learner=text), lambda: Model(learner=value),
                 lambda: Model(learners=value), lambda: Model(ensemble={text: value}), lambda: Model(seed=value),
                 lambda: plumbline.Metric(text), lambda: plumbline.Stream(text)):
        try:
            call()
        except (ValueError, TypeError) as error:
            assert str(error)


@SMALL
@given(data=st.binary(max_size=200))
def test_bytes_that_are_no_model(data):
    with pytest.raises(ValueError, match="bytes"):
        Model.from_bytes(data)


@SMALL
@given(p=arrays.arrays(np.float64, st.integers(0, 9)), y=arrays.arrays(st.sampled_from([np.int64, np.float64]), st.integers(0, 9)))
def test_metrics(p, y):
    for name in plumbline.components()["metric"]:
        metric = plumbline.Metric(name)
        try:
            metric.update(p, y)
        except ValueError as error:
            assert str(error)
            assert metric.value is None

"""After an error the model is as it was, whatever it was about and wherever in the call."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from plumbline import Model, OnlineBoostClassifier
from plumbline.river import OnlineBoost


def unchanged(model, call, *words):
    """The call raises, and the model's bytes are the same before and after."""
    before = model.to_bytes()
    with pytest.raises(ValueError) as caught:
        call()
    for word in words:
        assert word in str(caught.value)
    assert model.to_bytes() == before


ROWS = 95  # several minibatches of 10, and a part of one


@pytest.fixture(params=["array", "pandas", "polars", "dicts"])
def rows(request, data):
    """Rows of one kind, and how to spoil one number of them: spoil(row, value)."""
    frame = pd.DataFrame(data[0][:ROWS], columns=["a", "b", "c"])
    kind = {"array": lambda one: one.to_numpy(), "pandas": lambda one: one, "polars": pl.from_pandas,
            "dicts": lambda one: one.to_dict(orient="records")}[request.param]

    def spoil(row, value):
        if request.param == "polars" and isinstance(value, str):
            return kind(frame).with_columns(
                b=pl.Series([value if i == row else str(b) for i, b in enumerate(frame["b"])]))
        spoilt = frame.astype({"b": object}) if isinstance(value, str) else frame.copy()
        spoilt.loc[row, "b"] = value
        return kind(spoilt.astype(str) if isinstance(value, str) and request.param == "pandas" else spoilt)

    return kind(frame), spoil, request.param


@pytest.mark.parametrize("learn", ["learn", "step"])
@pytest.mark.parametrize("labels", ["numbers", "texts", "classes"])
def test_a_model_is_as_it_was(data, rows, learn, labels):
    X, spoil, kind = rows
    y = {"numbers": lambda y: y, "texts": lambda y: np.where(y == 1, "yes", "no"),
         "classes": lambda y: np.where(y == 1, "yes", np.where(np.arange(len(y)) % 3 == 0, "no", "maybe"))}[labels](
             data[1][:ROWS])
    model = Model("paper", batch=10).learn(X, y)
    call = getattr(model, learn)

    def fails(X, y, *words, **options):
        unchanged(model, lambda: call(X, y, **options), *words)

    # A bad row in the middle, of a call of several minibatches.
    fails(spoil(57, np.inf), y, "58" if kind != "dicts" else "'b'")
    fails(spoil(57, -1e200), y)
    if kind != "dicts":  # in which a text is a category
        fails(spoil(57, "five"), y, *(["58"] if kind != "array" else []))
    # Another width, another number of labels.
    if kind == "array":
        fails(X[:, :2], y, "2 features")
    elif kind != "dicts":
        fails(X[["a", "b"]], y, "c")
    fails(X, y[:-1], "95", "94")
    # A bad label, of the last row.
    fails(X, [*y.tolist()[:-1], None], "row 95")
    fails(X, [*y.tolist()[:-1], 7])
    # A bad cost, of the last row.
    for cost in (-1, np.nan, np.inf, 1e13):
        fails(X, y, "row 95", costs=[[1, 1]] * (ROWS - 1) + [[1, cost]])
    fails(X, y, costs=[[1, 1]] * (ROWS - 1))
    fails(X, y, costs=(1, 1, 1))
    # It still does what it did.
    assert np.asarray(model.predict_proba(X)).shape == (ROWS, len(model.classes))
    call(X, y)


@pytest.mark.parametrize("kind", ["array", "table", "dicts"])
@pytest.mark.parametrize("good, bad, words", [
    ("d", 5, ["'5' is a number"]),
    ("d", "", ["missing"]),
    ("d", "nan", ["missing"]),
    ("d", "d ", ["'d '", "read the same"]),
])
def test_no_class_is_added_unless_all_can_be(data, kind, good, bad, words):
    frame = pd.DataFrame(data[0][:ROWS], columns=["a", "b", "c"])
    X = {"array": frame.to_numpy(), "table": frame, "dicts": frame.to_dict(orient="records")}[kind]
    y = ["a", "b", "c"] * 30
    model = Model("paper", batch=10).learn(X[:90], y)
    unchanged(model, lambda: model.learn(X[:90], [*y[:30], good, *y[31:80], bad, *y[81:]]), *words)
    assert model.classes == ["a", "b", "c"]
    assert np.asarray(model.predict_proba(X)).shape == (ROWS, 3)
    model.learn(X[:2], [good, "a"])
    assert model.classes == ["a", "b", "c", good]
    assert np.asarray(model.predict_proba(X)).shape == (ROWS, 4)


def test_no_class_is_added_beyond_the_most(data):
    X, _ = data
    model = Model("paper", learners=2).learn(X[:250], [f"c{i}" for i in range(250)])
    unchanged(model, lambda: model.learn(X[:10], [f"d{i}" for i in range(10)]), "256")
    model.learn(X[:6], [f"d{i}" for i in range(6)])
    assert len(model.classes) == 256


def test_no_class_is_added_by_a_bad_row(data):
    X, _ = data
    model = Model("paper", batch=10).learn(X[:90], ["a", "b", "c"] * 30)
    spoilt = X[:90].copy()
    spoilt[57, 1] = np.inf
    unchanged(model, lambda: model.learn(spoilt, ["d", "e", "a"] * 30), "row 58")
    assert model.predict_proba(X).shape == (1500, 3)
    model.learn(X[:90], ["d", "e", "a"] * 30)
    assert model.classes == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize("rows", ["array", "pandas", "polars"], indirect=True)  # scikit-learn knows no dicts
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")  # by scikit-learn, of a label
def test_a_classifier_is_as_it_was(data, rows):
    X, spoil, kind = rows
    y = data[1][:ROWS]
    classifier = OnlineBoostClassifier("paper", batch=10).fit(X, y)

    def fails(*arguments, **options):
        unchanged(classifier.model_, lambda: classifier.partial_fit(*arguments, **options))

    for value in (np.inf, "five"):
        fails(spoil(57, value), y)
        fails(spoil(57, value), y, sample_weight=np.ones(ROWS))
    fails(X[:, :2] if kind == "array" else X[["a", "b"]], y)
    fails(X, y[:-1])
    fails(X, [*y[:-1], 7])
    fails(X, [*y[:-1].astype(float), np.nan])
    fails(X, y, classes=[0, 1, 2])
    fails(X, y, sample_weight=np.ones(ROWS - 1))
    fails(X, y, sample_weight=[*np.ones(ROWS - 1), -1])
    fails(X, y, sample_weight=[*np.ones(ROWS - 1), np.nan])
    other = OnlineBoostClassifier("paper", batch=10).fit(X, y)
    for one in (classifier, other):
        one.partial_fit(X, y, sample_weight=np.full(ROWS, 0.5))
    assert classifier.model_.to_bytes() == other.model_.to_bytes()


def test_a_classifier_that_cannot_be_fitted_again_is_as_it_was(data):
    X, y = data
    classifier = OnlineBoostClassifier("paper").fit(X, y)
    before = classifier.predict_proba(X)
    wide = np.hstack([X, X])
    wide[57, 4] = 1e200
    with pytest.raises(ValueError, match="row 58"):
        classifier.fit(wide, y)
    with pytest.raises(ValueError):
        classifier.fit(pd.DataFrame({"a": [[1]] * len(y)}), y)
    np.testing.assert_array_equal(classifier.predict_proba(X), before)
    unfitted = OnlineBoostClassifier("paper")
    with pytest.raises(ValueError, match="row 58"):
        unfitted.fit(wide, y)
    assert vars(unfitted) == vars(OnlineBoostClassifier("paper"))


@pytest.mark.parametrize("labels, bad", [([True, False], ["x", 5]), (["a", "b", "c"], [5, ""]), ([1, 2, 3], ["x", ""])])
def test_a_river_model_is_as_it_was(labels, bad):
    model = OnlineBoost("paper")
    for i in range(30):
        model.learn_one({"a": float(i), "colour": "red"}, labels[i % len(labels)])
    classes = list(model.predict_proba_one({"a": 1.0}))
    for row in ({"a": np.inf}, {"new": 1.0, "a": 1e200}, {"a": object()}, {"a": [1]}, {"\ud800": 1.0}):
        unchanged(model._core, lambda: model.learn_one(row, labels[0]))
    for label in (*bad, None, float("nan")):
        unchanged(model._core, lambda: model.learn_one({"a": 1.0, "new": 2.0}, label))
    # In the middle of many.
    frame = pd.DataFrame({"a": np.arange(30.0), "new": 1.0})
    y = pd.Series(labels * 15, dtype=object)[:30]
    unchanged(model._core, lambda: model.learn_many(frame.assign(a=[*range(20), np.inf, *range(9)]), y))
    unchanged(model._core, lambda: model.learn_many(frame, y[:-1]))
    for label in (*bad, None):
        unchanged(model._core, lambda: model.learn_many(frame, pd.Series([*y[:-1], label], dtype=object)))
    assert list(model.predict_proba_one({"a": 1.0})) == classes
    model.learn_one({"a": 1.0}, labels[0])


def test_a_river_model_adds_no_class_unless_all_can_be():
    model = OnlineBoost("paper")
    for i in range(30):
        model.learn_one({"a": float(i)}, "abc"[i % 3])
    frame = pd.DataFrame({"a": np.arange(3.0)})
    unchanged(model._core, lambda: model.learn_many(frame, pd.Series(["d", "a", 5])), "'5' is a number")
    assert set(model.predict_proba_one({"a": 1.0})) == {"a", "b", "c"}
    model.learn_one({"a": 1.0}, "d")
    assert set(model.predict_proba_one({"a": 1.0})) == {"a", "b", "c", "d"}

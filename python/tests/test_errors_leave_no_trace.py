"""After an error every byte is as it was, and what goes on is as if the error had never been: each public entry of each
class that learns, by its pickle. Rows that bring what is new are predicted as unseen, which leaves no trace either."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from plumbline import Model, OnlineBoostClassifier

ROWS = 25  # two minibatches of 10, and a part of one
BAD = 17  # the row that is spoilt
NAN = float("nan")


def no_trace(one, call, *words, kinds=ValueError):
    """The call raises and leaves the pickle as it was; gives a copy that never met the fault."""
    before = pickle.dumps(one)
    with pytest.raises(kinds) as caught:
        call()
    for word in words:
        assert word in str(caught.value)
    assert pickle.dumps(one) == before
    return pickle.loads(before)


def as_kind(kind, frame):
    """The rows of a frame of numbers and one column of words, `colour`, as users give them."""
    numbers = frame.drop(columns="colour")
    return {"array": numbers.to_numpy, "sparse": lambda: scipy.sparse.csr_matrix(numbers.to_numpy()),
            "pandas": lambda: frame, "polars": lambda: pl.from_pandas(frame),
            "pyarrow": lambda: pa.Table.from_pandas(frame, preserve_index=False),
            "dicts": lambda: frame.to_dict(orient="records")}[kind]()


KINDS = ["array", "sparse", "pandas", "polars", "pyarrow", "dicts"]


@pytest.fixture(scope="module")
def frame(data):
    made = pd.DataFrame(data[0][:3 * ROWS], columns=["a", "b", "c"])
    return made.assign(colour=np.where(made["c"] > 5, "red", "blue"))


def spoilt(frame):
    """Bad rows in the middle, each behind a row that brings a new category, with words of the message."""
    new = frame.copy()
    new.loc[BAD - 1, "colour"] = "green"
    for value, words in ((np.inf, ["inf"]), (-np.inf, ["-inf"]), (1e151, ["1e+151"])):
        bad = new.copy()
        bad.loc[BAD, "b"] = value
        yield bad, words


LABELS = {"two": ["no", "yes"], "numbers": [0, 1], "truth": [False, True], "classes": ["a", "b", "c"],
          "digits": [1, 2, 3]}


def labels_of(name, rows=ROWS):
    return (LABELS[name] * rows)[:rows]


def bad_labels(name):
    """Labels with a bad one in the middle; where classes may come, behind a good new one. With words of the message."""
    y = labels_of(name)
    several = len(LABELS[name]) > 2
    if several:
        y[3] = "d" if name == "classes" else 4
    for bad, word in ((None, f"row {BAD + 1}"), (NAN, f"row {BAD + 1}"),
                      ("word", "word") if name != "classes" else (5, "'5' is a number")):
        yield [*y[:BAD], bad, *y[BAD + 1:]], [word]
    if several:
        yield [*y[:BAD], "", *y[BAD + 1:]], []
        yield [*y[:BAD], f" {y[3]} ", *y[BAD + 1:]], ["read the same"]
        new = [f"e{i}" if name == "classes" else 100 + i for i in range(254)]
        yield [*y, *new], ["256"]  # too many, which takes as many rows
    yield y[:-1], [str(ROWS), str(ROWS - 1)]


BAD_COSTS = [([[1, 1]] * BAD + [[1, cost]] + [[1, 1]] * (ROWS - BAD - 1), [f"row {BAD + 1}"])
             for cost in (-1, NAN, np.inf, 1e13)]
BAD_COSTS += [([[1, 1]] * (ROWS - 1), ["shape"]), ((1, 1, 1), ["shape"]), ((-1, 1), ["row 1"])]


def rows_for(labels, frame):
    """The rows of the frame, again and again if there are more labels."""
    if len(labels) <= len(frame):
        return frame
    return pd.concat([frame] * (len(labels) // len(frame) + 1), ignore_index=True)[:len(labels)]


# ---- Model


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("labels", list(LABELS))
@pytest.mark.parametrize("made", [True, False], ids=["made", "unmade"])
def test_a_model(frame, kind, labels, made):
    first, rest = frame[:ROWS], frame[ROWS:2 * ROWS].reset_index(drop=True)
    X, y = as_kind(kind, rest), labels_of(labels)

    def faults():
        for bad, words in spoilt(rest):
            yield as_kind(kind, bad), y, words, None
        for wrong, words in bad_labels(labels):
            yield as_kind(kind, rows_for(wrong, rest)), wrong, words, None
        for costs, words in BAD_COSTS:
            yield X, y, words, costs
        if made and kind != "dicts":
            yield as_kind(kind, rest.drop(columns="b")), y, [], None
        if made:
            other = "dicts" if kind != "dicts" else "array"
            yield as_kind(other, rest), y, [], None

    model = Model("paper", batch=10, reward="cost", policy="ucb1", classes=LABELS[labels])
    if made:
        model.learn(as_kind(kind, first), y)
    for rows, wrong, words, costs in faults():
        for call in (model.learn, model.step, lambda *given, **more: model.step(*given, scores=True, **more)):
            twin = no_trace(model, lambda: call(rows, wrong, costs=costs), *words)
    assert model.rows_learned == (ROWS if made else 0)
    for one in (model, twin):
        one.learn(X, y)
    assert model.to_bytes() == twin.to_bytes()
    assert pickle.dumps(model) == pickle.dumps(twin)


@pytest.mark.parametrize("kind", KINDS)
def test_predictions_of_a_model(frame, kind):
    y = labels_of("classes")
    model = Model("paper", batch=10).learn(as_kind(kind, frame[:ROWS]), y)
    for predict in (model.predict_proba, model.scores):
        for bad, words in spoilt(frame[:ROWS]):
            no_trace(model, lambda: predict(as_kind(kind, bad)), *words)
        if kind != "dicts":
            no_trace(model, lambda: predict(as_kind(kind, frame.drop(columns="b"))))
        before = pickle.dumps(model)
        predict(as_kind(kind, frame))
        assert pickle.dumps(model) == before


def test_files(tmp_path, data):
    model = Model("paper").learn(*data)
    file = tmp_path / "m"
    model.save(file)
    good = file.read_bytes()
    for call, kinds in ((lambda: model.save(tmp_path / "no" / "m"), OSError), (lambda: model.save(tmp_path), OSError),
                        (lambda: Model.load(tmp_path / "no"), OSError),
                        (lambda: Model.from_bytes(good[:-50]), ValueError),
                        (lambda: Model.from_bytes(good[:-1] + bytes([good[-1] ^ 1])), ValueError)):
        no_trace(model, call, kinds=kinds)
    assert file.read_bytes() == good


# ---- scikit-learn


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "dicts"])  # scikit-learn knows none
@pytest.mark.parametrize("labels", ["numbers", "classes"])
@pytest.mark.parametrize("random_state", [3, "state"])
def test_a_classifier(frame, kind, labels, random_state):
    first, rest = frame[:ROWS], frame[ROWS:2 * ROWS].reset_index(drop=True)
    X, y = as_kind(kind, rest), np.array(labels_of(labels))
    weights = np.full(ROWS, 0.5)
    state = np.random.RandomState(3) if random_state == "state" else random_state
    fitted = OnlineBoostClassifier("paper", batch=10, random_state=state).fit(as_kind(kind, first), y)
    other = y.astype(object)
    other[BAD] = "other"

    def faults():
        for bad, _ in spoilt(rest):
            yield as_kind(kind, bad), y, {}
            yield as_kind(kind, bad), y, {"sample_weight": weights}
        yield X, y[:-1], {}
        yield X, y, {"sample_weight": weights[:-1]}
        for weight in (-1, NAN, np.inf, 1e9):
            yield X, y, {"sample_weight": [*weights[:-1], weight]}

    for rows, wrong, options in faults():
        twin = no_trace(fitted, lambda: fitted.partial_fit(rows, wrong, **options))
        no_trace(fitted, lambda: fitted.fit(rows, wrong, **options))
        unfitted = OnlineBoostClassifier("paper", batch=10, random_state=state)
        no_trace(unfitted, lambda: unfitted.fit(rows, wrong, **options))
        no_trace(unfitted, lambda: unfitted.partial_fit(rows, wrong, **options))
    no_trace(fitted, lambda: fitted.partial_fit(X, other))
    no_trace(fitted, lambda: fitted.partial_fit(X, y, classes=[*LABELS[labels], 7]))
    no_trace(fitted, lambda: fitted.partial_fit(as_kind(kind, rest.drop(columns="b")), y))
    for one in (fitted, twin):
        one.partial_fit(X, y, sample_weight=weights)
        one.partial_fit(X, y)
    assert pickle.dumps(fitted) == pickle.dumps(twin)
    for predict in (fitted.predict, fitted.predict_proba, fitted.decision_function, lambda rows: fitted.score(rows, y)):
        for bad, _ in spoilt(rest):
            no_trace(fitted, lambda: predict(as_kind(kind, bad)))
        no_trace(fitted, lambda: predict(as_kind(kind, rest.drop(columns="b"))))
        predict(X)
    assert pickle.dumps(fitted) == pickle.dumps(twin)


# ---- river


@pytest.mark.parametrize("labels", ["truth", "classes", "digits"])
@pytest.mark.parametrize("made", [True, False], ids=["made", "unmade"])
def test_a_river_model(frame, labels, made):
    river = pytest.importorskip("plumbline.river")
    first, rest = frame[:ROWS], frame[ROWS:2 * ROWS].reset_index(drop=True)
    y = labels_of(labels)
    model = river.OnlineBoost("paper")
    if made:
        model.learn_many(first, pd.Series(y))

    row = {"new": 1.0, "colour": "white", "a": 1.0}
    for value in (np.inf, 1e151, object(), [1]):
        no_trace(model, lambda: model.learn_one({**row, "a": value}, y[0]))
        if made:
            for predict in (model.predict_proba_one, model.predict_one):
                no_trace(model, lambda: predict({**row, "a": value}))
    for bad, _ in spoilt(rest):
        no_trace(model, lambda: model.learn_many(bad, pd.Series(y)))
        if made:
            for predict in (model.predict_proba_many, model.predict_many):
                no_trace(model, lambda: predict(bad))
    for label in (None, NAN, pd.NA):
        no_trace(model, lambda: model.learn_one(row, label))
    if made:
        for label in {"truth": ["word", 7], "classes": [5, ""], "digits": ["word", ""]}[labels]:
            no_trace(model, lambda: model.learn_one(row, label))
    for wrong, words in bad_labels(labels):
        no_trace(model, lambda: model.learn_many(rows_for(wrong, rest), pd.Series(wrong, dtype=object)), *words)
    twin = no_trace(model, lambda: model.learn_many(rest, pd.Series(y[:-1])))
    for one in (model, twin):
        one.learn_many(rest, pd.Series(y))
        one.learn_one({"a": 1.0, "newer": 2.0}, y[0])
    assert pickle.dumps(model) == pickle.dumps(twin)


# ---- What is new in rows that are predicted


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_a_new_category_is_predicted_as_unseen(frame, kind):
    y = np.where(frame["colour"] == "red", "yes", "no")
    unseen = frame[:4].assign(colour=["green", "white", "", "red"], a=1.0, b=1.0, c=1.0)
    for classes in (y, np.where(frame["a"] > 5, y, "maybe")):
        for one in (Model("fast"), OnlineBoostClassifier()):  # of any order: without the last labels
            learn = one.learn if isinstance(one, Model) else one.fit
            learn(as_kind(kind, frame), classes)
            before = pickle.dumps(one)
            p = np.asarray(one.predict_proba(as_kind(kind, unseen)))
            # None of the categories, as a row of numbers would say it.
            np.testing.assert_array_equal(p[0], p[1])
            np.testing.assert_array_equal(p[0], p[2])
            assert (p[0] != p[3]).any()
            np.testing.assert_allclose(p.sum(axis=1), 1)
            alone = np.asarray(one.predict_proba(as_kind(kind, unseen[:1])))
            np.testing.assert_array_equal(alone[0], p[0])
            assert pickle.dumps(one) == before


def test_a_new_name_is_predicted_as_if_it_were_absent(frame):
    rows = frame.to_dict(orient="records")
    model = Model("fast").learn(rows, np.where(frame["colour"] == "red", "yes", "no"))
    before = pickle.dumps(model)
    known = {"a": 1.0, "b": 2.0}
    p = model.predict_proba([known, {**known, "new": 5.0}, {**known, "colour": "green", "word": "x"},
                             {**known, "colour": "red"}])
    np.testing.assert_array_equal(p[0], p[1])
    np.testing.assert_array_equal(p[0], p[2])
    assert (p[0] != p[3]).any()
    np.testing.assert_array_equal(model.scores([known]), model.scores([{**known, "new": 5.0}]))
    assert pickle.dumps(model) == before


def test_river_predicts_new_names_as_if_they_were_absent(frame):
    river = pytest.importorskip("plumbline.river")
    model = river.OnlineBoost("paper")
    model.learn_many(frame, pd.Series(labels_of("classes", len(frame))))
    before = pickle.dumps(model)
    known = {"a": 1.0, "b": 2.0}
    expected = model.predict_proba_one(known)
    assert model.predict_proba_one({**known, "new": 5.0, "colour": "green"}) == expected
    many = model.predict_proba_many(pd.DataFrame([{**known, "new": 5.0, "colour": "green"}] * 2))
    assert many.iloc[1].to_dict() == expected
    assert pickle.dumps(model) == before


def test_a_class_that_has_just_come_is_predicted(frame):
    X = frame[["a", "b", "c"]].to_numpy()
    model = Model("paper", batch=10).learn(X, labels_of("classes", len(X)))
    old = model.predict_proba(X)
    p = model.step(X[:10], ["d", *labels_of("classes", 9)])
    # Predicted before it is learned, with a place for the new class.
    assert p.shape == (10, 4)
    assert (p[:, 3] > 0).all() and (p[:, 3] < 0.1).all()
    np.testing.assert_allclose(p[:, :3] / p[:, :3].sum(axis=1, keepdims=True), old[:10], rtol=1e-9)

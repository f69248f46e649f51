"""Rows of every kind, results of the same kind, labels of every kind."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

import plumbline
from plumbline import Model, OnlineBoostClassifier


# ---- Arrays


def test_strides_and_kinds_of_numbers_make_no_difference(data):
    X, y = data
    X = np.round(X)
    model = Model().learn(X, y)
    wanted = model.predict_proba(X)
    wide = np.zeros((len(X), 2 * X.shape[1]))
    wide[:, ::2] = X
    read_only = X.copy()
    read_only.flags.writeable = False
    for same in (np.asfortranarray(X), wide[:, ::2], X[::-1][::-1], X.astype(np.float32), X.astype(np.float16),
                 X.astype(np.int32), X.astype(np.uint8), X.astype(">f8"), X.astype(object), read_only, X.tolist(),
                 pd.DataFrame(X).to_numpy()):
        np.testing.assert_array_equal(model.predict_proba(same), wanted)
        np.testing.assert_array_equal(Model().learn(same, y).predict_proba(X), wanted)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "bsr"])
def test_sparse_matrices_of_any_form_are_the_same_rows(data, form):
    X, y = data
    X = np.where(X > 6, X, 0)
    wanted = Model().learn(X, y)
    for kind in (scipy.sparse.csr_matrix, scipy.sparse.csr_array):
        same = getattr(kind(X), f"to{form}")()
        model = Model().learn(same, y)
        assert model.to_bytes() == wanted.to_bytes()
        np.testing.assert_array_equal(model.predict_proba(same), wanted.predict_proba(X))
        classifier = OnlineBoostClassifier().fit(same, y)
        np.testing.assert_array_equal(classifier.predict_proba(same), OnlineBoostClassifier().fit(X, y).predict_proba(X))


def test_a_wide_sparse_matrix_is_never_made_dense():
    # Dense it would be 160 GB.
    X = scipy.sparse.csr_matrix((np.ones(3), ([0, 1, 99_999], [0, 5, 199])), shape=(100_000, 200))
    model = Model("paper", learner="logistic", learners=1, batch=1000, classes=[0, 1], threads=1)
    model.learn(X[:2000], np.arange(2000) % 2)
    assert model.predict_proba(X[-1]).shape == (1, 2)
    broad = scipy.sparse.csr_matrix((20_000_000, 200))
    with pytest.raises(ValueError, match="but y has 1"):
        model.learn(broad, [1])


def test_what_scipy_stores_twice_adds_up():
    twice = scipy.sparse.csr_matrix((np.array([1.0, 2.0]), np.array([1, 1]), np.array([0, 2])), shape=(1, 3))
    model = Model().learn(np.eye(3), [0, 1, 1])
    np.testing.assert_array_equal(model.predict_proba(twice), model.predict_proba([[0.0, 3.0, 0.0]]))


def test_a_broken_sparse_matrix_is_refused():
    broken = scipy.sparse.csr_matrix(np.eye(3))
    broken.indices[1] = 7
    with pytest.raises(ValueError, match="row 2 of X is not a valid sparse row"):
        Model().learn(np.eye(3), [0, 1, 1]).predict_proba(broken)


def test_arrays_that_cannot_be_read_where_they_lie_are_copied(data):
    X, y = data
    wanted = Model().learn(X, y).predict_proba(X)
    packed = np.zeros(X.shape, dtype=[("value", "f8"), ("other", "i4")])
    packed["value"] = X
    labels = np.zeros(len(y), dtype=[("value", "i8"), ("other", "i1")])
    labels["value"] = y
    model = Model().learn(packed["value"][:100], labels["value"][:100]).learn(packed["value"][100:], labels["value"][100:])
    assert model.to_bytes() == Model().learn(X[:100], y[:100]).learn(X[100:], y[100:]).to_bytes()
    np.testing.assert_array_equal(Model().learn(packed["value"], labels["value"]).predict_proba(X), wanted)
    masked = np.ma.masked_greater(X, 5)
    np.testing.assert_array_equal(Model().learn(masked, y).predict_proba(masked),
                                  Model().learn(np.where(X > 5, np.nan, X), y).predict_proba(np.where(X > 5, np.nan, X)))
    with pytest.raises(ValueError, match="not datetime64"):
        Model().learn(X.astype("M8[s]"), y)


# ---- Tables


def test_tables_of_all_kinds_are_the_same(table):
    frame, y = table
    model = Model().learn(frame, y)
    assert model.classes == ["no", "yes"]
    assert {"word=high", "word=low"} <= set(model.features)
    wanted = model.predict_proba(frame)
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    chunked = pa.concat_tables([arrow[:1], arrow[1:1], arrow[1:700], arrow[700:]])
    for same in (pl.from_pandas(frame), arrow, chunked, frame.astype({"word": "category"}),
                 pl.from_pandas(frame).with_columns(pl.col("word").cast(pl.Categorical)), frame[frame.columns[::-1]]):
        np.testing.assert_array_equal(np.asarray(model.predict_proba(same)), np.asarray(wanted))
        if list(getattr(same, "column_names", same.columns)) == list(frame.columns):
            again = Model().learn(same, y)
            np.testing.assert_array_equal(np.asarray(again.predict_proba(frame)), np.asarray(wanted))


def test_results_are_of_the_users_kind(table):
    frame, y = table
    frame = frame.set_index(np.arange(len(frame)) + 5000)
    model = Model().learn(frame, y)
    p = model.predict_proba(frame)
    assert isinstance(p, pd.DataFrame)
    assert p.index.equals(frame.index) and p.columns.tolist() == ["no", "yes"]
    q = model.predict_proba(pl.from_pandas(frame))
    assert isinstance(q, pl.DataFrame) and q.columns == ["no", "yes"]
    r = model.predict_proba(pa.Table.from_pandas(frame, preserve_index=False))
    assert isinstance(r, pa.Table) and r.column_names == ["no", "yes"]
    for other in (q.to_numpy(), r.to_pandas().to_numpy()):
        np.testing.assert_array_equal(other, p.to_numpy())
    assert isinstance(model.scores(frame), pd.DataFrame)
    probabilities, scores = Model().step(frame, y, scores=True)
    assert isinstance(probabilities, pd.DataFrame) and isinstance(scores, pd.DataFrame)
    # scikit-learn's classifiers give arrays.
    assert isinstance(OnlineBoostClassifier().fit(frame, y).predict_proba(frame), np.ndarray)


def test_tables_of_numbers_are_arrays_to_the_last_bit(data):
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    wanted = OnlineBoostClassifier().fit(X, y).predict_proba(X)
    for same in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        np.testing.assert_array_equal(OnlineBoostClassifier().fit(same, y).predict_proba(same), wanted)
        np.testing.assert_array_equal(np.asarray(Model().learn(same, y).predict_proba(same)),
                                      Model().learn(X, y).predict_proba(X))


def test_columns_can_be_chosen(table):
    frame, y = table
    model = Model(categorical=["n"], ignore=["flag"], missing=["low"]).learn(frame, y)
    assert any(name.startswith("n=") for name in model.features)
    assert not any(name.startswith("flag") for name in model.features)
    texts = frame.assign(a=frame["a"].map(lambda a: "gone" if np.isnan(a) else repr(a)))
    np.testing.assert_array_equal(
        Model(missing=["gone"]).learn(texts, y).predict_proba(texts).to_numpy(),
        Model().learn(frame, y).predict_proba(frame).to_numpy())
    with pytest.raises(TypeError, match=r"categorical=\['n'\]"):
        Model(categorical="n")


def test_a_column_named_label_is_one_like_any_other(data):
    X, y = data
    frame = pd.DataFrame({"label": X[:, 0], "b": X[:, 1], "c": X[:, 2]})
    model = Model().learn(frame, y)
    assert model.features == ["label", "b", "c"]
    np.testing.assert_array_equal(model.predict_proba(frame).to_numpy(), Model().learn(X, y).predict_proba(X))


def test_numbers_stay_numbers_whatever_they_are(data):
    _, y = data
    ratio = np.tile([1.0, 2.0, 3.0, np.inf], len(y) // 4)
    with pytest.raises(ValueError, match="'ratio'.*infinite"):
        Model().learn(pd.DataFrame({"ratio": ratio}), y[:len(ratio)])
    half = pa.table({"a": pa.array(np.array([0.5, -2, 6e-8, np.nan] * 3, dtype=np.float16)), "b": np.arange(12.0)})
    wide = pa.table({"a": half["a"].to_numpy().astype(np.float64), "b": np.arange(12.0)})
    assert Model().learn(half, [0, 1] * 6).to_bytes() == Model().learn(wide, [0, 1] * 6).to_bytes()
    large = pd.DataFrame({"id": np.array([2**53, 2**53 + 1] * 20)})
    assert Model(categorical=["id"]).learn(large, [0, 1] * 20).features == [f"id={2**53}", f"id={2**53 + 1}"]


def test_what_has_columns_is_a_table(table):
    frame, y = table
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    wanted = Model().learn(frame, y).to_bytes()

    class Other:
        def __arrow_c_stream__(self, requested_schema=None):
            return arrow.__arrow_c_stream__(requested_schema)

    assert Model().learn(Other(), y).to_bytes() == wanted
    assert Model().learn(arrow.to_reader(), y).to_bytes() == wanted
    with pytest.raises(ValueError, match="collect"):
        Model().learn(pl.from_pandas(frame).lazy(), y)


def test_columns_that_are_left_out_may_be_anything(data):
    X, y = data
    frame = pd.DataFrame({"when": pd.Timedelta("1 day"), "a": X[:, 0]})
    assert Model(ignore=["when"]).learn(frame, y).features == ["a"]
    with pytest.raises(ValueError, match=r"'when' has durations.*ignore=\['when'\]"):
        Model().learn(frame, y)
    spaced = pd.DataFrame({"my col": X[:, 0], "a": X[:, 1]})
    model = Model().learn(spaced[["a"]], y)
    with pytest.raises(ValueError, match=r"ignore=\['my col'\]"):
        model.predict_proba(spaced)
    with pytest.raises(ValueError, match="cannot be read as a table"):
        Model().learn(pd.DataFrame({"a": ["x", 1] * 750}), y)


def test_arrays_are_no_tables_with_categories_and_no_dicts():
    frame = pd.DataFrame({"c": ["u", "v"] * 20})
    model = Model().learn(frame, [0, 1] * 20)
    with pytest.raises(ValueError, match="columns of categories"):
        model.predict_proba(np.full((1, 2), 7.0))
    with pytest.raises(ValueError, match="X has dicts"):
        model.predict_proba([{"c": "u"}])
    named = Model().learn([{"a": 1.0}, {"a": 2.0}], [True, False])
    for rows in (frame, np.zeros((1, 1))):
        with pytest.raises(ValueError, match="made from dicts"):
            named.predict_proba(rows)
    assert named.predict_proba([]).shape == (0, 2)
    np.testing.assert_array_equal(named.predict_proba(({"a": 1.0, "b": pd.NA},)), named.predict_proba([{"a": 1.0}]))
    for options in ({"categorical": ["c"]}, {"ignore": ["c"]}):
        with pytest.raises(ValueError, match="columns of tables"):
            Model(**options).learn(np.zeros((2, 1)), [0, 1])


@pytest.mark.parametrize("change, words", [
    (lambda frame: frame.drop(columns="a"), ["no column 'a'"]),
    (lambda frame: frame.assign(new=1), ["'new'", "ignore=['new']"]),
    (lambda frame: frame.assign(a="x"), ["'a'"]),
    (lambda frame: frame.assign(n=np.where(frame.index == 1200, np.inf, 0)), ["line 1201", "'n'", "infinite"]),
    (lambda frame: frame.assign(word=[[1]] * len(frame)), ["'word'", "no numbers, texts or times"]),
])
def test_tables_that_do_not_fit_change_nothing(table, change, words):
    frame, y = table
    model = Model().learn(frame, y)
    before = model.to_bytes()
    for call in (lambda rows: model.learn(rows, y), model.predict_proba):
        with pytest.raises(ValueError) as caught:
            call(change(frame))
        for word in words:
            assert word in str(caught.value)
    assert model.to_bytes() == before


# ---- Labels


@pytest.mark.parametrize("labels", [
    lambda y: y.astype(np.int8), lambda y: y.astype(float), lambda y: y == 1, lambda y: y.tolist(),
    lambda y: np.where(y == 1, "b", "a"), lambda y: np.where(y == 1, "b", "a").tolist(),
    lambda y: pd.Series(np.where(y == 1, "b", "a")), lambda y: pd.Series(y).astype("Int64"),
    lambda y: pd.Series(np.where(y == 1, "b", "a")).astype("category"),
    lambda y: pl.Series(y), lambda y: pl.Series(np.where(y == 1, "b", "a")),
    lambda y: pa.array(y), lambda y: pa.chunked_array([y[:100], y[100:]]), lambda y: y * 3 - 7, lambda y: y.astype(np.float16), lambda y: y.astype('>i4'),
    lambda y: y[::-1][::-1],
])
def test_labels_of_any_kind_are_the_same(data, labels):
    X, y = data
    wanted = Model().step(X, y)
    np.testing.assert_array_equal(Model().step(X, labels(y)), wanted)
    model = Model().learn(X[:100], labels(y)[:100])
    model.learn(X[100:], labels(y)[100:])
    np.testing.assert_array_equal(model.predict_proba(X), Model().learn(X[:100], y[:100]).learn(
        X[100:], y[100:]).predict_proba(X))


def test_the_second_class_is_the_positive_one(data):
    X, y = data
    forward = Model(classes=["no", "yes"]).learn(X, np.where(y == 1, "yes", "no"))
    backward = Model(classes=["yes", "no"]).learn(X, np.where(y == 1, "yes", "no"))
    assert backward.classes == ["yes", "no"]
    assert np.abs(forward.predict_proba(X) - backward.predict_proba(X)[:, ::-1]).mean() < 0.05


def test_classes_may_come_late_to_rows_of_any_kind(data):
    X, y = data
    names = np.array(["a", "b", "c"])[y + (X[:, 0] > 5)]
    late = names.copy()
    late[900:][np.random.default_rng(1).random(600) < 1 / 3] = "d"
    frame = pd.DataFrame(X, columns=["p", "q", "r"])
    dicts = frame.to_dict(orient="records")
    said = []
    for rows, pick in ((X, lambda a, b: X[a:b]), (frame, lambda a, b: frame[a:b]), (dicts, lambda a, b: dicts[a:b])):
        model = Model().learn(pick(0, 800), late[:800])
        assert model.classes == ["a", "b", "c"]
        p = np.asarray(model.step(pick(800, 1500), late[800:]))
        assert model.classes == ["a", "b", "c", "d"]
        np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-12)
        assert np.asarray(model.predict_proba(pick(0, 1500)))[:, 3].mean() > 0.05
        said.append(p)
    np.testing.assert_array_equal(said[0], said[1])  # dicts are not standardized


def test_a_bad_row_beside_a_new_class_changes_nothing(data):
    X, y = data
    model = Model().learn(X, np.array(["a", "b", "c"])[y + (X[:, 0] > 5)])
    before = model.to_bytes()
    with pytest.raises(ValueError, match="row 2"):
        model.learn([[1, 2, 3], [1, np.inf, 3]], ["d", "a"])
    assert model.classes == ["a", "b", "c"] and model.to_bytes() == before


@pytest.mark.parametrize("y, words", [
    (lambda y: y + 5, ["label 6 of row 1", "[0, 1]"]),
    (lambda y: np.where(y == 1, np.nan, 0.0), ["no label in row 1"]),
    (lambda y: np.where(y == 1, "yes", "0"), ["'yes' of row 1", "[0, 1]"]),
    (lambda y: [None if label else 0 for label in y], ["no label in row 1"]),
    (lambda y: pd.Series(y).astype("Int64").where(y == 1), ["no label in row 2"]),
    (lambda y: y.reshape(-1, 1), ["2 dimensions"]),
    (lambda y: y[:-1], ["1500", "1499"]),
])
def test_wrong_labels_get_a_sentence(data, y, words):
    X, right = data
    model = Model().learn(X, right)
    before = model.to_bytes()
    with pytest.raises(ValueError) as caught:
        model.learn(X, y(right))
    for word in words:
        assert word in str(caught.value)
    assert model.to_bytes() == before


def test_labels_come_back_as_what_they_read_as(data):
    X, y = data
    for labels, after in ((["1", "2"], [1, 2]), (["007", "8"], [7, 8]), (["1_0", "x"], ["1_0", "x"]), ([False, True], None),
                          (["b", "a"], ["a", "b"]), ([0.5, 2], None), ([10, 9], [9, 10])):
        names = [labels[k] for k in y]
        model = Model().learn(X, names)
        again = Model.from_bytes(model.to_bytes())
        assert again.classes == (after or labels)
        again.learn(X, names)  # as they were given
        assert again.to_bytes() == model.learn(X, names).to_bytes()
    assert Model(classes=["b", "a"]).classes == ["b", "a"]


# ---- Costs


def test_costs_teach_the_reward(data):
    X, y = data

    def learned(costs):
        model = Model("paper", reward="cost", policy="ucb1")
        for i in range(0, 1500, 50):
            model.learn(X[i:i + 50], y[i:i + 50], costs=None if costs is None else costs[i:i + 50])
        return model.to_bytes()

    ones = np.ones((1500, 2))
    assert learned(ones) == learned(None)
    assert learned(ones * [5, 1]) != learned(None)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    pair = Model("paper", reward="cost", policy="ucb1").learn(frame, y, costs=(5, 1))
    each = Model("paper", reward="cost", policy="ucb1").learn(frame, y, costs=ones * [5, 1])
    assert pair.to_bytes() == each.to_bytes()
    for wrong in (np.ones((3, 2)), ones.T, ones * -1, ones * np.nan, 5):
        with pytest.raises(ValueError, match="cost"):
            Model("paper").learn(X, y, costs=wrong)


def test_decisions_are_those_of_the_command_line(tmp_path, data, command_line):
    X, y = data
    model = Model().learn(X, y)
    model.save(tmp_path / "m")
    frame = pd.DataFrame(X, columns=["x1", "x2", "x3"])
    frame["amount"] = np.linspace(0, 20, len(X))
    frame.to_csv(tmp_path / "rows.csv", index=False)
    said = command_line("predict", tmp_path / "rows.csv", "--model", tmp_path / "m", "--cost-fp", 5,
                        "--cost-fn-column", "amount", "--prior", 0.2)
    rows = [line.split(",") for line in said.splitlines()[1:]]
    share = y.mean()
    p = plumbline.shift_prior(model.predict_proba(X)[:, 1], share, 0.2)
    np.testing.assert_allclose([float(row[-2]) for row in rows], p, rtol=1e-12)
    decided = plumbline.decide(p, 5, frame["amount"])
    np.testing.assert_array_equal([row[-1] == "1" for row in rows], decided)
    assert 0 < decided.mean() < 1

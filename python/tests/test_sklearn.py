"""OnlineBoostClassifier among scikit-learn's own tools."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from plumbline import OnlineBoostClassifier, generate

# scikit-learn's SGDClassifier is let off the same two, for the same reason: the check shuffles the repeated
# rows, and who learns row by row depends on their order.
ORDER = "learning depends on the order of rows, which the check changes"
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": ORDER,
    "check_sample_weight_equivalence_on_sparse_data": ORDER,
}


@parametrize_with_checks(
    [OnlineBoostClassifier(),
     OnlineBoostClassifier("paper", learner="logistic", policy="thompson", learners=3)],
    expected_failed_checks=lambda _: EXPECTED)
def test_is_a_classifier_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def data():
    return generate("waveform", 1200, seed=5)


def test_partial_fit_of_minibatches_is_fit(data):
    X, y = data
    whole = OnlineBoostClassifier(batch=40).fit(X, y)
    parts = OnlineBoostClassifier(batch=40)
    for i in range(0, len(X), 120):
        parts.partial_fit(X[i:i + 120], y[i:i + 120], classes=[0, 1])
    np.testing.assert_array_equal(whole.predict_proba(X), parts.predict_proba(X))


def test_works_in_pipelines_searches_and_cross_validation(data):
    X, y = data
    search = GridSearchCV(
        make_pipeline(StandardScaler(), OnlineBoostClassifier()),
        {"onlineboostclassifier__learner": ["gaussian_nb", "logistic"]}, cv=3,
        scoring="neg_log_loss").fit(X, y)
    assert search.best_score_ > -0.45
    p = cross_val_predict(OnlineBoostClassifier(), X, y, cv=3, method="predict_proba")
    assert p.shape == (len(X), 2)
    assert ((p[:, 1] > 0.5) == y).mean() > 0.85


def test_decision_function_is_the_calibrated_logit(data):
    X, y = data
    model = OnlineBoostClassifier().fit(X, y)
    p = model.predict_proba(X)[:, 1]
    np.testing.assert_allclose(1 / (1 + np.exp(-model.decision_function(X))), p, rtol=1e-9)


def test_pickles_are_stable_and_hold_the_model(data):
    X, y = data
    model = OnlineBoostClassifier().fit(X, y)
    stored = pickle.dumps(model)
    assert pickle.dumps(model) == stored
    again = pickle.loads(stored)
    assert pickle.dumps(again) == stored
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert model.model_.to_bytes() in stored
    again.partial_fit(X, y)
    model.partial_fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_weights_are_numbers_of_rows_in_their_minibatch(data):
    X, y = data
    weights = np.arange(len(X)) % 4
    frame = pd.DataFrame(X[:, :5], columns=list("abcde")).assign(word=np.where(X[:, 5] > 2, "high", "low"))
    for rows in (X, scipy.sparse.csr_matrix(X), frame):
        model = OnlineBoostClassifier(batch=20).fit(rows, y, sample_weight=weights)
        repeated = OnlineBoostClassifier(batch=1000)  # one minibatch for each call
        for i in range(0, len(y), 20):
            again = np.repeat(np.arange(i, i + 20), weights[i:i + 20])
            repeated.partial_fit(frame.iloc[again] if rows is frame else rows[again], y[again], classes=[0, 1])
        np.testing.assert_array_equal(model.predict_proba(rows), repeated.predict_proba(rows))


def test_weights_of_one_and_none_are_the_same(data):
    X, y = data
    one = OnlineBoostClassifier().fit(X, y, sample_weight=np.ones(len(X)))
    assert one.model_.to_bytes() == OnlineBoostClassifier().fit(X, y).model_.to_bytes()


def test_fractions_of_weights_are_drawn(data):
    X, y = data
    model = OnlineBoostClassifier().fit(X, y, sample_weight=np.full(len(X), 0.3))
    # 1,200 draws with probability 0.3 have a standard deviation of 16.
    assert abs(model.model_.view()["examples"] - 360) < 64
    again = OnlineBoostClassifier().fit(X, y, sample_weight=np.full(len(X), 0.3))
    assert again.model_.to_bytes() == model.model_.to_bytes()


def test_positives_that_weigh_more_are_likelier(data):
    X, y = data
    p = [OnlineBoostClassifier().fit(X, y, sample_weight=np.where(y == 1, weight, 1)).predict_proba(X)[:, 1].mean()
         for weight in (0.2, 1, 5)]
    assert p[0] < p[1] - 0.05 and p[1] + 0.05 < p[2]


def test_weights_that_would_take_for_ever_are_refused(data):
    with pytest.raises(ValueError, match="divide them"):
        OnlineBoostClassifier().fit(*data, sample_weight=np.full(len(data[1]), 1e9))


def test_parameters_have_the_command_lines_names(data):
    X, y = data
    model = OnlineBoostClassifier("paper", learner="logistic:alpha=0.01", policy={"name": "fixed", "every": 3},
                                  calibrator="beta", learners=4, batch=20, random_state=9)
    config = clone(model).fit(X, y).model_.config
    assert config["learner"]["alpha"] == 0.01
    assert config["policy"] == {"name": "fixed", "every": 3, "from": 1}
    assert (config["calibrator"]["name"], config["ensemble"]["size"]) == ("beta", 4)
    assert (config["batch"], config["seed"]) == (20, 9)


@pytest.mark.parametrize("options, words", [
    ({"learner": "logstic"}, ["logstic", "did you mean 'logistic'"]),
    ({"policy": "fixed:evry=3"}, ["evry", "every"]),
    ({"preset": "atuo"}, ["atuo", "auto"]),
    ({"learners": 0}, ["size", "0"]),
    ({"batch": 0}, ["batch"]),
    ({"random_state": -1}, ["seed"]),
])
def test_wrong_options_get_the_cores_sentences(data, options, words):
    with pytest.raises(ValueError) as caught:
        OnlineBoostClassifier(**options).fit(*data)
    for word in words:
        assert word in str(caught.value)


def test_several_classes_and_any_labels(data):
    X, y = data
    names = np.array(["a", "b", "c"])[y + (X[:, 0] > 1)]
    model = OnlineBoostClassifier(multiclass="ovo").fit(X, names)
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.predict_proba(X).shape == (len(X), 3)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1, rtol=1e-12)
    assert set(model.predict(X)) <= {"a", "b", "c"}


@pytest.mark.filterwarnings("ignore:The number of unique classes")
def test_too_many_classes_are_refused():
    with pytest.raises(ValueError, match="256"):
        OnlineBoostClassifier().fit(np.zeros((300, 1)), np.arange(300))


def test_tables_have_categories_and_classes_that_come_late(data):
    X, y = data
    frame = pd.DataFrame({"a": X[:, 0], "word": np.where(X[:, 5] > 2, "high", "low")})
    names = np.array(["b", "c"])[y]
    names[1001::2] = "a"  # beyond the first rows, from which the columns are found out
    model = OnlineBoostClassifier().fit(frame, names)
    p = model.predict_proba(frame)
    assert model.classes_.tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-12)
    assert p[:, 0].mean() > max(p[:, 1].mean(), p[:, 2].mean())  # half of the latest rows
    np.testing.assert_array_equal(model.predict(frame), model.classes_[p.argmax(axis=1)])
    assert model.feature_names_in_.tolist() == ["a", "word"]


def test_a_saved_classifier_goes_on(tmp_path, data):
    X, y = data
    model = OnlineBoostClassifier().fit(X[:600], y[:600])
    model.save(tmp_path / "m.safetensors")
    loaded = OnlineBoostClassifier.load(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    for each in (model, loaded):
        each.partial_fit(X[600:], y[600:])
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))


# ---- Tables


@pytest.fixture(scope="module")
def frame(data):
    X, y = data
    return pd.DataFrame({"zip": (X[:, 0] > 1).astype(int) + 8000, "x": X[:, 1], "z": X[:, 2]}), y


def test_columns_of_numbers_can_be_chosen_too(frame):
    X, y = frame
    for rows in (X, pl.from_pandas(X), pa.Table.from_pandas(X)):
        model = OnlineBoostClassifier(categorical=["zip"], ignore=["z"]).fit(rows, y)
        assert model.model_.features == ["zip=8000", "zip=8001", "x"] or set(model.model_.features) == {
            "zip=8000", "zip=8001", "x"}
    with pytest.raises(ValueError, match="'nothing'"):
        OnlineBoostClassifier(ignore=["nothing"]).fit(X, y)
    with pytest.raises(ValueError, match="columns of tables"):
        OnlineBoostClassifier(categorical=["zip"]).fit(X.to_numpy(), y)


def test_columns_have_names_wherever_they_go(tmp_path, frame):
    X, y = frame
    model = OnlineBoostClassifier().fit(X, y)
    wanted = model.predict_proba(X)
    for same in (pl.from_pandas(X), pa.Table.from_pandas(X)):
        np.testing.assert_array_equal(model.predict_proba(same), wanted)
    np.testing.assert_array_equal(model.model_.predict_proba(X[["z", "zip", "x"]]), model.model_.predict_proba(X))
    with pytest.raises(ValueError, match="same order"):
        model.predict_proba(X[["z", "zip", "x"]])
    with pytest.warns(UserWarning, match="valid feature names"):
        np.testing.assert_array_equal(model.predict_proba(X.to_numpy()), wanted)
    model.save(tmp_path / "m")
    loaded = OnlineBoostClassifier.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.predict_proba(X), wanted)
    with pytest.raises(ValueError, match="same order"):
        loaded.predict_proba(X[["z", "zip", "x"]])


def test_a_column_of_texts_may_be_all_missing_in_a_chunk(frame):
    X, y = frame
    X = X.assign(word=np.where(y == 1, "p", "q"))
    model = OnlineBoostClassifier().fit(X, y)
    assert model.predict_proba(X.assign(word=np.nan)).shape == (len(X), 2)
    model.partial_fit(X.assign(word=np.nan), y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.partial_fit(X, y[:80], sample_weight=np.ones(80))


def test_a_loaded_classifier_has_its_parameters(tmp_path, data):
    X, y = data
    model = OnlineBoostClassifier("paper", learner="logistic", learners=7, batch=20, random_state=5).fit(X, y)
    model.save(tmp_path / "m")
    loaded = OnlineBoostClassifier.load(tmp_path / "m")
    assert clone(loaded).fit(X, y).model_.to_bytes() == model.model_.to_bytes()


def test_searches_may_have_numpys_numbers(data):
    X, y = data
    search = GridSearchCV(OnlineBoostClassifier(), {"learners": np.arange(3, 9, 5), "batch": np.array([10, 50])}, cv=2,
                          n_jobs=2).fit(X, y)
    assert search.best_params_["learners"] in (3, 8)
    for options in ({"companions": "logistic"}, {"actions": "train"}, {"categorical": "a"}):
        with pytest.raises(TypeError, match=r"=\["):
            OnlineBoostClassifier(**options).fit(X, y)

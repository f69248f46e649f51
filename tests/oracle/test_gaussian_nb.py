"""Gaussian Naive Bayes against scikit-learn's GaussianNB.

Everything but sums that cancel agrees to 1e-9, relative: both sides merge the same moments, in
another order of operations.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.naive_bayes import GaussianNB

RTOL = 1e-9
SCALES = np.array([1e-4, 1.0, 30.0, 1e4])  # of the features, so that smoothing matters to some


def make_batch(rng, labels, weights=None, spread=1.0):
    """Rows with means and spreads that depend on the label and the feature."""
    y = np.asarray(labels)
    noise = rng.normal(size=(len(y), len(SCALES))) * (1 + 0.5 * y[:, None]) * spread
    x = SCALES * (noise + 2 + 0.7 * y[:, None])
    return {"x": x, "y": y, "weights": np.ones(len(y)) if weights is None else weights}


def make_weights(rng, kind, size):
    if kind == "unit":
        return np.ones(size)
    if kind == "whole":  # the resampled counts of online boosting, zeros included
        return rng.poisson(1.0, size).astype(float)
    return rng.exponential(2.0, size) * rng.integers(0, 4, size)  # fractions, some of them zero


def partial_fit_all(batches, var_smoothing=1e-9):
    model = GaussianNB(var_smoothing=var_smoothing)
    for batch in batches:
        model.partial_fit(batch["x"], batch["y"], classes=[0, 1], sample_weight=batch["weights"])
    return model


def rows_of(batches):
    """The batches' rows, each as a batch of its own."""
    for batch in batches:
        for x, y, weight in zip(batch["x"], batch["y"], batch["weights"]):
            yield {"x": x[None], "y": y[None], "weights": weight[None]}


def spec(**options):
    if not options:
        return "gaussian_nb"
    return "gaussian_nb:" + ",".join(f"{name}={value}" for name, value in options.items())


def assert_moments_equal(state, model, classes=(0, 1)):
    classes = list(classes)
    assert_allclose(state["weight"], model.class_count_, rtol=RTOL)
    assert_allclose(state["mean"][classes], model.theta_[classes], rtol=RTOL)
    assert_allclose(state["variance"][classes], model.var_[classes], rtol=RTOL)


def assert_margins_equal(margins, model, probe):
    columns = model.predict_joint_log_proba(probe)
    difference = columns[:, 1] - columns[:, 0]
    # The two columns may cancel: what is left carries the rounding of the larger one in its row.
    bound = RTOL * np.abs(difference) + 1e-13 * np.abs(columns).max(axis=1)
    assert np.all(np.abs(margins - difference) <= bound)


def prediction(model, row):
    """None while a class has no variance yet: there scikit-learn divides by zero."""
    known = hasattr(model, "var_") and model.var_.min() > 0
    return model.predict(row)[0] if known else None


@pytest.fixture
def probe():
    rng = np.random.default_rng(99)
    near = make_batch(rng, rng.integers(0, 2, 20))["x"]
    far = make_batch(rng, rng.integers(0, 2, 5), spread=1e5)["x"]
    return np.vstack([near, far])


@pytest.mark.parametrize("var_smoothing", [0, 1e-9, 1e-3, 1])
@pytest.mark.parametrize("kind", ["unit", "whole", "fractional"])
def test_equals_partial_fit_over_several_weighted_batches(driver, probe, kind, var_smoothing):
    rng = np.random.default_rng(1)
    batches = []
    for size in [40, 7, 100, 23]:
        labels = rng.integers(0, 2, size)
        batches.append(make_batch(rng, labels, make_weights(rng, kind, size)))
    ours = driver("learner", spec=spec(var_smoothing=var_smoothing), mode="batch",
                  batches=batches, probe=probe)
    model = partial_fit_all(batches, var_smoothing)
    assert_moments_equal(ours["state"], model)
    assert_margins_equal(ours["margins"], model, probe)


@pytest.mark.parametrize("spreads", [[1, 30, 900], [900, 30, 1], [1, 900, 1]])
def test_equals_partial_fit_when_the_spread_and_so_the_smoothing_changes(driver, probe, spreads):
    rng = np.random.default_rng(2)
    batches = [make_batch(rng, rng.integers(0, 2, 30), spread=spread) for spread in spreads]
    ours = driver("learner", spec=spec(var_smoothing=1e-3), mode="batch",
                  batches=batches, probe=probe)
    model = partial_fit_all(batches, 1e-3)
    assert_moments_equal(ours["state"], model)
    assert_margins_equal(ours["margins"], model, probe)


def test_equals_partial_fit_over_batches_of_one_class(driver, probe):
    rng = np.random.default_rng(3)
    batches = [make_batch(rng, np.full(20, label)) for label in [0, 1, 1, 0]]
    ours = driver("learner", spec=spec(), mode="batch", batches=batches, probe=probe)
    model = partial_fit_all(batches)
    assert_moments_equal(ours["state"], model)
    assert_margins_equal(ours["margins"], model, probe)


@pytest.mark.parametrize("first", [0, 1])
def test_equals_partial_fit_when_a_class_appears_late(driver, probe, first):
    rng = np.random.default_rng(4)
    labels = [np.full(25, first), np.full(10, first), rng.integers(0, 2, 40)]
    batches = [make_batch(rng, y) for y in labels]
    # Before: scikit-learn's margin is infinite and ours is not, but they choose the same class.
    ours = driver("learner", spec=spec(), mode="batch", batches=batches[:2], probe=probe)
    with np.errstate(divide="ignore"):
        model = partial_fit_all(batches[:2])
        assert_moments_equal(ours["state"], model, classes=[first])
        assert_array_equal(ours["margins"] > 0, model.predict(probe) == 1)
    # After:
    ours = driver("learner", spec=spec(), mode="batch", batches=batches, probe=probe)
    model = partial_fit_all(batches)
    assert_moments_equal(ours["state"], model)
    assert_margins_equal(ours["margins"], model, probe)


def test_a_class_whose_rows_all_weigh_zero_stays_as_it_was(driver, probe):
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 2, 30)
    batches = [make_batch(rng, labels), make_batch(rng, labels, labels.astype(float))]
    ours = driver("learner", spec=spec(), mode="batch", batches=batches, probe=probe)
    before = driver("learner", spec=spec(), mode="batch", batches=batches[:1], probe=probe)
    assert_moments_equal(ours["state"], partial_fit_all(batches))
    assert_array_equal(ours["state"]["variance"][0], before["state"]["variance"][0])


def test_rows_of_weight_zero_count_for_the_smoothing_and_for_nothing_else(driver, probe):
    rng = np.random.default_rng(6)
    wide = make_batch(rng, rng.integers(0, 2, 20), np.zeros(20), spread=50)
    batch = make_batch(rng, rng.integers(0, 2, 20))
    both = {key: np.concatenate([batch[key], wide[key]]) for key in batch}
    ours = driver("learner", spec=spec(var_smoothing=0.01), mode="batch",
                  batches=[both], probe=probe)
    assert_moments_equal(ours["state"], partial_fit_all([both], 0.01))
    alone = driver("learner", spec=spec(var_smoothing=0.01), mode="batch",
                   batches=[batch], probe=probe)
    assert_allclose(ours["state"]["mean"], alone["state"]["mean"], rtol=RTOL)
    assert np.all(ours["state"]["variance"] > 2 * alone["state"]["variance"])


@pytest.mark.parametrize("kind", ["unit", "whole", "fractional"])
def test_learning_each_example_equals_partial_fit_row_by_row(driver, probe, kind):
    rng = np.random.default_rng(7)
    batches = []
    for size in [1, 30, 20]:
        labels = rng.integers(0, 2, size)
        batches.append(make_batch(rng, labels, make_weights(rng, kind, size)))
    ours = driver("learner", spec=spec(variance_floor=1e-100), mode="each",
                  batches=batches, probe=probe)
    # scikit-learn refuses a call whose weights are all zero; for us such a row changes nothing.
    model = partial_fit_all(row for row in rows_of(batches) if row["weights"][0] > 0)
    assert_moments_equal(ours["state"], model)
    assert_margins_equal(ours["margins"], model, probe)


def test_moments_equal_from_the_first_row_on_while_variances_are_zero(driver, probe):
    rng = np.random.default_rng(8)
    batch = make_batch(rng, [1, 0, 1, 0, 0])
    for count in range(2, 6):
        start = {key: values[:count] for key, values in batch.items()}
        ours = driver("learner", spec=spec(), mode="each", batches=[start], probe=probe)
        assert_moments_equal(ours["state"], partial_fit_all(rows_of([start])))
        assert np.all(np.isfinite(ours["margins"]))


@pytest.mark.parametrize("correctness", ["after_update", "before_update"])
def test_votes_equal_predictions_around_each_row(driver, probe, correctness):
    rng = np.random.default_rng(9)
    batch = make_batch(rng, rng.integers(0, 2, 150))
    ours = driver("learner", spec=spec(variance_floor=1e-100), mode="each",
                  correctness=correctness, batches=[batch], probe=probe)
    model = GaussianNB()
    predictions = []
    for row in rows_of([batch]):
        before = prediction(model, row["x"])
        model.partial_fit(row["x"], row["y"], classes=[0, 1])
        after = prediction(model, row["x"])
        predictions.append(after if correctness == "after_update" else before)
    known = [i for i, predicted in enumerate(predictions) if predicted is not None]
    assert len(known) > 140
    assert [ours["votes"][0][i] for i in known] == [predictions[i] for i in known]
    assert any(predictions[i] != batch["y"][i] for i in known)  # else it would prove little


@pytest.mark.parametrize("weighting", ["importance", "repetitions"])
def test_one_update_of_weight_k_equals_k_updates(driver, probe, weighting):
    rng = np.random.default_rng(10)
    batch = make_batch(rng, rng.integers(0, 2, 40), rng.poisson(1.5, 40).astype(float))
    ours = driver("learner", spec=spec(), mode="each", weighting=weighting,
                  batches=[batch], probe=probe)
    counts = batch["weights"].astype(int)
    repeated = {"x": np.repeat(batch["x"], counts, axis=0), "y": np.repeat(batch["y"], counts),
                "weights": np.ones(counts.sum())}
    model = partial_fit_all(rows_of([repeated]))
    assert_moments_equal(ours["state"], model)
    again = driver("learner", spec=spec(), mode="each", batches=[repeated], probe=probe)
    assert_moments_equal(again["state"], model)
    assert_allclose(ours["margins"], again["margins"], rtol=RTOL)


def test_learning_each_example_loses_nothing_against_one_fit_to_all(driver, probe):
    rng = np.random.default_rng(11)
    batch = make_batch(rng, rng.integers(0, 2, 300), make_weights(rng, "fractional", 300))
    ours = driver("learner", spec=spec(), mode="each", batches=[batch], probe=probe)
    model = GaussianNB(var_smoothing=0)
    model.fit(batch["x"], batch["y"], sample_weight=batch["weights"])
    assert_moments_equal(ours["state"], model)


@pytest.mark.parametrize("floor", [1e-9, 1e-3, 10.0])
def test_margin_above_a_floor_is_that_of_the_floored_variances(driver, probe, floor):
    rng = np.random.default_rng(12)
    batch = make_batch(rng, rng.integers(0, 2, 50))
    batch["x"][batch["y"] == 1, 1] = 3.0  # no variance at all within the class
    ours = driver("learner", spec=spec(variance_floor=floor), mode="each",
                  batches=[batch], probe=probe)
    model = partial_fit_all(rows_of([batch]))
    model.var_ = np.maximum(model.var_, floor)
    assert_margins_equal(ours["margins"], model, probe)


def test_relative_floor_is_a_share_of_the_variance_over_both_classes(driver, probe):
    rng = np.random.default_rng(13)
    share = 0.9
    labels = rng.integers(0, 2, 80)
    batch = make_batch(rng, labels, make_weights(rng, "fractional", 80))
    ours = driver("learner", spec=spec(relative_floor=share), mode="each",
                  batches=[batch], probe=probe)
    model = GaussianNB(var_smoothing=0)
    model.fit(batch["x"], labels, sample_weight=batch["weights"])
    centre = np.average(batch["x"], axis=0, weights=batch["weights"])
    total = np.average((batch["x"] - centre) ** 2, axis=0, weights=batch["weights"])
    assert np.any(model.var_ < share * total) and np.any(model.var_ > share * total)
    model.var_ = np.maximum(model.var_, share * total)
    assert_margins_equal(ours["margins"], model, probe)

"""Logistic regression, linear SVM and perceptron against scikit-learn's SGDClassifier.

Tolerance 1e-9, relative: scikit-learn keeps the weights as a vector times a scale, so that every
step rounds differently, and each step carries the differences of the earlier ones on.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import Perceptron, SGDClassifier

RTOL = 1e-9
CLASSES = [0, 1]
LOSSES = {"logistic": "log_loss", "linear_svm": "hinge", "perceptron": "perceptron"}
RATES = [("optimal", 1.0), ("constant", 0.05), ("constant", 2.0)]

each_loss = pytest.mark.parametrize("name", LOSSES)
each_rate = pytest.mark.parametrize("learning_rate, eta0", RATES)
each_alpha = pytest.mark.parametrize("alpha", [1e-6, 1e-4, 0.03, 1.0])


def make_batch(rng, size, scale=1.0):
    """Two overlapping classes; about a fifth of the rows weighs nothing."""
    y = rng.integers(0, 2, size)
    x = (rng.normal(size=(size, 5)) + 0.5 * (2 * y[:, None] - 1)) * scale
    weights = rng.exponential(1.0, size) * (rng.random(size) > 0.2)
    return {"x": x, "y": y, "weights": weights}


def make_batches(rng, sizes=(40, 1, 70, 25)):
    batches = [make_batch(rng, size) for size in sizes]
    for batch in batches:
        batch["weights"][0] = 1.5  # scikit-learn refuses a call without any weight
    return batches


def joined(batches):
    return {key: np.concatenate([batch[key] for batch in batches]) for key in batches[0]}


def classifier(name, max_iter=1, **options):
    """One pass over the rows in their order, `max_iter` times; partial_fit makes one pass."""
    return SGDClassifier(loss=LOSSES[name], shuffle=False, tol=None, max_iter=max_iter,
                         fit_intercept=True, average=False, **options)


def default_rate(name):
    """The perceptron's default learning rate is constant; that of the others is optimal."""
    return {"learning_rate": "constant", "eta0": 1.0} if name == "perceptron" else {}


def spec(name, penalty, **options):
    return f"{name}:penalty={penalty or 'none'}" + "".join(f",{k}={v}" for k, v in options.items())


def partial_fit_all(model, batches):
    for batch in batches:
        model.partial_fit(batch["x"], batch["y"], classes=CLASSES, sample_weight=batch["weights"])
    return model


def weights_of(ours, l1_memory=True):
    """What the state stands for: the scale multiplied out, and the l1 penalty paid that is due."""
    state = ours["state"]
    weights = state["scale"] * np.array(state["weights"])
    if "l1_due" not in state:
        return weights
    due, paid = state["l1_due"], np.array(state["l1_paid"])
    above, below = due + paid if l1_memory else due - paid, due - paid
    return np.where(weights > 0, np.maximum(0, weights - above), np.minimum(0, weights + below))


def assert_equal(ours, model, probe, l1_memory=True):
    state = ours["state"]
    # A weight that is small beside the others is a difference of larger numbers.
    atol = 1e-13 * np.abs(model.coef_).max()
    assert_allclose(weights_of(ours, l1_memory), model.coef_[0], rtol=RTOL, atol=atol)
    assert_allclose(state["intercept"], model.intercept_[0], rtol=RTOL)
    assert state["step"] == model.t_
    # The same holds for a margin and the products that it sums up.
    atol = 1e-13 * (np.abs(probe) @ np.abs(model.coef_[0])).max()
    assert_allclose(ours["margins"], model.decision_function(probe), rtol=RTOL, atol=atol)


@pytest.fixture
def probe():
    return np.random.default_rng(99).normal(size=(20, 5)) * 3


@each_loss
@each_rate
@each_alpha
@pytest.mark.parametrize("penalty", [None, "l2"])
def test_equals_partial_fit_over_several_weighted_calls(
    driver, probe, name, penalty, learning_rate, eta0, alpha
):
    batches = make_batches(np.random.default_rng(1))
    options = {"learning_rate": learning_rate, "eta0": eta0, "alpha": alpha}
    ours = driver("learner", spec=spec(name, penalty, **options), mode="batch",
                  batches=batches, probe=probe)
    model = partial_fit_all(classifier(name, penalty=penalty, **options), batches)
    assert_equal(ours, model, probe)


@each_loss
@each_rate
@each_alpha
def test_l1_equals_one_call_of_partial_fit(driver, probe, name, learning_rate, eta0, alpha):
    batches = make_batches(np.random.default_rng(2))
    options = {"learning_rate": learning_rate, "eta0": eta0, "alpha": alpha}
    ours = driver("learner", spec=spec(name, "l1", **options), mode="batch",
                  batches=batches, probe=probe)
    model = partial_fit_all(classifier(name, penalty="l1", **options), [joined(batches)])
    assert_equal(ours, model, probe)


@each_loss
def test_l1_makes_the_same_weights_zero(driver, probe, name):
    rng = np.random.default_rng(3)
    batch = make_batch(rng, 200)
    batch["x"][:, 2:] -= 0.5 * (2 * batch["y"][:, None] - 1)  # three features of pure noise
    options = {"learning_rate": "constant", "eta0": 0.01, "alpha": 0.1}
    ours = driver("learner", spec=spec(name, "l1", **options), mode="batch",
                  batches=[batch], probe=probe)
    model = partial_fit_all(classifier(name, penalty="l1", **options), [batch])
    assert_equal(ours, model, probe)
    assert_array_equal(weights_of(ours) == 0, model.coef_[0] == 0)
    assert 0 < np.count_nonzero(model.coef_) < 5


@each_loss
def test_l1_over_several_calls_equals_one_long_call_and_not_scikit_learns_several(
    driver, probe, name
):
    batches = make_batches(np.random.default_rng(4), sizes=[50, 50, 50])
    several = driver("learner", spec=spec(name, "l1", alpha=0.01), mode="batch",
                     batches=batches, probe=probe)
    one = driver("learner", spec=spec(name, "l1", alpha=0.01), mode="batch",
                 batches=[joined(batches)], probe=probe)
    for key, values in one["state"].items():
        assert_array_equal(several["state"][key], values)
    # scikit-learn forgets what is due and what was paid between calls of partial_fit, ...
    options = {"penalty": "l1", "alpha": 0.01, **default_rate(name)}
    forgetful = partial_fit_all(classifier(name, **options), batches)
    assert np.abs(forgetful.coef_[0] - weights_of(several)).max() > 1e-3
    # ... but remembers both over the passes of one call of fit.
    all_rows = joined(batches)
    model = classifier(name, max_iter=3, **options)
    model.fit(all_rows["x"], all_rows["y"], sample_weight=all_rows["weights"])
    thrice = driver("learner", spec=spec(name, "l1", alpha=0.01), mode="batch",
                    batches=batches * 3, probe=probe)
    assert_equal(thrice, model, probe)


@each_loss
def test_l1_without_memory_equals_scikit_learn_called_for_each_example(driver, probe, name):
    [batch] = make_batches(np.random.default_rng(6), sizes=[80])
    batch["weights"] = batch["weights"] + 0.5  # scikit-learn refuses a call without any weight
    ours = driver("learner", spec=spec(name, "l1", alpha=0.01, l1_memory="false"), mode="batch",
                  batches=[batch], probe=probe)
    options = {"penalty": "l1", "alpha": 0.01, **default_rate(name)}
    single = [{key: values[i:i + 1] for key, values in batch.items()} for i in range(80)]
    model = partial_fit_all(classifier(name, **options), single)
    assert_equal(ours, model, probe, l1_memory=False)


def test_defaults_are_those_of_scikit_learn(driver, probe):
    batches = make_batches(np.random.default_rng(5))
    models = {
        "logistic": SGDClassifier(loss="log_loss", shuffle=False),
        "linear_svm": SGDClassifier(shuffle=False),
        "perceptron": Perceptron(shuffle=False),
    }
    for name, model in models.items():
        ours = driver("learner", spec=name, mode="batch", batches=batches, probe=probe)
        assert_equal(ours, partial_fit_all(model, batches), probe)


@each_loss
@pytest.mark.parametrize("penalty", [None, "l2"])
@pytest.mark.parametrize("correctness", ["after_update", "before_update"])
def test_votes_equal_predictions_around_each_row(driver, probe, name, penalty, correctness):
    batch = make_batch(np.random.default_rng(6), 120)
    batch["weights"] += 0.01  # scikit-learn refuses a call without any weight
    ours = driver("learner", spec=spec(name, penalty), mode="each", correctness=correctness,
                  batches=[batch], probe=probe)
    model = classifier(name, penalty=penalty, **default_rate(name))
    predictions = []
    for x, y, weight in zip(batch["x"], batch["y"], batch["weights"]):
        # Before any learning the margin is 0, and a tie is negative.
        before = model.predict(x[None])[0] if hasattr(model, "coef_") else 0
        model.partial_fit(x[None], [y], classes=CLASSES, sample_weight=[weight])
        after = model.predict(x[None])[0]
        predictions.append(after if correctness == "after_update" else before)
    assert ours["votes"][0] == predictions
    assert any(predictions != batch["y"])  # else it would prove little
    assert_equal(ours, model, probe)


@each_loss
@pytest.mark.parametrize("penalty", [None, "l2", "l1"])
def test_k_repetitions_equal_the_row_k_times_and_not_one_update_of_weight_k(
    driver, probe, name, penalty
):
    rng = np.random.default_rng(7)
    batch = make_batch(rng, 200)
    batch["weights"] = rng.poisson(1.0, 200).astype(float)
    question = {"spec": spec(name, penalty), "mode": "each", "batches": [batch], "probe": probe}
    ours = driver("learner", weighting="repetitions", **question)
    counts = batch["weights"].astype(int)
    repeated = {"x": np.repeat(batch["x"], counts, axis=0), "y": np.repeat(batch["y"], counts),
                "weights": np.ones(counts.sum())}
    options = {"penalty": penalty, **default_rate(name)}
    assert_equal(ours, partial_fit_all(classifier(name, **options), [repeated]), probe)
    weighted = driver("learner", weighting="importance", **question)
    assert_equal(weighted, partial_fit_all(classifier(name, **options), [batch]), probe)
    assert np.abs(weights_of(weighted) - weights_of(ours)).max() > 1e-3


@each_loss
@pytest.mark.parametrize("penalty", [None, "l2", "l1"])
@pytest.mark.parametrize("scale", [1e-8, 1e6, 1e30, 1e60])
def test_equals_partial_fit_on_very_small_and_very_large_values(
    driver, probe, name, penalty, scale
):
    rng = np.random.default_rng(8)
    batch = joined([make_batch(rng, 20), make_batch(rng, 20, scale), make_batch(rng, 20)])
    ours = driver("learner", spec=spec(name, penalty), mode="batch", batches=[batch], probe=probe)
    options = {"penalty": penalty, **default_rate(name)}
    assert_equal(ours, partial_fit_all(classifier(name, **options), [batch]), probe)


@pytest.mark.parametrize("alpha", [1.0, 50.0])
def test_l2_never_turns_weights_around_when_the_step_is_too_long(driver, probe, alpha):
    batches = make_batches(np.random.default_rng(9))
    options = {"learning_rate": "constant", "eta0": 1.0, "alpha": alpha}  # 1 - eta alpha <= 0
    ours = driver("learner", spec=spec("linear_svm", "l2", **options), mode="batch",
                  batches=batches, probe=probe)
    model = partial_fit_all(classifier("linear_svm", penalty="l2", **options), batches)
    assert_equal(ours, model, probe)


@pytest.mark.parametrize("name", ["linear_svm", "perceptron"])
def test_rows_exactly_on_the_threshold_are_learned_bit_by_bit(driver, probe, name):
    rng = np.random.default_rng(10)
    # Small whole numbers: every sum is exact, and many rows have a margin of exactly 0 or 1.
    batch = {"x": rng.integers(-1, 2, (200, 5)), "y": rng.integers(0, 2, 200),
             "weights": rng.integers(1, 3, 200)}
    options = {"learning_rate": "constant", "eta0": 1.0}
    ours = driver("learner", spec=spec(name, None, **options), mode="batch",
                  batches=[batch], probe=probe)
    model = partial_fit_all(classifier(name, penalty=None, **options), [batch])
    assert_array_equal(weights_of(ours), model.coef_[0])
    assert ours["state"]["intercept"] == model.intercept_[0]

"""OnlineCalibrator: probabilities from scores."""

import pickle

import numpy as np
import pytest

from plumbline import OnlineCalibrator


@pytest.fixture(scope="module")
def sure():
    """Probabilities that are too sure, and labels."""
    rng = np.random.default_rng(3)
    truth = rng.random(6000)
    return truth**3 / (truth**3 + (1 - truth) ** 3), (rng.random(6000) < truth).astype(int), truth


@pytest.fixture(scope="module")
def three():
    rng = np.random.default_rng(4)
    truth = rng.dirichlet([1, 1, 1], 6000)
    y = np.array([rng.choice(3, p=p) for p in truth])
    powers = truth**3
    return powers / powers.sum(axis=1, keepdims=True), y, truth


def loss(p, y):
    return -np.log(p[np.arange(len(y)), y]).mean()


def test_mends_probabilities_logits_and_scores(sure):
    p, y, truth = sure
    z = np.log(p / (1 - p))
    best = loss(np.column_stack([1 - truth, truth]), y)
    for name, scores in (("probability", p), ("logit", z), ("score", 100 + 5 * z)):
        calibrator = OnlineCalibrator(input=name).partial_fit(scores[:4000], y[:4000])
        # 2,000 rows: the loss of the estimates is some thousandths.
        assert loss(calibrator.predict_proba(scores[4000:]), y[4000:]) < loss(
            np.column_stack([1 - truth, truth])[4000:], y[4000:]) + 0.01, name
        assert calibrator.examples == 4000
    assert loss(np.column_stack([1 - p, p]), y) > 1.2 * best


def test_mends_several_classes_jointly(three):
    p, y, truth = three
    calibrator = OnlineCalibrator().partial_fit(p[:4000], y[:4000])
    assert loss(calibrator.predict_proba(p[4000:]), y[4000:]) < loss(truth[4000:], y[4000:]) + 0.01
    both = OnlineCalibrator(input=["probability", "logit"]).partial_fit(
        np.stack([p, np.log(p)], axis=1)[:4000], y[:4000])
    assert both.predict_proba(np.stack([p, np.log(p)], axis=1)).shape == (6000, 3)


def test_rows_may_come_in_calls_of_any_size(sure):
    p, y, _ = sure
    whole, parts = OnlineCalibrator().partial_fit(p[:500], y[:500]), OnlineCalibrator(classes=[0, 1])
    for i in range(0, 500, 7):
        parts.partial_fit(p[i:min(i + 7, 500)], y[i:min(i + 7, 500)])
    np.testing.assert_array_equal(whole.predict_proba(p), parts.predict_proba(p))


def test_labels_may_come_later_and_in_any_order(sure):
    p, y, _ = sure
    calibrator = OnlineCalibrator(classes=[0, 1], max_pending=50)
    for i in range(200):
        said = calibrator.hold([f"row {i}"], p[i:i + 1])
        assert said.shape == (1, 2)
    assert calibrator.pending == 50
    order = np.random.default_rng(1).permutation(200)
    learned = calibrator.learn([f"row {i}" for i in order], y[order])
    assert learned == 50 and calibrator.pending == 0 and calibrator.examples == 50
    assert calibrator.learn(["row 199"], [1]) == 0
    with pytest.raises(ValueError, match="waits for its label already"):
        calibrator.hold([7, 7], [0.1, 0.2])
    assert calibrator.pending == 0


def test_pickles_and_files_continue_exactly(sure, tmp_path):
    p, y, _ = sure
    calibrator = OnlineCalibrator(input="probability", classes=["no", "yes"], calibrator="mixture:rate=0.5")
    labels = np.array(["no", "yes"])[y]
    calibrator.partial_fit(p[:300], labels[:300])
    calibrator.hold([1, 2], p[:2])
    calibrator.save(tmp_path / "c.safetensors")
    others = [pickle.loads(pickle.dumps(calibrator)), OnlineCalibrator.load(tmp_path / "c.safetensors")]
    for one in (calibrator, *others):
        one.learn([2], ["yes"])
        one.partial_fit(p[300:600], labels[300:600])
    for one in others:
        np.testing.assert_array_equal(one.predict_proba(p), calibrator.predict_proba(p))
        assert one.pending == 1
    assert pickle.dumps(others[0]) == pickle.dumps(pickle.loads(pickle.dumps(others[0])))


@pytest.mark.parametrize("scores, words", [
    ([0.1, np.nan], "row 2 is nan, which is not a number"),
    ([0.1, 1.5], "row 2 is 1.5, which is not a probability"),
    ([[0.1, 0.9], [0.2, 0.8]], "made for 1 scores per row, but there are 2"),
    ([[[0.1]], [[0.2]]], "the shape"),
])
def test_a_mistake_changes_nothing(sure, scores, words):
    p, y, _ = sure
    calibrator = OnlineCalibrator().partial_fit(p[:100], y[:100])
    before = pickle.dumps(calibrator)
    with pytest.raises(ValueError, match=words):
        calibrator.partial_fit(scores, [0, 1])
    with pytest.raises(ValueError, match=words):
        calibrator.predict_proba(scores)
    with pytest.raises(ValueError, match="not one of the classes"):
        calibrator.partial_fit([0.1, 0.2], [0, 2])
    assert pickle.dumps(calibrator) == before


def test_first_calls_say_what_is_missing():
    with pytest.raises(ValueError, match=r"give the second one, scores\[:, 1\]"):
        OnlineCalibrator().partial_fit([[0.1, 0.9], [0.7, 0.3]], [0, 1])
    with pytest.raises(ValueError, match="1 classes so far"):
        OnlineCalibrator().partial_fit([0.1, 0.9], [1, 1])
    with pytest.raises(ValueError, match="give all of them"):
        OnlineCalibrator().hold([1], [0.1])
    with pytest.raises(ValueError, match="give all of them"):
        OnlineCalibrator().predict_proba([0.1])
    with pytest.raises(ValueError, match="call partial_fit first"):
        OnlineCalibrator().save("nowhere")
    with pytest.raises(ValueError, match="odds.*logit"):
        OnlineCalibrator(input="odds").partial_fit([0.1, 0.2], [0, 1])
    with pytest.raises(ValueError, match="neither a whole number"):
        OnlineCalibrator(classes=[0, 1]).hold([1.5], [0.1])
    assert OnlineCalibrator(calibrator={"name": "histogram", "bins": 5}).partial_fit([0.1, 0.9], [0, 1]).weights


def test_the_average_is_never_much_worse_than_the_scores(sure):
    _, y, truth = sure
    calibrator, total, given = OnlineCalibrator(classes=[0, 1]), 0.0, 0.0
    for p, label in zip(truth[:2000], y):
        total -= np.log(calibrator.predict_proba([p])[0, label])
        given -= np.log(p if label else 1 - p)
        calibrator.partial_fit([p], [label])
    assert total < given + np.log(2) + 2000 * 1.001e-5 + 1e-3  # and clamping to 1e-6

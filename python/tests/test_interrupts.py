"""Ctrl-C, and other signals, in the midst of a long call."""

import contextlib
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import plumbline
from plumbline import Model, OnlineBoostClassifier

# A signal is meant to be seen within 0.2 s; the machine may be busy.
SOON = 0.6
LEARNERS = 1000  # so that learning takes some seconds


@contextlib.contextmanager
def alarm(handler, after):
    """A signal comes after a while, by the system's clock; gives the time."""
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, after)
    try:
        yield time.monotonic() + after
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def signalled(handler=signal.default_int_handler, after=0.3):
    """The same, and the body ends soon after that, by the handler's exception."""
    with alarm(handler, after) as due:
        try:
            yield
        finally:
            ended = time.monotonic()
            assert ended > due, "the call was too quick for this test"
            assert ended - due < SOON


def interrupt(call, after=0.3):
    """As Ctrl-C does."""
    with pytest.raises(KeyboardInterrupt):
        with signalled(after=after):
            call()


@pytest.fixture(scope="module")
def long(data):
    """Rows that take some seconds to learn."""
    X, y = data
    return np.tile(X, (150, 1)), np.tile(y, 150)


@pytest.fixture(scope="module", params=["array", "sparse", "table", "dicts"])
def of_each_kind(request, long):
    """The same, as rows of each kind."""
    X, y = long
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    return {"array": lambda: X, "sparse": lambda: scipy.sparse.csr_array(X), "table": lambda: frame,
            "dicts": lambda: frame.to_dict(orient="records")}[request.param](), y


@pytest.mark.parametrize("call", ["learn", "step"])
def test_an_interrupted_call_has_learned_its_first_rows(of_each_kind, call):
    rows, y = of_each_kind
    model, other = Model(learners=LEARNERS).learn(rows[:1500], y[:1500]), Model(learners=LEARNERS).learn(rows[:1500], y[:1500])
    interrupt(lambda: getattr(model, call)(rows, y))
    learned = model.rows_learned - 1500
    assert 0 < learned < len(y)
    assert model.to_bytes() == other.learn(rows[:learned], y[:learned]).to_bytes()
    # Going on from there gives the model of a call that was not interrupted.
    end = learned + 1005
    model.learn(rows[learned:end], y[learned:end])
    whole = Model(learners=LEARNERS).learn(rows[:1500], y[:1500]).learn(rows[:end], y[:end])
    assert model.to_bytes() == whole.to_bytes()


def test_an_interrupted_first_call_has_learned_its_first_rows(of_each_kind):
    rows, y = of_each_kind
    model = Model(learners=LEARNERS)
    interrupt(lambda: model.learn(rows, y), after=0.8)
    learned = model.rows_learned
    assert 0 < learned < len(y)
    assert model.to_bytes() == Model(learners=LEARNERS).learn(rows[:learned], y[:learned]).to_bytes()


def test_an_interrupted_call_keeps_its_new_classes(data, long):
    X, y = long
    y = np.where(y == 1, "yes", "no").tolist()
    y[::5] = ["maybe"] * len(y[::5])
    model, other = (Model("paper", learners=LEARNERS, classes=["no", "yes", "never"]).learn(X[1:5], y[1:5]) for _ in range(2))
    interrupt(lambda: model.learn(X, y), after=0.8)
    learned = model.rows_learned - 4
    assert model.to_bytes() == other.learn(X[:learned], y[:learned]).to_bytes()
    assert model.classes == ["no", "yes", "never", "maybe"]
    assert model.predict_proba(X[:3]).shape == (3, 4)
    model.learn(X[:10], ["maybe", "perhaps"] * 5)
    assert model.classes[-1] == "perhaps"


@pytest.mark.parametrize("first", ["fit", "partial_fit"])
@pytest.mark.parametrize("weights", [False, True])
def test_an_interrupted_classifier_has_learned_its_first_rows(long, first, weights):
    X, y = long
    weight = np.tile([0.5, 1.0, 2.5], len(y) // 3) if weights else None
    model, other = OnlineBoostClassifier(learners=LEARNERS), OnlineBoostClassifier(learners=LEARNERS)
    interrupt(lambda: getattr(model, first)(X, y, sample_weight=weight))
    learned = model.model_.rows_learned
    some = None if weight is None else weight[:learned]
    getattr(other, first)(X[:learned], y[:learned], sample_weight=some)
    assert model.model_.to_bytes() == other.model_.to_bytes()
    for one in (model, other):
        one.partial_fit(X[:1000], y[:1000], sample_weight=None if weight is None else weight[:1000])
    assert model.model_.to_bytes() == other.model_.to_bytes()


def test_an_interrupted_river_model_has_learned_its_first_rows(long):
    from plumbline.river import OnlineBoost

    frame, y = pd.DataFrame(long[0][:30_000], columns=["a", "b", "c"]), pd.Series(long[1][:30_000]).map({0: "no", 1: "yes"})
    y[::5] = "maybe"
    model, other = OnlineBoost("paper", learners=LEARNERS, batch=10), OnlineBoost("paper", learners=LEARNERS, batch=10)
    interrupt(lambda: model.learn_many(frame, y))
    learned = model._core.rows_learned
    other.learn_many(frame[:learned], y[:learned])
    assert model._core.to_bytes() == other._core.to_bytes()
    assert model.predict_proba_one({"a": 1.0}) == other.predict_proba_one({"a": 1.0})
    assert set(model.predict_proba_one({"a": 1.0})) == {"no", "yes", "maybe"}


def test_predicting_is_interrupted(data):
    X, y = data
    model = Model(learners=LEARNERS).learn(X, y)
    before = model.to_bytes()
    rows = np.broadcast_to(X[0], (3_000_000, 3))
    interrupt(lambda: model.predict_proba(rows))
    assert model.to_bytes() == before
    model.learn(X, y)  # which would wait for one that predicts


def test_looking_at_the_rows_first_is_interrupted(data):
    X, y = data
    model = Model(batch=10).learn(X, y)
    before = model.to_bytes()
    rows = np.broadcast_to(X[0], (60_000_000, 3))  # which take seconds to look at
    labels = np.broadcast_to(y[:1], len(rows))
    interrupt(lambda: model.step(rows, labels), after=0.6)
    assert model.rows_learned == 1500
    assert model.to_bytes() == before


def test_waiting_for_another_thread_is_interrupted(data, long):
    X, y = data
    model = Model(learners=LEARNERS).learn(X, y)
    worker = threading.Thread(target=lambda: model.learn(*long))
    worker.start()
    time.sleep(0.1)
    for call in (lambda: model.predict_proba(X), lambda: model.learn(X, y), lambda: model.learn(X.tolist(), y)):
        interrupt(call)
    assert worker.is_alive(), "the other thread was too quick for this test"
    worker.join()


def test_ctrl_c_is_seen_soon():
    script = textwrap.dedent("""
        import plumbline
        X, y = plumbline.generate("sea", 300_000)
        model = plumbline.Model(learners=1000)
        print("ready", flush=True)
        try:
            model.learn(X, y)
        except KeyboardInterrupt:
            n = model.rows_learned
            print(0 < n < len(y) and model.to_bytes() == plumbline.Model(learners=1000).learn(X[:n], y[:n]).to_bytes())
    """)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "True\n"
    assert process.returncode == 0


def test_generating_is_interrupted():
    interrupt(lambda: plumbline.generate("random_rbf:features=20", 20_000_000))


def test_a_handler_may_raise_anything(long):
    def stop(number, frame):
        raise TimeoutError("that is enough")

    model = Model(learners=LEARNERS)
    with pytest.raises(TimeoutError, match="enough"):
        with signalled(stop):
            model.learn(*long)
    assert model.rows_learned > 0


@pytest.mark.parametrize("labels", ["numbers", "texts"])
def test_a_handler_may_use_the_model(tmp_path, data, long, labels):
    """It finds whole minibatches; what would wait for ever is an error."""
    X, y = long[0], long[1] if labels == "numbers" else np.where(long[1] == 1, "yes", "no").tolist()
    model, said = Model(learners=LEARNERS).learn(X[:1500], y[:1500]), {}

    def use(number, frame):
        said["learned"] = model.rows_learned - 1500
        model.save(tmp_path / "m")
        said["p"] = model.predict_proba(X[:5])
        with pytest.raises(RuntimeError, match="this thread"):
            model.learn(X[:5], y[:5])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        with signalled(use):
            model.learn(X, y)
    learned = said["learned"]
    other = Model(learners=LEARNERS).learn(X[:1500], y[:1500]).learn(X[:learned], y[:learned])
    assert model.to_bytes() == other.to_bytes() == Model.load(tmp_path / "m").to_bytes()
    np.testing.assert_array_equal(said["p"], other.predict_proba(X[:5]))


def test_a_handler_may_use_the_model_that_predicts(tmp_path, data):
    X, y = data
    model = Model(learners=LEARNERS).learn(X, y)
    expected = model.to_bytes()

    def use(number, frame):
        model.save(tmp_path / "m")
        model.predict_proba(X[:5])
        with pytest.raises(RuntimeError, match="this thread"):
            model.learn(X[:5], y[:5])

    rows = np.broadcast_to(X[0], (300_000, 3))
    alone = model.predict_proba(rows)
    with alarm(use, 0.1):
        np.testing.assert_array_equal(model.predict_proba(rows), alone)
    assert Model.load(tmp_path / "m").to_bytes() == expected


def test_others_may_predict_while_a_handler_runs(data, long):
    """A handler that takes its time, and another thread that predicts and learns meanwhile."""
    X, y = data
    model, seen = Model(learners=LEARNERS).learn(X, y), []

    def handler(number, frame):
        worker = threading.Thread(target=lambda: seen.append(model.predict_proba(X[:5])))
        worker.start()
        worker.join(5)
        raise KeyboardInterrupt

    learner = threading.Thread(target=lambda: model.learn(X[:10], y[:10]))
    with pytest.raises(KeyboardInterrupt), signalled(handler):
        threading.Timer(0.1, learner.start).start()
        model.learn(*long)
    learner.join()
    assert len(seen) == 1
    # The other thread learned after the whole call, not in its midst.
    learned = model.rows_learned - 1500 - 10
    other = Model(learners=LEARNERS).learn(X, y).learn(long[0][:learned], long[1][:learned]).learn(X[:10], y[:10])
    assert model.to_bytes() == other.to_bytes()

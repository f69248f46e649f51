"""A process that forks while other threads use a model: its child neither hangs nor uses a torn copy."""

import contextlib
import os
import pickle
import select
import signal
import threading
import time

import numpy as np
import pandas as pd
import pytest

from plumbline import Model, OnlineBoostClassifier

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork"),
    pytest.mark.filterwarnings("ignore:This process"),  # is multi-threaded, says Python
]


def in_child(work, seconds=20):
    """Forks; gives what `work` returns in the child, or the exception that it raises there."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answer = work()
        except BaseException as error:
            answer = error
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(answer, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        ready = select.select([pipe], [], [], seconds)[0]
        answer = pickle.load(pipe) if ready else os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert ready, "the child hangs"
    return answer


@contextlib.contextmanager
def meanwhile(work, begun=lambda: True):
    """Runs `work` on another thread, which is at it when the body begins and when it ends."""
    worker = threading.Thread(target=work)
    worker.start()
    time.sleep(0.1)
    while not begun():
        time.sleep(0.001)
    try:
        yield
    finally:
        at_work = worker.is_alive()
        worker.join()
    assert at_work, "the other thread was too quick for this test"


def teaching(model, X, y):
    """The same for the minibatches of a Model."""
    before = model.rows_learned
    return meanwhile(lambda: model.learn(X, y), lambda: model.rows_learned > before)


def many(X, rows):
    """So many rows, in the memory of one."""
    return np.broadcast_to(X[0], (rows, X.shape[1]))


def small(data):
    return Model().learn(data[0][:300], data[1][:300])


def test_a_child_learns_though_another_thread_predicted_at_the_fork(data):
    X, y = data
    model = Model(learners=300).learn(X, y)
    expected = Model.from_bytes(model.to_bytes()).learn(X, y).to_bytes()
    with meanwhile(lambda: model.predict_proba(many(X, 2_000_000))):
        assert in_child(lambda: model.learn(X, y).to_bytes()) == expected


def test_a_child_learns_though_another_thread_pickled_at_the_fork(data):
    X, y = data
    model = small(data)
    expected = Model.from_bytes(model.to_bytes()).learn(X, y).to_bytes()
    stop = threading.Event()

    def pickle_often():
        while not stop.is_set():
            pickle.dumps(model)

    worker = threading.Thread(target=pickle_often)
    worker.start()
    try:
        for _ in range(20):
            assert in_child(lambda: model.learn(list(map(list, X)), y).to_bytes()) == expected
    finally:
        stop.set()
        worker.join()


USES = {
    "predict_proba": lambda model, X, y: model.predict_proba(X),
    "scores": lambda model, X, y: model.scores(X),
    "learn": lambda model, X, y: model.learn(X, y),
    "learn with a list": lambda model, X, y: model.learn(X, y.tolist()),
    "step": lambda model, X, y: model.step(X, y),
    "save": lambda model, X, y: model.save("/dev/null"),
    "to_bytes": lambda model, X, y: model.to_bytes(),
    "pickle": lambda model, X, y: pickle.dumps(model),
    "view": lambda model, X, y: model.view(),
    "features": lambda model, X, y: model.features,
    "config": lambda model, X, y: model.config,
}


@pytest.mark.parametrize("kind", ["array", "lists", "dicts"])
def test_a_child_refuses_a_model_that_another_thread_taught_at_the_fork(data, kind):
    X, y = data
    rows, labels = {
        "array": lambda: (many(X, 200_000), np.resize(y, 200_000)),
        "lists": lambda: (many(X, 200_000), np.resize(y, 200_000).tolist()),
        "dicts": lambda: ([{"a": 1.0, "b": 2.0}] * 200_000, np.resize(y, 200_000).tolist()),
    }[kind]()
    model = Model(learners=200)
    model.learn(rows[:100], labels[:100])

    def use_in_every_way():
        said = {}
        for name, use in USES.items():
            try:
                use(model, rows[:20], np.asarray(labels[:20]))
                said[name] = "no error"
            except Exception as error:
                said[name] = f"{type(error).__name__}: {error}"
        return said

    with teaching(model, rows, labels):
        said = in_child(use_in_every_way)
        # Another model is none the worse for it.
        assert in_child(lambda: small(data).to_bytes()) == small(data).to_bytes()
    for name, sentence in said.items():
        assert sentence.startswith("RuntimeError: ") and "load" in sentence, (name, sentence)
    # The parent's model has learned everything.
    alone = Model(learners=200)
    alone.learn(rows[:100], labels[:100])
    assert model.to_bytes() == alone.learn(rows, labels).to_bytes()


def test_a_grandchild_refuses_it_too(data):
    X, y = data
    model = Model(learners=200).learn(X, y)
    with teaching(model, many(X, 200_000), np.resize(y, 200_000)):
        said = in_child(lambda: in_child(lambda: model.predict_proba(X[:1]), seconds=5))
    assert isinstance(said, RuntimeError)


def test_river_and_scikit_learn_refuse_it_too(data):
    from plumbline.river import OnlineBoost

    X, y = data
    one, classifier = OnlineBoost("paper", learners=1000), OnlineBoostClassifier(learners=200).fit(X, y)
    one.learn_one({"a": 1.0}, "red")
    frame = pd.DataFrame({"a": 1.0, "b": np.arange(30_000) % 7})
    labels = pd.Series(["red", "green", "blue"] * 10_000)
    with meanwhile(lambda: one.learn_many(frame, labels), lambda: one._core.rows_learned > 1):
        for use in (lambda: one.learn_one({"a": 1.0}, "red"), lambda: one.learn_one({"a": 1.0}, "black"),
                    lambda: one.predict_proba_one({"a": 1.0}), lambda: pickle.dumps(one)):
            assert isinstance(in_child(use), RuntimeError)
    with meanwhile(lambda: classifier.partial_fit(many(X, 200_000), np.resize(y, 200_000)),
                   lambda: classifier.model_.rows_learned > 1500):
        for use in (lambda: classifier.partial_fit(X, y), lambda: classifier.predict(X)):
            assert isinstance(in_child(use), RuntimeError)


def test_a_child_has_threads_of_its_own_for_the_models_of_several_classes(wide_data):
    X, y = wide_data
    model = Model(learners=40, batch=400, threads=2).learn(X, y)
    other = Model(learners=40, batch=400, threads=2).learn(X, y)
    expected = Model.from_bytes(model.to_bytes(), threads=1).learn(X, y).to_bytes()

    def learn():
        learned = model.learn(X, y).to_bytes()
        return learned, threads_of_this_process()

    # Nothing else runs at the fork; then the thread pool is at work for another model.
    learned, threads = in_child(learn)
    assert learned == expected
    assert threads == 2
    with teaching(other, np.tile(X, (40, 1)), np.tile(y, 40)):
        learned, threads = in_child(learn)
    assert learned == expected
    assert threads == 2


def threads_of_this_process():
    if not os.path.isdir("/proc/self/task"):
        pytest.skip("this system does not list threads")
    return len(os.listdir("/proc/self/task"))

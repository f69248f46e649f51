"""Threads, forks, and what must not leak."""

import concurrent.futures
import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pandas as pd
import pytest

from plumbline import Model


def test_predicting_on_many_threads_is_safe_while_another_learns(data):
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = Model().learn(frame, y)
    stop = threading.Event()

    def predict():
        while not stop.is_set():
            p = model.predict_proba(frame[:200])
            assert np.isfinite(p.to_numpy()).all()
            assert model.view()["examples"] >= 1500
            assert model.features == ["a", "b", "c"]

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(predict) for _ in range(3)]
        for i in range(0, 1000, 50):
            model.learn(frame[i:i + 50], y[i:i + 50])
        stop.set()
        for job in jobs:
            job.result()
    alone = Model().learn(frame, y)
    for i in range(0, 1000, 50):
        alone.learn(frame[i:i + 50], y[i:i + 50])
    assert model.to_bytes() == alone.to_bytes()


def test_learning_on_several_threads_is_one_after_the_other(data):
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    for rows in (X, frame):
        for labels in (y, y + (X[:, 0] > 5)):  # two classes, and three, which come when they come
            model = Model()
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                list(pool.map(lambda i: model.learn(rows[i:i + 50], labels[i:i + 50]), range(0, 1500, 50)))
            views = model.view()
            assert max(view["examples"] for view in views.get("models", [views])) == 1500
            assert set(model.classes) == set(labels.tolist())


def test_classes_may_come_while_others_predict(data):
    X, _ = data
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = Model("paper").learn(frame[:90], ["a", "b", "c"] * 30)
    stop = threading.Event()

    def predict():
        while not stop.is_set():
            p = model.predict_proba(frame[:3])
            assert p.columns.tolist() == model.classes[:p.shape[1]]
            pickle.loads(pickle.dumps(model)).predict_proba(frame[:3])

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        jobs = [pool.submit(predict) for _ in range(3)]
        for k in range(12):
            model.learn(frame[:30], [f"class {k}", "a", "b"] * 10)
        stop.set()
        for job in jobs:
            job.result()
    assert len(model.classes) == 15


def test_a_column_waits_for_the_name_of_its_class(data):
    X, _ = data
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = Model("paper").learn(frame[:90], ["a", "b", "c"] * 30)
    learned = threading.Event()

    def learn():  # slowly, between the core and the name
        model._core.step(X[:1], np.array([3], dtype=np.uint8), True, ["d"])
        learned.set()
        time.sleep(0.1)
        model._classes = model._classes.with_new(["d"])

    worker = threading.Thread(target=lambda: model._lock.change(learn))
    worker.start()
    learned.wait()
    assert model.predict_proba(frame[:3]).columns.tolist() == ["a", "b", "c", "d"]
    worker.join()


@pytest.mark.parametrize("kind", ["array", "table", "dicts"])
def test_python_goes_on_while_the_core_learns(data, kind):
    X, y = np.tile(data[0], (40, 1)), np.tile(data[1], 40)
    rows = {"array": lambda: X, "table": lambda: pd.DataFrame(X, columns=["a", "b", "c"]),
            "dicts": lambda: pd.DataFrame(X, columns=["a", "b", "c"]).to_dict(orient="records")}[kind]()
    model = Model(learners=50)
    model.learn(rows[:100], y[:100])
    worker = threading.Thread(target=lambda: model.learn(rows, y))
    ticks, longest, last = 0, 0.0, time.perf_counter()
    worker.start()
    while worker.is_alive():
        time.sleep(0.001)
        now = time.perf_counter()
        ticks, longest, last = ticks + 1, max(longest, now - last), now
    # With Python's lock held there would be one pause as long as the whole; here there are many short ones.
    assert ticks > 20


def test_the_number_of_threads_makes_no_difference(wide_data):
    X, classes = wide_data
    for y in (classes > 0, classes):  # two classes, and three
        models = [Model(learners=40, batch=400, threads=threads) for threads in (1, 2, 5, 0)]
        said = [(model.step(X, y), model.predict_proba(X)) for model in models]
        for other in said[1:]:
            np.testing.assert_array_equal(said[0], other)
        assert len({model.to_bytes() for model in models}) == 1
    with pytest.raises(ValueError, match="threads"):
        Model(threads=-1)


def _child(model, X, y, queue):
    model.learn(X, y)
    queue.put(model.predict_proba(X)[:, 1].sum())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process")  # is multi-threaded, says Python
def test_a_forked_process_goes_on_without_the_threads_of_its_parent(wide_data):
    X, y = wide_data
    model = Model(learners=40, batch=400).learn(X, y)  # with helper threads, if there is a second core
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    children = [context.Process(target=_child, args=(model, X, y, queue)) for _ in range(3)]
    for child in children:
        child.start()
    sums = [queue.get(timeout=60) for _ in children]
    for child in children:
        child.join(60)
        assert child.exitcode == 0
    assert sums == [model.learn(X, y).predict_proba(X)[:, 1].sum()] * 3


def test_nothing_leaks_in_the_long_run(data):
    """In a process of its own: its memory after the first thousand rounds is what it stays at."""
    script = textwrap.dedent("""
        import gc, pickle, resource, sys
        import numpy as np, pandas as pd, scipy.sparse
        import plumbline
        from plumbline.river import OnlineBoost
        X, y = plumbline.generate("sea", 300)
        frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(word=np.where(y == 1, "p", "q"))
        dicts = frame.to_dict(orient="records")
        sparse = scipy.sparse.csr_matrix(X)
        watched = (X, y, frame, dicts, sparse)
        def once():
            model = plumbline.Model("paper").learn(X, y)
            model.predict_proba(X); model.scores(X); model.predict_proba(sparse)
            model.step(X, y, costs=(1, 2), scores=True); model.view()
            pickle.loads(pickle.dumps(model))
            plumbline.Model("paper").learn(frame, y).predict_proba(frame)
            one = OnlineBoost("paper")
            for row, label in zip(dicts[:20], y.tolist()):
                one.predict_proba_one(row)
                one.learn_one(row, label)
            for call in (lambda: model.learn(X, y + 5), lambda: model.predict_proba(X[:, :2]),
                         lambda: plumbline.Model("paper").learn(frame.assign(a=[[1]] * 300), y),
                         lambda: one.learn_one({"a": object()}, 1), lambda: plumbline.Model(learner="x")):
                try:
                    call()
                except ValueError:
                    pass
                else:
                    raise SystemExit("no error")
        def memory():
            gc.collect()
            return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
        for _ in range(100): once()
        counts, before = [sys.getrefcount(one) for one in watched], memory()
        for _ in range(200): once()
        assert [sys.getrefcount(one) for one in watched] == counts
        print(memory() - before)
    """)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    # nanobind tells of objects, types and functions that are left when the interpreter ends.
    assert "leak" not in done.stderr and done.stderr == ""
    # 200 rounds make and drop 800 models of some 20 kB each, and arrays: a leak of any would be megabytes.
    assert int(done.stdout) < 1_000_000


def test_arrays_that_come_back_own_their_memory(data):
    X, y = data
    model = Model().learn(X, y)
    p = model.predict_proba(X)
    kept = p.copy()
    del model
    gc.collect()
    for _ in range(50):
        Model().learn(X[:50], y[:50])
    np.testing.assert_array_equal(p, kept)
    p[0, 0] = 0.25  # and may be written


def test_learning_is_not_kept_waiting_by_those_who_predict(data):
    """A long call lets others predict from time to time. They must not come one after the other, without end."""
    X, y = np.tile(data[0], (40, 1)), np.tile(data[1], 40)
    model = Model("fast", learners=100).learn(X[:100], y[:100])
    stop, predicted = threading.Event(), []

    def predict():
        while not stop.is_set():
            predicted.append(len(model.predict_proba(X[:50_000])))

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        jobs = [pool.submit(predict) for _ in range(3)]
        # If the test hangs, this lets it end.
        rescue = threading.Timer(40, stop.set)
        rescue.start()
        model.learn(X, y)
        in_time = not stop.is_set()
        stop.set()
        rescue.cancel()
        for job in jobs:
            job.result()
    assert in_time
    assert len(predicted) > 3

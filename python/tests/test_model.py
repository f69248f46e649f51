"""plumbline.Model: files, errors, components."""

import os
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pandas as pd
import pytest

import plumbline
from plumbline import Model


def test_files_travel_between_python_and_the_command_line(tmp_path, table, command_line):
    frame, y = table
    frame = frame.astype({"b": np.float64})  # whose texts are the same numbers again
    together = frame.assign(label=y)
    half = len(frame) // 2
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    together[:half].to_csv(first, index=False)
    together[half:].to_csv(second, index=False)
    command_line("run", first, "--save", tmp_path / "m")
    # The same rows in Python give the same file.
    model = Model().learn(frame[:half], y[:half])
    model.save(tmp_path / "n")
    by_command_line, by_python = Model.load(tmp_path / "m"), Model.load(tmp_path / "n")
    rest = frame[half:]
    np.testing.assert_array_equal(by_command_line.predict_proba(rest), by_python.predict_proba(rest))
    # And the command line goes on with Python's.
    said = command_line("predict", second, "--model", tmp_path / "n")
    probabilities = [float(line.split(",")[-1]) for line in said.splitlines()[1:]]
    np.testing.assert_array_equal(probabilities, by_python.predict_proba(rest)["yes"])


@pytest.mark.parametrize("labels", [lambda y: y, lambda y: np.where(y == 1, "yes", "no"), lambda y: y == 1])
def test_pickles_are_stable(data, labels):
    X, y = data
    for model in (Model(), Model(classes=sorted(set(labels(y).tolist())), categorical=["a"], threads=1),
                  Model().learn(X, labels(y)), Model(threads=1).learn([{"a": 1}, {"b": "c"}], [True, False])):
        stored = pickle.dumps(model)
        again = pickle.loads(stored)
        assert pickle.dumps(again) == pickle.dumps(model) == stored
        assert (again.config, again.classes) == (model.config, model.classes)
    X, y = X[:100], labels(y)[:100]
    unmade = pickle.loads(pickle.dumps(Model("paper", learner="logistic", classes=sorted(set(y.tolist())))))
    assert unmade.learn(X, y).to_bytes() == Model("paper", learner="logistic").learn(X, y).to_bytes()


def test_the_file_is_one_of_safetensors(tmp_path, data):
    from safetensors.numpy import load_file

    Model().learn(*data).save(tmp_path / "model.safetensors")
    tensors = load_file(tmp_path / "model.safetensors")
    assert any(name.endswith("mean") for name in tensors)


@pytest.mark.parametrize("call, kind, words", [
    (lambda m, X, y: m.predict_proba(X[:, :2]), ValueError, ["2 features", "3 features"]),
    (lambda m, X, y: m.predict_proba(X[0]), ValueError, ["2D"]),
    (lambda m, X, y: m.predict_proba([["a", "b", "c"]]), ValueError, ["numbers"]),
    (lambda m, X, y: m.predict_proba(X * np.inf), ValueError, ["row 1"]),
    (lambda m, X, y: m.learn(X, y[:-1]), ValueError, ["1500", "1499"]),
    (lambda m, X, y: m.learn(X, y + 5), ValueError, ["not one of the classes", "[0, 1]"]),
    (lambda m, X, y: Model().predict_proba(X), ValueError, ["not learned"]),
    (lambda m, X, y: Model.load("nowhere.safetensors"), FileNotFoundError, ["nowhere.safetensors"]),
    (lambda m, X, y: Model.from_bytes(b"no model"), ValueError, ["bytes"]),
    (lambda m, X, y: Model(learner=7), ValueError, ["learner"]),
    (lambda m, X, y: plumbline.generate("see"), ValueError, ["see", "sea"]),
    (lambda m, X, y: plumbline.Metric("logloss"), ValueError, ["log_loss"]),
])
def test_mistakes_get_a_sentence(data, call, kind, words):
    X, y = data
    model = Model().learn(X, y)
    before = model.to_bytes()
    with pytest.raises(kind) as caught:
        call(model, X, y)
    for word in words:
        assert word in str(caught.value)
    assert model.to_bytes() == before


def test_components_are_those_of_the_registries():
    everything = plumbline.components()
    assert "gaussian_nb" in everything["learner"]
    assert everything["policy"]["fixed"]["options"]["every"]["help"]
    for name in everything["generator"]:
        X, _ = plumbline.generate(name, 5)
        assert X.shape[0] == 5


def test_streams_give_each_row_once():
    one, other = plumbline.Stream("sea", seed=4), plumbline.Stream("sea", seed=4)
    X, y = other.take(700)
    rows = [next(one) for _ in range(3)]
    A, a = one.take(300)
    rows_after = [next(iter(one)) for _ in range(2)]
    B, b = one.take(395)
    got = np.vstack([[list(x.values()) for x, _ in rows], A, [list(x.values()) for x, _ in rows_after], B])
    np.testing.assert_array_equal(got, X)
    np.testing.assert_array_equal(np.concatenate([[label for _, label in rows], a, [label for _, label in rows_after], b]), y)


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="this system does not tell a process its memory")
def test_more_rows_than_there_is_memory_for_are_refused_at_once():
    script = textwrap.dedent("""
        import resource, plumbline
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        stream = plumbline.Stream("sea")
        first = next(stream)
        for rows in (10**10, 2**62, 2**63, 2**64, 10**30):
            try:
                stream.take(rows)
                print("no error")
            except MemoryError:
                pass
        print(*[line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")])
        X, y = stream.take(2)  # the next ones: nothing was lost
        print([first[0]["x1"], *X[:, 0]] == plumbline.generate("sea", 3)[0][:, 0].tolist())
    """)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    kilobytes, same_rows = done.stdout.splitlines()
    assert int(kilobytes) < 300_000
    assert same_rows == "True"


@pytest.mark.parametrize("call, words", [
    (lambda: plumbline.generate("sea", -1), "from 0 on"),
    (lambda: plumbline.generate("sea", 10.5), "10.5"),
    (lambda: plumbline.Stream("sea", seed=-1), "seed"),
    (lambda: Model(threads="2"), "threads"),
    (lambda: plumbline.Metric().update([[0.1, 0.9]], [1]), r"\[:, 1\]"),
    (lambda: Model().learn([{"a": "\ud800"}], [True]), "UTF-8"),
    (lambda: Model().learn([{"\ud800": 1}], [True]), "UTF-8"),
    (lambda: Model().learn(np.zeros((300, 1)), np.arange(300)), "256"),
    (lambda: Model().learn(pd.DataFrame({"a": range(300)}), np.arange(300)), "256"),
])
def test_more_mistakes_get_a_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_a_file_in_another_encoding_is_refused(tmp_path):
    (tmp_path / "a.csv").write_bytes("name,label\nRené,1\n".encode("latin-1"))
    with pytest.raises(ValueError, match="line 2.*UTF-8"):
        list(plumbline.read(tmp_path / "a.csv"))


def test_it_says_what_it_is(data):
    assert repr(Model()) == "<plumbline.Model: 10 x gaussian_nb, cascade, always; not made yet>"
    assert repr(Model("paper", learners=5).learn(*data)) == "<plumbline.Model: 5 x gaussian_nb, platt, ucb1; [0, 1]>"


def test_scores_of_another_model_are_those_of_the_command_line(command_line, tmp_path):
    rng = np.random.default_rng(1)
    x, z = rng.uniform(-2, 2, 500), rng.uniform(-3, 3, 500)
    y = (rng.random(500) < 1 / (1 + np.exp(-x - z))).astype(int)
    frame = pd.DataFrame({"x": x, "z": np.where(np.arange(500) % 7 == 0, np.nan, z)})
    frame.assign(y=y).to_csv(tmp_path / "a.csv", index=False)
    command_line("run", tmp_path / "a.csv", "--scores", "z", "--score-input", "logit", "--predictions", tmp_path / "p.csv")
    model = Model(scores=["z"], score_input=["logit"])
    said = model.step(frame, y).to_numpy()[:, 1]
    np.testing.assert_array_equal(said, pd.read_csv(tmp_path / "p.csv")["probability"])
    assert model.features == ["x"]
    other = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(other.predict_proba(frame), model.predict_proba(frame))
    with pytest.raises(ValueError, match="no column 'z'"):
        model.predict_proba(frame[["x"]])
    with pytest.raises(ValueError, match="about the columns of tables"):
        Model(scores=["z"]).learn(frame.to_numpy(), y)
    with pytest.raises(ValueError, match="several classes"):
        Model(scores=["z"], classes=[0, 1, 2]).learn(frame, y)

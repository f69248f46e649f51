"""What does the Python package cost on top of C++, and how does it stand beside river?

    bench/python/run.py BUILD_DIR [PYTHON]

BUILD_DIR is a release build with -DPLUMBLINE_BUILD_BENCH=ON; PYTHON is that of an environment with the package and river
[build/python-venv/bin/python, which `./check python` makes]. Three measurements, each the least of seven in turns:

  minibatches of 50 rows of 50 numbers: Model.step, and the same in C++ (bench/peers/plumbline_peer)
  single rows: OnlineBoost.learn_one of river's interface, and the same in C++
  single rows: river's own AdaBoostClassifier of as many GaussianNB, on the same rows
"""

import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import support  # noqa: E402

# Runs in the package's environment: prints seconds for an example.
INSIDE = """
import itertools, sys, time
import numpy as np
import plumbline
what, path = sys.argv[1:]
rows = np.loadtxt(path, delimiter=",", skiprows=1)
X, y = np.ascontiguousarray(rows[:, :-1]), rows[:, -1].astype(np.int64)
if what == "minibatches":
    model = plumbline.Model("literal", classes=[0, 1], batch_size=50, standardise="false")
    pieces = [(X[i:i + 50], y[i:i + 50]) for i in range(0, len(X), 50)]
    start = time.process_time()
    for a, b in pieces:
        model.step(a, b)
else:
    dicts = [dict(zip(map(str, range(X.shape[1])), row)) for row in X.tolist()]
    labels = (y == 1).tolist()
    if what == "river":
        from river import ensemble, naive_bayes
        dicts, labels = dicts[:1000], labels[:1000]
        model = ensemble.AdaBoostClassifier(naive_bayes.GaussianNB(), n_models=10, seed=1)
    else:
        from plumbline.river import OnlineBoost
        model = OnlineBoost("literal")
    start = time.process_time()
    for x, label in zip(dicts, labels):
        model.learn_one(x, label)
    X = dicts
print((time.process_time() - start) / len(X))
"""


def core(build, path, batch):
    said = support.output_of(build / "bench/peers/plumbline_peer", path, "--preset", "literal", "--batch", batch)
    said = json.loads(said)
    return said["cpu_learn"] / said["examples"]


def main():
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    build = pathlib.Path(sys.argv[1])
    python = sys.argv[2] if len(sys.argv) == 3 else support.REPOSITORY / "build/python-venv/bin/python"
    with tempfile.TemporaryDirectory() as folder:
        wide, narrow = pathlib.Path(folder) / "wide.csv", pathlib.Path(folder) / "narrow.csv"
        wide.write_text(support.output_of(build / "plumbline", "generate", "hyperplane:features=50", "-n", "20000"))
        narrow.write_text(support.output_of(build / "plumbline", "generate", "hyperplane:features=8", "-n", "20000"))
        least = {}

        def note(name, seconds):
            least[name] = min(seconds, least.get(name, 1e9))

        for _ in range(7):
            note("C++, minibatches", core(build, wide, 50))
            note("Python, minibatches", float(support.output_of(python, "-c", INSIDE, "minibatches", wide)))
            note("C++, single rows", core(build, narrow, 1))
            note("Python, learn_one", float(support.output_of(python, "-c", INSIDE, "single", narrow)))
        note("river's AdaBoostClassifier", float(support.output_of(python, "-c", INSIDE, "river", narrow)))
    for name, seconds in least.items():
        print(f"{name:28} {1e6 * seconds:9.2f} us for each example")
    over = least["Python, minibatches"] / least["C++, minibatches"] - 1
    print(f"\nminibatches of 50 x 50: {100 * over:+.1f} % over C++ (goal: at most 5 %)")
    print(f"learn_one: {1e6 * (least['Python, learn_one'] - least['C++, single rows']):.2f} us over C++ (goal: at most 5)")
    ratio = least["river's AdaBoostClassifier"] / least["Python, learn_one"]
    print(f"learn_one: {ratio:.0f} times as fast as river's")


if __name__ == "__main__":
    main()

"""Measures the overhead of the Python package, the scaling of predictions with threads, and the speed beside river's.

    bench/python/run.py BUILD_DIR [PYTHON]

BUILD_DIR is a release build with -DPLUMBLINE_BUILD_BENCH=ON; PYTHON is that of an environment with the package and river
[build/python-venv/bin/python, which `./check python` makes]. Each number is the least of several passes, in turns:

  minibatches of 50 rows of 50 numbers: Model.step, and the same in C++ (core.cpp), in seconds and, since those are
  noisy, in instructions that valgrind counts
  single rows: learn_one of plumbline.river.OnlineBoost, and the same rows in C++
  predict_proba of one model on 1 and on 2 threads of Python
  OnlineBoost with three presets, and river's own AdaBoostClassifier of 10 GaussianNB, on the same stream: learn_one and
  predict_proba_one of each row, processor time and log-loss
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import support  # noqa: E402

PRESETS = ("literal", "fast", "auto")
INSIDE = pathlib.Path(__file__).resolve().parent / "inside.py"


def instructions(*command):
    """Of a whole program; of Python's, those that are the same each time."""
    words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, command)]
    env = {**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=env)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def instructions_of_a_minibatch(build, python, folder):
    """In Python and in C++: what 300 more of them take, so that starting up and reading do not count."""
    short, long = folder / "short.csv", folder / "long.csv"
    for path, minibatches in ((short, 50), (long, 350)):
        path.write_text(support.output_of(
            build / "plumbline", "generate", "hyperplane:features=50", "-n", 50 * minibatches))
    in_python = instructions(python, INSIDE, "count_350") - instructions(python, INSIDE, "count_50")
    passes = [instructions(build / "bench/python/core_loop", path, 50, 2) -
              instructions(build / "bench/python/core_loop", path, 50, 1) for path in (short, long)]
    return in_python / 300, (passes[1] - passes[0]) / 300


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
            least[name] = min(float(seconds), least.get(name, 1e9))

        for _ in range(5):
            note("C++, minibatches", support.output_of(build / "bench/python/core_loop", wide, 50, 5))
            note("Python, minibatches", support.output_of(python, INSIDE, "minibatches", wide))
            note("C++, single rows", support.output_of(build / "bench/python/core_loop", narrow, 1, 5))
            note("Python, learn_one", support.output_of(python, INSIDE, "learn_one", narrow))
            note("predict_proba, 1 thread", support.output_of(python, INSIDE, "predict_1", wide))
            note("predict_proba, 2 threads", support.output_of(python, INSIDE, "predict_2", wide))
        for name, seconds in least.items():
            print(f"{name:28} {1e6 * seconds:9.3f} us for each example")
        over = least["Python, minibatches"] / least["C++, minibatches"] - 1
        print(f"\nminibatches of 50 x 50: {100 * over:+.1f} % over C++ (goal: at most 5 %)")
        in_python, in_cpp = instructions_of_a_minibatch(build, python, pathlib.Path(folder))
        print(f"in instructions: {in_python:,.0f} and {in_cpp:,.0f} in C++, {100 * (in_python / in_cpp - 1):+.1f} %")
        more = least["Python, learn_one"] - least["C++, single rows"]
        print(f"learn_one: {1e6 * more:.2f} us over C++ (goal: at most 5)")
        scale = least["predict_proba, 1 thread"] / least["predict_proba, 2 threads"]
        print(f"predict_proba on 2 threads: {scale:.2f} times as fast as on 1\n")
        stream = [json.loads(support.output_of(python, INSIDE, who, narrow)) for who in (*PRESETS, "river")]
    for row in stream:
        print(f"{row['name']:52} {1e6 * row['seconds']:9.2f} us for each example, log-loss {row['loss']:.4f}")
    print(f"\nbeside river: literal is {stream[-1]['seconds'] / stream[0]['seconds']:.0f} times as fast")


if __name__ == "__main__":
    main()

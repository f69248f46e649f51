import os
import subprocess

# Before SciPy is imported: scikit-learn then runs its checks of array API input too.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

import numpy as np
import pandas as pd
import pytest

import plumbline


@pytest.fixture(scope="session")
def command_line():
    """Runs the command line tool, if PLUMBLINE names it; gives its standard output."""
    program = os.environ.get("PLUMBLINE", "")
    if not program:
        pytest.skip("PLUMBLINE does not name the command line tool")

    def run(*words):
        done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def data():
    """Rows of three numbers, and labels of 0 and 1."""
    return plumbline.generate("sea", 1500, seed=2)


@pytest.fixture(scope="session")
def wide_data():
    """Rows of 60 numbers, and labels of three classes: minibatches of 400 are shared out to threads."""
    X, y = plumbline.generate("hyperplane:features=60", 4000)
    return X, y + (X[:, 0] > 0.5)


@pytest.fixture(scope="session")
def table(data):
    """The same with a column of each kind, some of it missing, and labels of texts."""
    X, y = data
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1].astype(np.float32), "n": X[:, 2].astype(np.int64),
                          "word": np.where(X[:, 2] > 5, "high", "low"), "flag": X[:, 0] > 5})
    frame.loc[frame.index % 7 == 0, "a"] = np.nan
    frame.loc[frame.index % 11 == 0, "word"] = None
    return frame, np.where(y == 1, "yes", "no")

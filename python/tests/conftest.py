import os
import subprocess

# Before SciPy is imported: scikit-learn then runs its checks of array API input too.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

import pytest


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

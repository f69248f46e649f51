"""The bridge between pytest and the C++ code: see driver.cpp for the questions it answers."""

import json
import os
import subprocess

import numpy as np
import pytest

DRIVER_VARIABLE = "PLUMBLINE_ORACLE_DRIVER"


def _encode(value):
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"no JSON for {type(value).__name__}")


def _decode(item):
    if item.keys() == {"shape", "values"}:
        return np.reshape(item["values"], item["shape"])
    return item


@pytest.fixture(scope="session")
def driver():
    """A function `driver(command, **request)` that returns the C++ code's answer."""
    program = os.environ.get(DRIVER_VARIABLE)
    if not program:
        pytest.fail(
            f"{DRIVER_VARIABLE} is not set: build the target `oracle_driver` and set the variable "
            "to the path of the program",
            pytrace=False,
        )

    def ask(command, **request):
        text = json.dumps({"command": command, **request}, default=_encode)
        done = subprocess.run([program], input=text, capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            pytest.fail(f"'{command}' ended with {done.returncode}: {done.stderr}")
        return json.loads(done.stdout, object_hook=_decode)

    return ask

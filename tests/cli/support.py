"""What the tests of the command line share. Each is called as TEST.py PATH_OF_PLUMBLINE."""

import fcntl
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest

PLUMBLINE = os.path.abspath(sys.argv.pop())
HERE = pathlib.Path(__file__).parent


def environment(**changes):
    """Nothing of the caller's that could change what is printed."""
    kept = {key: os.environ[key] for key in ("PATH", "ASAN_OPTIONS") if key in os.environ}
    return {**kept, "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", **changes}


def run(*arguments, timeout=120, text=True, **options):
    """Runs plumbline to its end; arguments may be anything that has a text."""
    options.setdefault("env", environment())
    if "input" not in options:
        options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run(
        [PLUMBLINE, *map(str, arguments)], capture_output=True, text=text, timeout=timeout, **options
    )


def wait_until(condition, seconds=60):
    """Waits for an event instead of a time; false if it never comes."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def is_waiting(process):
    """Whether the process has taken all input from its pipe, if any, catches SIGINT, and sleeps with all threads."""
    if process.stdin:
        unread = fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4))
        if int.from_bytes(unread, sys.byteorder) > 0:
            return False
    folder = pathlib.Path(f"/proc/{process.pid}")
    caught = int(re.search(r"SigCgt:\s*(\w+)", (folder / "status").read_text())[1], 16)
    if not caught >> (signal.SIGINT - 1) & 1:
        return False
    for _ in range(3):  # not only between two steps of its work
        if any("State:\tS" not in (task / "status").read_text() for task in (folder / "task").iterdir()):
            return False
        time.sleep(0.01)
    return True


class InFolder(unittest.TestCase):
    """Each test in an empty folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def generate(self, name, *arguments):
        """A stream in a file."""
        done = run("generate", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.write(name, done.stdout)

    def ok(self, *arguments, **options):
        """Runs plumbline in the folder and expects it to succeed."""
        options.setdefault("cwd", self.folder)
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done


def main():
    unittest.main(argv=sys.argv[:1])

"""What the tests of the command line share. Each is called as TEST.py PATH_OF_PLUMBLINE."""

import os
import pathlib
import subprocess
import sys
import tempfile
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

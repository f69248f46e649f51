"""Results that are kept in a JSON file, which several processes may use at a time."""

import contextlib
import fcntl
import json


class Cache:
    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "results.json"
        self.lock = folder / "results.lock"

    def all(self):
        return json.loads(self.file.read_text()) if self.file.exists() else {}

    def get(self, key):
        return self.all().get(key)

    def put(self, key, result):
        with self.locked():
            results = self.all() | {key: result}
            new = self.file.with_suffix(".new")
            new.write_text(json.dumps(results, indent=1) + "\n")
            new.rename(self.file)

    @contextlib.contextmanager
    def locked(self):
        with open(self.lock, "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

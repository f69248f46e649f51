"""How fast states of 3000 bytes are read and written: SQLite, as the store uses it, beside a plain file of equal slots.

Usage: store.py [KEYS] [ROUNDS]. Each round reads and writes every key once in a random order, in one transaction.
The plain file has no keys, no transactions and no checksums: it is a lower bound of any store of our own.
"""

import os
import random
import sqlite3
import sys
import tempfile
import time

SIZE = 3000


def sqlite_store(folder, keys, rounds):
    database = sqlite3.connect(os.path.join(folder, "s.sqlite"), isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "cache_size = -16384"):
        database.execute(f"PRAGMA {pragma}")
    database.execute("CREATE TABLE models(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, state BLOB)")
    state = os.urandom(SIZE)
    database.execute("BEGIN")
    for key in range(keys):
        database.execute("INSERT INTO models(key, state) VALUES(?, ?)", (f"customer-{key}", state))
    database.execute("COMMIT")
    for order in rounds:
        database.execute("BEGIN")
        for key in order:
            row = database.execute("SELECT id, state FROM models WHERE key = ?", (f"customer-{key}",)).fetchone()
            database.execute("UPDATE models SET state = ? WHERE id = ?", (row[1], row[0]))
        database.execute("COMMIT")
    database.close()


def plain_file(folder, keys, rounds):
    state = os.urandom(SIZE)
    file = os.open(os.path.join(folder, "s.slots"), os.O_RDWR | os.O_CREAT)
    for key in range(keys):
        os.pwrite(file, state, key * SIZE)
    for order in rounds:
        for key in order:
            os.pwrite(file, os.pread(file, SIZE, key * SIZE), key * SIZE)
        os.fsync(file)
    os.close(file)


def main():
    keys = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rounds = [random.Random(i).sample(range(keys), keys) for i in range(int(sys.argv[2]) if len(sys.argv) > 2 else 2)]
    for store in (sqlite_store, plain_file):
        with tempfile.TemporaryDirectory() as folder:
            begin, wall = time.process_time(), time.monotonic()
            store(folder, keys, rounds)
            states = keys * (len(rounds) + 1)
            print(f"{store.__name__:>13}: {1e6 * (time.process_time() - begin) / states:.1f} microseconds of processor "
                  f"time a state; {time.monotonic() - wall:.1f} s for {states} states")


if __name__ == "__main__":
    main()

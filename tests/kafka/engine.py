"""What the tests on a real broker share: topics, runs, and what must hold after them.

PLUMBLINE_SEED repeats a test. Exits with 77 if there can be no broker.
"""

import csv
import io
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import broker

PLUMBLINE = os.path.abspath(sys.argv.pop())
SEED = int(os.environ.get("PLUMBLINE_SEED", time.time()))
PARTITIONS = 3
# Quick decisions about who is gone.
QUICK = ["--kafka", "session.timeout.ms=3000", "--kafka", "heartbeat.interval.ms=500"]


def run(*arguments, **options):
    options.setdefault("timeout", 180)
    return subprocess.run([PLUMBLINE, *map(str, arguments)], capture_output=True, text=True, **options)


def rows_of(count, seed):
    """Rows of a generated stream, as dicts of texts."""
    done = run("generate", "sea", "-n", count, "--seed", seed)
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout)))


def as_csv(rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def as_json(row):
    """The numbers with the digits of the file."""
    return "{%s}" % ",".join(f'"{key}":{value}' for key, value in row.items())


def tensors(path):
    """All that a model has learned: the file without its header, which has the position too."""
    data = pathlib.Path(path).read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    metadata = json.loads(data[8 : 8 + length])["__metadata__"]
    return data[8 + length :], metadata["encoder"], json.loads(metadata.get("position", "null"))


class Watch:
    """Counts the messages of a topic as they are committed."""

    def __init__(self, address, topic, isolation="read_committed"):
        self.count = 0
        self.process = subprocess.Popen(
            ["kcat", "-C", "-u", "-b", address, "-t", topic, "-o", "beginning", "-q", "-f", "%o\n",
             "-X", f"isolation.level={isolation}"],
            stdout=subprocess.PIPE,
        )
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def read(self):
        for _ in self.process.stdout:
            self.count += 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.thread.join()
        self.process.stdout.close()
        self.process.wait()


def sender(address, topic, partition):
    """A process that sends its lines, KEY and VALUE with a tab between them."""
    return subprocess.Popen(
        ["kcat", "-P", "-b", address, "-t", topic, "-p", str(partition), "-K", "\t", "-X", "acks=all",
         "-X", "linger.ms=5"],
        stdin=subprocess.PIPE, text=True,
    )


class Production:
    """Sends the rows of each partition without a pause, until it is stopped; `sent` are those of each partition."""

    def __init__(self, address, topic, rows, per_second):
        self.rows, self.per_second = rows, per_second
        self.sent = {partition: 0 for partition in rows}
        self.senders = {partition: sender(address, topic, partition) for partition in rows}
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self.send)
        self.thread.start()

    def send(self):
        begin = time.monotonic()
        while not self.stopping.wait(0.02):
            goal = int((time.monotonic() - begin) * self.per_second)
            for partition, own in self.rows.items():
                at = self.sent[partition]
                end = min(goal, len(own))
                self.senders[partition].stdin.write(
                    "".join(f"{partition}-{i}\t{as_json(own[i])}\n" for i in range(at, end)))
                self.senders[partition].stdin.flush()
                self.sent[partition] = end

    def going_on(self):
        return all(self.sent[partition] < len(own) for partition, own in self.rows.items())

    def stop(self):
        """The rows that were sent."""
        self.stopping.set()
        self.thread.join()
        for sender in self.senders.values():
            if not sender.stdin.closed:
                sender.stdin.close()
            assert sender.wait(60) == 0
        return {partition: own[: self.sent[partition]] for partition, own in self.rows.items()}


class Engine(unittest.TestCase):
    """One broker for all tests of a class; a folder for each."""

    @classmethod
    def setUpClass(cls):
        print(f"seed {SEED}", flush=True)
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        (cls.folder / "broker").mkdir()
        cls.broker = broker.Broker(cls.folder / "broker")
        cls.broker.start()
        cls.addClassCleanup(cls.broker.kill)

    def setUp(self):
        self.processes = []
        self.addCleanup(self.kill_all)
        self.work = self.folder / self.id().split(".")[-1]
        self.work.mkdir()

    def kill_all(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()

    # ---- Topics

    def produce(self, topic, partition, messages, *more):
        """Messages are (key, value) or (key, value, headers of kcat)."""
        text = "".join(f"{key}\t{value}\n" for key, value in messages)
        done = subprocess.run(
            ["kcat", "-P", "-b", self.broker.address, "-t", topic, "-p", str(partition), "-K", "\t",
             "-X", "acks=all", *more],
            input=text, text=True, capture_output=True, timeout=60,
        )
        self.assertEqual(done.returncode, 0, done.stderr)

    def consume(self, topic):
        """The committed messages of all partitions, as kcat's JSON envelopes."""
        done = subprocess.run(
            ["kcat", "-C", "-b", self.broker.address, "-t", topic, "-o", "beginning", "-e", "-q", "-J",
             "-X", "isolation.level=read_committed"],
            capture_output=True, text=True, timeout=60,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def payloads(self, topic):
        """The committed messages of each partition, in order."""
        found = {}
        for message in self.consume(topic):
            found.setdefault(message["partition"], []).append((message["key"], message["payload"]))
        return found

    def make_topics(self, *topics):
        """Asking a broker for a topic makes it, with PARTITIONS partitions."""
        for topic in topics:
            subprocess.run(["kcat", "-L", "-b", self.broker.address, "-t", topic], capture_output=True, timeout=60)

    # ---- Runs

    def arguments(self, topic, state, *more, address=None):
        return [PLUMBLINE, "run", f"kafka://{address or self.broker.address}/{topic}", "--state", str(state), *QUICK,
                *map(str, more)]

    def start(self, topic, state, *more):
        log = open(self.work / "log", "ab")
        process = subprocess.Popen(self.arguments(topic, state, *more), stdout=log, stderr=log)
        log.close()
        self.processes.append(process)
        return process

    def run_to_end(self, topic, state, *more, timeout=120):
        done = subprocess.run(
            self.arguments(topic, state, "--until-end", "--json", "--progress", "none", *more),
            capture_output=True, text=True, timeout=timeout,
        )
        self.assertEqual(done.returncode, 0, done.stderr + self.log())
        return json.loads(done.stdout)

    def log(self, size=3000):
        path = self.work / "log"
        return path.read_text(errors="replace")[-size:] if path.exists() else ""

    def wait_for(self, condition, what, patience=60):
        end = time.monotonic() + patience
        while not condition():
            self.assertLess(time.monotonic(), end, f"waiting for {what}: {self.log()}")
            time.sleep(0.01)

    def check_models(self, state, rows):
        """`rows` are those of each partition."""
        for partition, own in rows.items():
            (saved,) = state.glob(f"partition-{partition}.at-*.safetensors")
            (self.work / "rows.csv").write_text(as_csv(own))
            done = run("run", self.work / "rows.csv", "--load", state / "initial.safetensors", "--save",
                       self.work / "expected", "--progress", "none")
            self.assertEqual(done.returncode, 0, done.stderr)
            learned, encoder, position = tensors(saved)
            expected, expected_encoder, _ = tensors(self.work / "expected")
            self.assertTrue(learned == expected and encoder == expected_encoder,
                            f"partition {partition} at {position['offset']} differs")

    def check_predictions(self, topic, rows):
        found = {}
        for message in self.consume(topic):
            value = json.loads(message["payload"])
            self.assertEqual(message["partition"], value["partition"])
            found.setdefault(value["partition"], []).append((message["key"], value["label"]))
        for partition, own in rows.items():
            expected = [(f"{partition}-{i}", row["label"]) for i, row in enumerate(own)]
            self.assertEqual(len(found[partition]), len(expected), f"partition {partition}")
            self.assertEqual(found[partition], expected)


def main():
    if not shutil.which("kcat"):
        print("SKIPPED: there is no kcat")
        sys.exit(77)
    try:
        broker.find_jars()
    except broker.Missing as reason:
        print(f"SKIPPED: {reason}")
        sys.exit(77)
    unittest.main(verbosity=2)

"""Exactly once, on a real broker: partitions that move between processes, kill -9 of processes and of the broker.

What must hold after every round, whatever happened in it: each row has one prediction, and the model of each partition is,
to the bit, that of `plumbline run` over the same rows, which was never interrupted.

PLUMBLINE_ROUNDS sets the number of rounds; 4 by default. PLUMBLINE_SEED repeats a test. Exits with 77 if there can be
no broker.
"""

import csv
import io
import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import broker

PLUMBLINE = os.path.abspath(sys.argv.pop())
ROUNDS = int(os.environ.get("PLUMBLINE_ROUNDS", 4))
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


class Engine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print(f"seed {SEED}, {ROUNDS} rounds", flush=True)
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

    def log(self):
        path = self.work / "log"
        return path.read_text(errors="replace")[-3000:] if path.exists() else ""

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

    # ---- Tests

    def test_one_command_from_a_topic_to_predictions(self):
        rows = {0: rows_of(600, 1), 1: rows_of(300, 2), 2: rows_of(1, 3)}
        for partition, own in rows.items():
            self.produce("one", partition, [(f"{partition}-{i}", as_json(row)) for i, row in enumerate(own)])
        result = self.run_to_end("one", self.work / "state", "--predictions", "kafka:///one-scores",
                                 "--sample", 200)
        self.assertEqual((result["rows"], result["learned"], result["predictions"]), (901, 901, 901))
        self.assertEqual(result["lag"], 0)
        self.assertLess(result["log_loss"], 0.6)
        self.check_models(self.work / "state", rows)
        self.check_predictions("one-scores", rows)
        # Nothing is left to do, and nothing is done twice.
        again = self.run_to_end("one", self.work / "state", "--predictions", "kafka:///one-scores")
        self.assertEqual((again["rows"], again["replayed"]), (0, 0))
        self.check_predictions("one-scores", rows)

    def test_a_run_stops_at_a_signal_and_at_a_limit_and_goes_on(self):
        rows = {0: rows_of(500, 4), 1: rows_of(500, 5), 2: rows_of(500, 6)}
        for partition, own in rows.items():
            self.produce("stops", partition, [(f"{partition}-{i}", as_json(row)) for i, row in enumerate(own)])
        more = ["--predictions", "kafka:///stops-scores", "--sample", "100"]
        limited = subprocess.run(self.arguments("stops", self.work / "state", *more, "--limit", 700, "--json"),
                                 capture_output=True, text=True, timeout=60)
        self.assertEqual(limited.returncode, 0, limited.stderr)
        self.assertEqual(json.loads(limited.stdout)["rows"], 700)
        process = self.start("stops", self.work / "state", *more)
        end = time.monotonic() + 60
        while time.monotonic() < end and len(self.consume("stops-scores")) < 1500:
            time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 128 + signal.SIGTERM)
        self.assertIn("go on with: plumbline kafka", self.log())
        self.check_models(self.work / "state", rows)
        self.check_predictions("stops-scores", rows)

    def test_poison_messages_go_to_the_dead_letters_with_the_reason(self):
        good = rows_of(50, 7)
        values = [as_json(row) for row in good]
        values[10:10] = ['{"x1":', '{"x1":"high","x2":1,"x3":2,"label":1}', '{"x1":1,"x2":1,"x3":2}',
                         '{"x1":1,"x2":1,"x3":2,"label":1,"x4":5}', '[1]', '{"x1":{"a":1},"label":1}']
        self.produce("bad", 0, [(f"0-{i}", value) for i, value in enumerate(values)], "-H", "trace=7")
        (self.work / "rows.csv").write_text(as_csv(good))
        done = run("run", self.work / "rows.csv", "--save", self.work / "model", "--progress", "none")
        self.assertEqual(done.returncode, 0, done.stderr)
        more = ["--load", self.work / "model", "--predictions", "kafka:///bad-scores"]
        stopped = subprocess.run(self.arguments("bad", self.work / "state", *more, "--until-end"),
                                 capture_output=True, text=True, timeout=60)
        self.assertNotEqual(stopped.returncode, 0)
        self.assertIn("'bad', partition 0, offset 10: the value is not JSON", stopped.stderr)
        self.assertIn("--dead-letters", stopped.stderr)
        self.assertEqual(len(self.consume("bad-scores")), 10)
        result = self.run_to_end("bad", self.work / "state", *more, "--dead-letters", "kafka:///bad-letters")
        self.assertEqual((result["rows"], result["bad_rows"], result["predictions"]), (46, 6, 40))
        letters = self.consume("bad-letters")
        reasons = [dict(zip(letter["headers"][::2], letter["headers"][1::2])) for letter in letters]
        self.assertEqual([letter["payload"] for letter in letters], values[10:16])
        self.assertEqual([letter["key"] for letter in letters], [f"0-{i}" for i in range(10, 16)])
        self.assertEqual({one["trace"] for one in reasons}, {"7"})
        self.assertEqual([one["plumbline-offset"] for one in reasons], [str(i) for i in range(10, 16)])
        for reason, part in zip(reasons, ["not JSON", "'high'", "no label 'label'", "no column 'x4'",
                                          "not a JSON object", "'x1' is an object"]):
            self.assertIn(part, reason["plumbline-reason"])
        self.check_models(self.work / "state", {0: good})

    def test_properties_of_librdkafka_reach_every_client(self):
        rows = rows_of(30, 9)
        self.produce("safe", 0, [(f"0-{i}", ",".join(row.values())) for i, row in enumerate(rows)])

        def start(password):
            return subprocess.run(
                self.arguments("safe", self.work / "state", "--until-end", "--json", "--names",
                               ",".join(rows[0]), "--label", "label", "--predictions", "kafka:///safe-scores",
                               "--kafka", "security.protocol=SASL_PLAINTEXT", "--kafka", "sasl.mechanism=PLAIN",
                               "--kafka", "sasl.username=me", "--kafka", f"sasl.password={password}",
                               address=self.broker.sasl_address),
                capture_output=True, text=True, timeout=60,
            )

        refused = start("wrong")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("Authentication failed", refused.stderr)
        done = start("secret")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["predictions"], 30)
        self.check_models(self.work / "state", {0: rows})

    def test_the_metrics_and_the_lag(self):
        rows = rows_of(300, 10)
        self.produce("lag", 1, [(f"1-{i}", as_json(row)) for i, row in enumerate(rows)])
        metrics = self.work / "metrics.prom"
        limited = subprocess.run(
            self.arguments("lag", self.work / "state", "--limit", 120, "--sample", 50, "--metrics", metrics, "--json"),
            capture_output=True, text=True, timeout=60,
        )
        self.assertEqual(limited.returncode, 0, limited.stderr)
        result = json.loads(limited.stdout)
        self.assertEqual((result["lag"], result["partitions"]["1"]), (180, {"offset": 120, "lag": 180}))
        text = metrics.read_text()
        self.assertIn('plumbline_kafka_lag{topic="lag",partition="1"} 180\n', text)
        self.assertIn('plumbline_kafka_learned_total{topic="lag"} 120\n', text)

    def test_labels_of_a_second_topic_are_joined_once(self):
        rows = rows_of(400, 8)
        noted = [(f"0-{i}", as_json({k: v for k, v in row.items() if k != "label"})) for i, row in enumerate(rows)]
        labels = [(f"0-{i}", row["label"]) for i, row in enumerate(rows)]
        lost = {7, 300}
        labels = [one for i, one in enumerate(labels) if i not in lost]
        labels[50:50] = [("unknown", "1"), labels[0]]  # of no row, and once more
        self.produce("noted", 0, noted)
        self.produce("labels", 0, labels)
        more = ["--labels", "kafka:///labels", "--predictions", "kafka:///noted-scores", "--sample", "200",
                "--snapshot-every", "50"]
        result = self.run_to_end("noted", self.work / "state", *more)
        self.assertEqual((result["rows"], result["learned"], result["predictions"]), (400, 398, 400))
        self.assertEqual(result["labels"], {"read": 400, "without_row": 2, "rows_dropped": 0})
        ids = [json.loads(message["payload"])["id"] for message in self.consume("noted-scores")]
        self.assertEqual(ids, [f"0-{i}" for i in range(400)])
        (saved,) = (self.work / "state").glob("partition-0.at-*.safetensors")
        uninterrupted = tensors(saved)
        self.assertEqual(sorted(row[3] for row in uninterrupted[2]["waiting"]), ["0-300", "0-7"])
        # Killed again and again, over the same topics: the same bits, and each prediction once.
        more[3] = "kafka:///noted-scores-2"
        shutil.copytree(self.work / "state", self.work / "state2",
                        ignore=shutil.ignore_patterns("partition-*", "stream.json"))
        chance = random.Random(SEED)
        for _ in range(3):
            process = self.start("noted", self.work / "state2", *more, "--commit-every", "1",
                                 "--kafka", "max.poll.interval.ms=20000")
            time.sleep(chance.uniform(0.3, 3))
            process.kill()
            process.wait()
        self.run_to_end("noted", self.work / "state2", *more)
        ids = [json.loads(message["payload"])["id"] for message in self.consume("noted-scores-2")]
        self.assertEqual(ids, [f"0-{i}" for i in range(400)])
        (saved,) = (self.work / "state2").glob("partition-0.at-*.safetensors")
        self.assertEqual(tensors(saved), uninterrupted)

    def test_nothing_is_lost_or_doubled_by_kills_and_rebalances(self):
        chance = random.Random(SEED)
        rows = {p: [] for p in range(PARTITIONS)}
        supply = {p: iter(rows_of(60 * ROUNDS + 200, 10 + p)) for p in rows}

        def send(count):
            for p, own in rows.items():
                more = [next(supply[p]) for _ in range(count)]
                self.produce("kills", p, [(f"{p}-{len(own) + i}", as_json(row)) for i, row in enumerate(more)])
                own.extend(more)

        send(150)
        more = ["--predictions", "kafka:///kills-scores", "--sample", "100", "--snapshot-every", "40",
                "--commit-every", "20"]
        state = self.work / "state"
        self.run_to_end("kills", state, *more)
        running = []
        counts = {"process": 0, "pause": 0, "broker": 0, "term": 0}
        for _ in range(ROUNDS):
            running = [process for process in running if process.poll() is None]
            while len(running) < 2:
                running.append(self.start("kills", state, *more))
            time.sleep(chance.uniform(0.2, 2))
            send(chance.randint(5, 50))
            time.sleep(chance.uniform(0, 2))
            what = chance.choice(["process", "process", "pause", "broker", "term"])
            counts[what] += 1
            victim = chance.choice(running)
            if what == "process":
                victim.kill()
                victim.wait()
            elif what == "term":
                victim.terminate()
                self.assertEqual(victim.wait(90), 128 + signal.SIGTERM, self.log())
            elif what == "pause":  # a zombie: it loses its partitions and does not know
                victim.send_signal(signal.SIGSTOP)
                time.sleep(chance.uniform(4, 6))
                victim.send_signal(signal.SIGCONT)
            else:
                self.broker.kill()
                time.sleep(chance.uniform(0, 2))
                self.broker.start()
        print(counts, flush=True)
        for process in running:
            if process.poll() is None:
                process.terminate()
        for process in running:
            process.wait(90)
        self.run_to_end("kills", state, *more, timeout=180)
        self.check_predictions("kills-scores", rows)
        self.check_models(state, rows)


if __name__ == "__main__":
    if not shutil.which("kcat"):
        print("SKIPPED: there is no kcat")
        sys.exit(77)
    try:
        broker.find_jars()
    except broker.Missing as reason:
        print(f"SKIPPED: {reason}")
        sys.exit(77)
    unittest.main(verbosity=2)

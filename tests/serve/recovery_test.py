"""What has been acknowledged survives: kill -9 at random moments under load, a log that is cut, a full disk.

PLUMBLINE_KILLS sets the number of kills; 20 by default.
"""

import json
import os
import pathlib
import resource
import shutil
import signal
import sqlite3
import threading
import time
import unittest

from support import InFolder, example, replay, wait_until

ROUNDS = int(os.environ.get("PLUMBLINE_KILLS", 20))
CHECKED = max(5, ROUNDS // 20)  # a check replays the whole log: not after every kill


class Client(threading.Thread):
    """Predicts rows and sends their labels, some at once, some late, some in batches, until the server is gone. What was
    not acknowledged is sent again by the next client."""

    def __init__(self, server, name, seed, unacknowledged):
        super().__init__(daemon=True)
        self.server, self.name, self.seed = server, name, seed
        self.unacknowledged = unacknowledged
        self.predicted, self.acknowledged = {}, {}

    def run(self):
        import random

        generator = random.Random(self.seed)
        connection = self.server.connect(5)
        try:
            self.send(connection, list(self.unacknowledged.values()))
            for i in range(100_000):
                row, label = example(generator)
                item = {"id": f"{self.name}-{i}", "row": row, "label": label}
                kind = generator.random()
                if kind < 0.4:
                    status, answer = self.server.post("predict", {"id": item["id"], "row": row}, connection)
                    assert status == 200, answer
                    self.predicted[item["id"]] = row, answer["probability"]
                    if kind < 0.1:
                        continue  # its label never comes
                    del item["row"]
                    self.send(connection, [item])
                elif kind < 0.8:
                    self.send(connection, [item])
                else:
                    more = [{"id": f"{self.name}-{i}-{k}", "row": example(generator)[0], "label": k % 2}
                            for k in range(20)]
                    self.send(connection, more)
        except (OSError, http_error):
            pass
        finally:
            connection.close()

    def send(self, connection, items):
        if not items:
            return
        for item in items:
            self.unacknowledged[item["id"]] = item
        status, answer = self.server.post("learn", {"items": items}, connection)
        assert status == 200, answer
        for item, result in zip(items, answer["results"]):
            assert result.get("status") in ("accepted", "duplicate"), result
            self.acknowledged[item["id"]] = item["label"]
            del self.unacknowledged[item["id"]]


import http.client  # noqa: E402

http_error = http.client.HTTPException


class Kill(InFolder):
    def labels(self):
        with sqlite3.connect(f"file:{self.folder}/data/default/log.sqlite?mode=ro", uri=True) as log:
            return log.execute("SELECT number, id, label FROM label ORDER BY number").fetchall()

    def check(self, server, acknowledged):
        rows = self.labels()
        self.assertEqual([number for number, _, _ in rows], list(range(1, len(rows) + 1)))
        by_id = {}
        for _, id, label in rows:
            self.assertNotIn(id, by_id)
            by_id[id] = label
        lost = {id for id, label in acknowledged.items() if by_id.get(id) != str(label)}
        self.assertFalse(lost)
        self.assertTrue(server.wait_until_learned())
        status, file = server.file()
        metrics, replayed = replay(self.folder / "data")
        self.assertEqual(file, replayed, "the model after recovery is that of a replay of the log")
        self.assertEqual(metrics["all"], server.model()["all"])

    def test_kill_at_random_moments_under_load(self):
        generator = self.generator(7)
        acknowledged, predicted, unacknowledged = {}, {}, [{}, {}, {}]
        slowest = 0, 0  # seconds until ready again, and the events in the log then
        for kill in range(ROUNDS):
            begin = time.monotonic()
            server = self.serve("--snapshot-every", "150")
            slowest = max(slowest, (time.monotonic() - begin, len(acknowledged) + len(predicted)))
            if kill % CHECKED == CHECKED - 1:
                self.check(server, acknowledged)
            clients = [Client(server, f"r{kill}c{c}", generator.random(), unacknowledged[c]) for c in range(3)]
            for client in clients:
                client.start()
            time.sleep(generator.uniform(0.02, 0.4))
            server.kill()
            for client in clients:
                client.join()
                acknowledged.update(client.acknowledged)
                predicted.update(client.predicted)
        server = self.serve()
        # What was not acknowledged is sent again, and learned once all the same.
        for rest in unacknowledged:
            client = Client(server, "last", 1, rest)
            connection = server.connect()
            client.send(connection, list(rest.values()))
            connection.close()
            acknowledged.update(client.acknowledged)
        self.check(server, acknowledged)
        self.assertGreater(len(acknowledged), 50 * ROUNDS // 20)
        for id, (row, probability) in list(predicted.items())[:200]:
            known = server.request("GET", f"/v1/models/default/ids/{id}")[1]
            self.assertEqual((known["row"], known["probabilities"]["1"]), (row, probability))
        print(f"{ROUNDS} kills, {len(acknowledged):,} labels and {len(predicted):,} predictions; "
              f"slowest start {slowest[0]:.2f} s, with {slowest[1]:,} events in the log")
        self.assertEqual(server.stop(), 0)

    def test_minibatches_do_not_depend_on_restarts(self):
        generator = self.generator()
        items = [{"id": str(i), "row": row, "label": label} for i in range(95)
                 for row, label in [example(generator)]]
        for first, last in ((0, 13), (13, 14), (14, 58), (58, 95)):
            server = self.serve("--preset", "fast")  # minibatches of 10
            self.assertEqual(server.lines("learn", items[first:last])[0], 200)
            self.assertTrue(server.wait_until_learned())
            if first == 14:
                server.kill()
            else:
                self.assertEqual(server.stop(), 0)
        server = self.serve()
        self.assertEqual(server.model()["counts"]["labels"], {"logged": 95, "learned": 90, "predicted": 0, "refused": 0})
        file = server.file()[1]
        # All at once in another server.
        whole = self.serve("--preset", "fast", data="other")
        whole.lines("learn", items)
        self.assertTrue(whole.wait_until_learned())
        self.assertEqual(whole.file()[1], file)

    def test_a_log_cut_anywhere_keeps_its_beginning(self):
        server = self.serve("--snapshot-every", "20")
        generator = self.generator()
        items = [{"id": str(i), "row": row, "label": label} for i in range(60) for row, label in [example(generator)]]
        for item in items:
            server.post("learn", item)
        self.assertTrue(server.wait_until_learned())
        server.kill()
        wal = self.folder / "data" / "default" / "log.sqlite-wal"
        size = wal.stat().st_size
        self.assertGreater(size, 0)
        shutil.copytree(self.folder / "data", self.folder / "kept")
        for _ in range(6):
            shutil.rmtree(self.folder / "data")
            shutil.copytree(self.folder / "kept", self.folder / "data")
            begin = len((self.folder / "data.log").read_text())
            os.truncate(wal, generator.randrange(size))
            server = self.serve()
            labels = self.labels()
            # Never so of a log that was only killed: a snapshot knows what is missing.
            self.assertEqual('"event":"labels lost"' in server.messages()[begin:], len(labels) < 60)
            self.assertEqual([id for _, id, _ in labels], [str(i) for i in range(len(labels))])
            # Sending everything again gives the whole log.
            results = server.lines("learn", items)[1]
            self.assertEqual([r["status"] for r in results],
                             ["duplicate"] * len(labels) + ["accepted"] * (60 - len(labels)))
            self.check(server, {item["id"]: item["label"] for item in items})
            server.kill()

    def test_a_database_cut_anywhere_is_refused(self):
        server = self.serve()
        generator = self.generator()
        server.lines("learn", [{"row": row, "label": label} for _ in range(300) for row, label in [example(generator)]])
        self.assertTrue(server.wait_until_learned())
        self.assertEqual(server.stop(), 0)  # nothing is left in the write-ahead log
        log = self.folder / "data" / "default" / "log.sqlite"
        whole = log.read_bytes()
        for size in [0, 1, 99, 100, 4096, *(generator.randrange(len(whole) - 4096) for _ in range(6))]:
            log.write_bytes(whole[:size])
            said = "missing or empty, though there is a snapshot of label 300" if size < 100 else "malformed; restore it"
            # What needs the missing pages may be the first query, or one of the thread that learns.
            try:
                server = self.serve(ready=False)
            except RuntimeError as error:
                self.assertIn(said, str(error), size)
                continue
            self.assertTrue(wait_until(lambda: '"event":"model failed"' in server.messages()), size)
            self.assertIn("malformed; restore it", server.messages())
            self.assertEqual(server.request("GET", "/v2/health/ready")[0], 503)
            server.kill()
        log.unlink()
        with self.assertRaisesRegex(RuntimeError, "the log is missing"):
            self.serve()
        log.write_bytes(whole)
        self.assertEqual(self.serve().model()["counts"]["labels"]["logged"], 300)

    def test_a_damaged_snapshot_is_left_out(self):
        server = self.serve()
        for i in range(20):
            server.post("learn", {"row": {"x": i}, "label": i % 2})
        self.assertTrue(server.wait_until_learned())
        file = server.file()[1]
        self.assertEqual(server.stop(), 0)
        snapshot = self.folder / "data" / "default" / "snapshot-20.safetensors"
        damaged = bytearray(snapshot.read_bytes())
        damaged[-5] ^= 1
        snapshot.write_bytes(damaged)
        server = self.serve()
        self.assertIn("snapshot not usable", server.messages())
        self.assertEqual(server.file()[1], file)


class Disk(InFolder):
    def test_a_full_disk_refuses_and_recovers(self):
        server = self.serve(limit=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY)))
        row = {"text": "x" * 2000}
        accepted, refused = 0, None
        for i in range(400):
            status, answer = server.post("learn", {"id": str(i), "row": row, "label": i % 2})
            if status != 200:
                refused = status, answer["detail"]
                break
            accepted += 1
        self.assertEqual(refused[0], 503)
        self.assertIn("the log cannot be written", refused[1])
        self.assertGreater(accepted, 10)
        self.assertEqual(server.request("GET", "/v2/health/ready")[0], 503)
        self.assertEqual(server.request("GET", "/v2/health/live")[0], 200)
        self.assertEqual(server.post("predict", {"row": row})[0], 200)
        # Room again.
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        self.assertEqual(server.post("learn", {"id": "later", "row": row, "label": 1})[1]["number"], accepted + 1)
        self.assertEqual(server.request("GET", "/v2/health/ready")[0], 200)
        self.assertTrue(server.wait_until_learned())
        self.assertEqual(server.file()[1], replay(self.folder / "data")[1])
        self.assertEqual(server.stop(), 0)

    def test_a_folder_that_cannot_be_used_is_refused_at_once(self):
        (self.folder / "file").write_text("")
        with self.assertRaisesRegex(RuntimeError, "cannot create the folder"):
            self.serve(data="file")
        self.serve()
        with self.assertRaisesRegex(RuntimeError, "another server uses this folder"):
            self.serve()
        (self.folder / "broken" / "default").mkdir(parents=True)
        (self.folder / "broken" / "default" / "definition.json").write_text("{}")
        with self.assertRaisesRegex(RuntimeError, "not the definition of a model"):
            self.serve(data="broken")


    def test_a_folder_that_cannot_be_written(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        server = self.serve()
        server.post("learn", {"row": {"x": 1}, "label": 1})
        self.assertEqual(server.stop(), 0)
        for folder, reason in (("data", "lock: cannot write|Permission denied"), ("data/default", "readonly|unable to open")):
            (self.folder / folder).chmod(0o500)
            self.addCleanup((self.folder / folder).chmod, 0o700)
            with self.assertRaisesRegex(RuntimeError, reason):
                self.serve()
            (self.folder / folder).chmod(0o700)
        self.assertEqual(self.serve().model()["counts"]["labels"]["logged"], 1)


class Clock(InFolder):
    def test_a_clock_that_jumps_changes_no_model(self):
        library = next((path for path in pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)
        if library is None:
            self.skipTest("libfaketime is not there: apt-get install faketime")
        now = self.folder / "now"
        environment = {**os.environ, "LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(now), "FAKETIME_NO_CACHE": "1",
                       "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        generator = self.generator()
        labels = {}
        for i, jump in enumerate(("+0", "-400d", "+400d", "-1h", "+20y", "-30y", "+0")):
            now.write_text(f"{jump}\n")
            server = self.serve("--snapshot-every", "25", environment=environment)
            self.assertEqual(server.model()["counts"]["labels"]["logged"], len(labels))
            for k in range(20):
                id, (row, label) = f"{i}-{k}", example(generator)
                self.assertEqual(server.post("predict", {"id": id, "row": row})[0], 200)
                if k == 10:  # while it runs, between a prediction and its label
                    now.write_text("-90d\n" if jump != "-90d" else "+90d\n")
                self.assertEqual(server.post("learn", {"id": id, "label": label})[1].get("status"), "accepted")
                self.assertEqual(server.post("learn", {"id": id, "label": label})[1].get("status"), "duplicate")
                labels[id] = label
            self.assertTrue(server.wait_until_learned())
            delays = server.request("GET", "/v1/models/default/metrics")[1]
            self.assertNotIn("NaN", json.dumps(delays))
            file, known = server.file()[1], server.model()
            if i % 2:
                server.kill()
            else:
                self.assertEqual(server.stop(), 0)
            metrics, replayed = replay(self.folder / "data")
            self.assertEqual(file, replayed)
            self.assertEqual(metrics["all"], known["all"])


class Stop(InFolder):
    def test_sigterm_answers_not_ready_drains_saves_and_exits(self):
        server = self.serve("--drain", "1", "--preset", "fast")
        generator = self.generator()
        items = [{"row": row, "label": label} for _ in range(2000) for row, label in [example(generator)]]
        self.assertEqual(server.lines("learn", items)[0], 200)
        connection = server.connect()
        server.process.send_signal(signal.SIGTERM)
        self.assertTrue(wait_until(lambda: server.request("GET", "/v2/health/ready", connection=connection)[0] == 503))
        # Those who do not know it yet are still served.
        self.assertEqual(server.post("predict", {"row": {"x": 1}})[0], 200)
        connection.close()
        self.assertEqual(server.process.wait(30), 0)
        self.assertTrue((self.folder / "data" / "default" / "snapshot-2000.safetensors").exists())
        server = self.serve()
        ready = [line for line in server.messages().splitlines() if '"event":"model ready"' in line]
        self.assertIn('"replayed":0', ready[-1])
        self.assertEqual(server.model()["counts"]["labels"]["learned"], 2000)


if __name__ == "__main__":
    unittest.main()

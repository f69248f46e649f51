"""How long the log keeps events: what goes, what stays, and that the model does not notice, also if the server is killed
while it removes them."""

import sqlite3
import unittest

from support import InFolder, example, replay, wait_until


class Retention(InFolder):
    def items(self, count, seed=1, prefix=""):
        generator = self.generator(seed)
        for i in range(count):
            row, label = example(generator)
            yield {"id": f"{prefix}{i}", "row": {**row, "text": f"value {i % 5} " + "x" * 1000}, "label": label}

    def log(self, query, data="data"):
        with sqlite3.connect(f"file:{self.folder}/{data}/default/log.sqlite?mode=ro", uri=True) as log:
            return log.execute(query).fetchall()

    def snapshot(self, server):
        self.assertTrue(server.wait_until_learned())
        self.assertEqual(server.request("POST", "/v1/models/default/snapshot")[0], 200)

    def first_label(self, server):
        return server.model()["log"]["first_label"]

    def test_rows_go_by_number_and_ids_stay(self):
        server = self.serve("--keep-labels", "300", "--snapshot-every", "200", "--preset", "fast", "--batch", "1")
        kept = self.serve("--snapshot-every", "200", "--preset", "fast", "--batch", "1", data="kept")
        items = list(self.items(2000))
        for item in items[:500]:
            for each in (server, kept):
                self.assertEqual(each.post("predict", {"id": item["id"], "row": item["row"]})[0], 200)
        for first in range(0, 2000, 100):
            sent = [{k: v for k, v in item.items() if k != "row" or i >= 500}
                    for i, item in enumerate(items[first:first + 100], first)]
            for each in (server, kept):
                self.assertEqual(each.lines("learn", sent)[0], 200)
                self.assertTrue(each.wait_until_learned())
        for each in (server, kept):
            each.lines("learn", [{"row": {"x": 1}, "label": 1}] * 5)
            self.snapshot(each)
            each.lines("learn", [{"row": {"x": 1}, "label": 1}] * 5)
            self.snapshot(each)
        self.assertTrue(wait_until(lambda: self.first_label(server) == 2010 - 300 + 1), self.first_label(server))
        self.assertEqual(self.first_label(kept), 1)
        self.assertEqual(self.log("SELECT count(*) FROM prediction"), [(0,)])
        self.assertEqual(self.log("SELECT count(*) FROM label WHERE row IS NOT NULL"), [(300,)])
        # Each id is still known, with its label, and is not learned again.
        for item in (items[0], items[700], items[1999]):
            self.assertEqual(server.post("learn", item)[1]["status"], "duplicate")
            self.assertEqual(server.post("learn", {**item, "label": 1 - item["label"]})[0], 409)
            self.assertEqual(server.post("predict", {"id": item["id"], "row": item["row"]})[1]["status"], "labelled")
        known = server.request("GET", "/v1/models/default/ids/0")[1]
        self.assertNotIn("row", known)
        self.assertEqual((known["label"], known["number"]), (str(items[0]["label"]), 1))
        # The model is that of a log which has kept everything, before and after a restart.
        self.assertEqual(server.file()[1], kept.file()[1])
        whole, _ = replay(self.folder / "kept")
        part, file = replay(self.folder / "data")
        self.assertEqual((whole["first_label"], whole["learned"]), (1, 2010))
        self.assertGreater(part["first_label"], 1)
        self.assertEqual(part["all"], whole["all"])
        self.assertEqual(file, kept.file()[1])
        other, _ = replay(self.folder / "data", "--preset", "auto")
        self.assertEqual((other["first_label"], other["learned"]), (1711, 300))
        size = lambda each: each.model()["log"]["bytes"]
        # The file shrinks, step by step.
        pages = lambda data: self.log("PRAGMA page_count", data)[0][0]
        self.assertTrue(wait_until(lambda: pages("data") < pages("kept") / 2), (pages("data"), pages("kept")))
        server.kill()
        server = self.serve()
        self.assertEqual(server.file()[1], kept.file()[1])
        self.assertGreater(size(server), 0)
        text = server.request("GET", "/metrics")[1].decode()
        self.assertIn('plumbline_log_first_label{model="default"} 1711\n', text)

    def test_rows_and_ids_go_by_age(self):
        day = 1 / 86400  # a second
        server = self.serve("--keep-days", 0.5 * day, "--keep-ids", 1.5 * day, "--preset", "fast", "--batch", "1")
        items = list(self.items(50))
        server.lines("learn", items[:40])
        self.snapshot(server)
        server.lines("learn", items[40:])
        self.snapshot(server)

        def gone(first):
            self.assertEqual(server.post("learn", {"row": {"x": 1}, "label": 1})[0], 200)
            self.snapshot(server)  # removes what it makes superfluous
            return self.first_label(server) >= first

        self.assertTrue(wait_until(lambda: gone(51)))
        self.assertTrue(wait_until(lambda: gone(51) and self.log("SELECT count(*) FROM label WHERE id IS NOT NULL") == [(0,)]))
        # What is no longer known is new.
        self.assertEqual(server.post("learn", items[0])[1]["status"], "accepted")

    def test_predictions_expire(self):
        server = self.serve("--keep-pending", 1 / 86400, "--max-pending", "3")
        for id in ("a", "b", "c"):
            self.assertEqual(server.post("predict", {"id": id, "row": {"x": 1}})[1]["status"], "remembered")
        self.assertEqual(server.post("predict", {"id": "d", "row": {"x": 1}})[0], 429)
        self.assertEqual(server.post("learn", {"id": "b", "label": 1})[0], 200)

        def expired():
            server.post("learn", {"row": {"x": 1}, "label": 1})
            self.snapshot(server)
            return server.model()["counts"]["predictions"]["pending"] == 0

        self.assertTrue(wait_until(expired))
        self.assertEqual(server.model()["log"]["expired_predictions"], 2)
        status, answer = server.post("learn", {"id": "a", "label": 1})
        self.assertEqual(status, 404)
        self.assertIn("expired", answer["detail"])
        self.assertEqual(server.post("learn", {"id": "a", "row": {"x": 1}, "label": 1})[1]["status"], "accepted")
        self.assertEqual(server.post("learn", {"id": "b", "label": 1})[1]["status"], "duplicate")
        self.assertEqual(server.post("predict", {"id": "c", "row": {"x": 2}})[1]["status"], "remembered")
        before = server.model()["counts"]
        server.kill()
        server = self.serve()
        self.assertEqual(server.model()["counts"]["predictions"]["pending"], before["predictions"]["pending"])

    def test_nothing_goes_that_both_snapshots_do_not_have(self):
        server = self.serve("--keep-labels", "1", "--snapshot-every", "100000", "--preset", "fast", "--batch", "1")
        server.lines("learn", list(self.items(200)))
        self.snapshot(server)
        self.assertEqual(server.post("learn", {"row": {"x": 1}, "label": 1})[0], 200)
        self.assertEqual(self.first_label(server), 1)
        self.snapshot(server)
        self.assertTrue(wait_until(lambda: self.first_label(server) == 201))
        file = server.file()[1]
        server.kill()
        # The newer snapshot is damaged: the older one and the row after it give the same model.
        newest = self.folder / "data" / "default" / "snapshot-201.safetensors"
        damaged = bytearray(newest.read_bytes())
        damaged[-5] ^= 1
        newest.write_bytes(damaged)
        server = self.serve()
        self.assertIn("snapshot not usable", server.messages())
        self.assertEqual(server.file()[1], file)
        server.kill()
        # Without any, the server says so, and answers nothing wrong.
        for snapshot in (self.folder / "data" / "default").glob("snapshot-*"):
            snapshot.write_bytes(b"nonsense")
        server = self.serve(ready=False)
        self.assertTrue(wait_until(lambda: "no snapshot can be used" in server.messages()))
        self.assertEqual(server.request("GET", "/v2/health/ready")[0], 503)
        self.assertEqual(server.post("predict", {"row": {"x": 1}})[0], 503)

    def test_kill_while_the_log_is_shortened(self):
        """The same labels, one server that is never killed and keeps all, one that is killed again and again."""
        generator = self.generator(3)
        items = list(self.items(1500, prefix="k"))
        options = ("--preset", "fast", "--batch", "1", "--snapshot-every", "40", "--keep-labels", "50",
                   "--keep-pending", "0.00001")
        position, first, kills = 0, 1, 0
        while position < len(items):
            server = self.serve(*options)
            last = min(position + generator.randrange(40, 160), len(items))
            connection = server.connect()
            for i in range(position, last):
                item = items[i]
                server.post("predict", {"id": f"never {i} {kills}", "row": item["row"]}, connection)
                status, answer = server.post("learn", item, connection)
                self.assertEqual((status, answer["number"]), (200, i + 1))
            # Some are sent again after a kill, as a client would.
            connection.close()
            first = max(first, self.first_label(server))
            server.kill()
            kills += 1
            position = last
        server = self.serve(*options)
        results = server.lines("learn", items)[1]
        self.assertEqual({result["status"] for result in results}, {"duplicate"})
        self.assertEqual([result["number"] for result in results], list(range(1, len(items) + 1)))
        self.assertTrue(server.wait_until_learned())
        self.assertGreater(first, 1000)
        whole = self.serve("--preset", "fast", "--batch", "1", data="whole")
        whole.lines("learn", items)
        self.assertTrue(whole.wait_until_learned())
        self.assertEqual(server.file()[1], whole.file()[1])
        self.assertEqual(replay(self.folder / "data")[1], whole.file()[1])
        self.assertEqual(self.log("PRAGMA integrity_check"), [("ok",)])
        print(f"{kills} kills; the log begins at label {self.first_label(server)}")


if __name__ == "__main__":
    unittest.main()

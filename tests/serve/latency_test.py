"""Predictions do not wait for what the model learns, nor for snapshots: the longest time between two answers is a part
of the time that these take, in the same run."""

import threading
import time
import unittest

from support import InFolder


class Latency(InFolder):
    def longest_gap(self, server, row, until):
        """(the longest time between two predictions, all of it), from now until `until` accepts an answer."""
        connection = server.connect(60)
        begin = last = time.monotonic()
        longest = 0
        while True:
            status, answer = server.post("predict", {"row": row}, connection)
            now = time.monotonic()
            self.assertEqual(status, 200)
            longest, last = max(longest, now - last), now
            if until(answer):
                connection.close()
                return longest, now - begin

    def test_predictions_do_not_wait_for_a_large_minibatch(self):
        batch = 10_000
        server = self.serve("--batch", batch)
        generator = self.generator()

        def items():
            for _ in range(batch):
                row = {f"x{j}": generator.random() for j in range(8)}
                yield {"row": row, "label": int(sum(row.values()) > 4)}

        # The first minibatch makes the model; later ones are learned while others predict.
        for round in range(1, 4):
            sent = list(items())
            self.assertEqual(server.lines("learn", sent)[0], 200)
            gap, all = self.longest_gap(server, sent[0]["row"], lambda answer: answer["learned"] == round * batch)
            print(f"minibatch {round}: {all:.2f} s, the longest gap between predictions {gap:.3f} s")
            # A prediction that waited for the minibatch would wait for all of it.
            self.assertLess(gap, all / 2)

    def test_predictions_do_not_wait_for_a_snapshot(self):
        server = self.serve("--preset", "fast", "--config", self.config("max_features = 200000"), "--snapshot-every", "1000000")
        names = 20_000
        for first in range(0, names, 2000):
            row = {f"feature {j}": 1 for j in range(first, first + 2000)}
            self.assertEqual(server.lines("learn", [{"row": row, "label": i % 2} for i in range(10)])[0], 200)
        self.assertTrue(server.wait_until_learned())
        done = threading.Event()
        taken = []

        def snapshot():
            taken.append(server.request("POST", "/v1/models/default/snapshot"))
            done.set()

        thread = threading.Thread(target=snapshot)
        thread.start()
        gap, all = self.longest_gap(server, {"feature 1": 1}, lambda _: done.is_set())
        thread.join()
        self.assertEqual(taken[0][0], 200)
        print(f"snapshot of {taken[0][1]['bytes']:,} bytes: {all:.2f} s, the longest gap between predictions {gap:.3f} s")
        self.assertGreater(all, 0)
        self.assertLess(gap, all / 2)

    def config(self, line):
        file = self.folder / "config.toml"
        file.write_text(f"[encoder]\n{line}\n")
        return file


if __name__ == "__main__":
    unittest.main()

"""The arithmetic of bench/probabilities: losses, limits, kept results, tables, and the program that calibrates.

Usage: probabilities_test.py [CALIBRATE]. Without the program, which is built with the benchmarks, its tests are left out.
"""

import array
import math
import pathlib
import random
import sys
import tempfile
import threading
import unittest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path[:0] = [str(BENCH), str(BENCH / "probabilities")]
CALIBRATE = sys.argv.pop(1) if len(sys.argv) > 1 else None

from cache import Cache
from process import Stopped, measure
from scores import Calibration, accuracy, best, geometric_mean, log_loss, read_probabilities, to_power
from streams import Streams, numbered
from tables import ratios, summary


class Scores(unittest.TestCase):
    def test_log_loss_is_that_of_the_label_and_clipped(self):
        self.assertAlmostEqual(log_loss([[0.2, 0.8], [0.5, 0.5]], [1, 0]), -(math.log(0.8) + math.log(0.5)) / 2)
        self.assertAlmostEqual(log_loss([[1.0, 0.0]], [1]), -math.log(1e-15))

    def test_a_missing_prediction_is_noticed(self):
        self.assertRaises(ValueError, log_loss, [[0.5, 0.5]], [1, 0])

    def test_accuracy_takes_the_first_of_equal_classes(self):
        self.assertEqual(accuracy([[0.2, 0.5, 0.3], [0.5, 0.5, 0.0]], [1, 1]), 0.5)

    def test_a_power_scales_the_logit(self):
        low, high = to_power([1e-200, 1.0], 0.01)
        self.assertAlmostEqual(math.log(high / low), 2 * math.log(10))
        self.assertEqual(to_power([0.0, 0.0], 0.5), [0.5, 0.5])

    def test_probabilities_are_read_by_row_and_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "p.bin")
            path.write_bytes(array.array("d", [0.1, 0.2, 0.7, 1, 0, 0]).tobytes())
            self.assertEqual([list(row) for row in read_probabilities(path, 3)], [[0.1, 0.2, 0.7], [1, 0, 0]])
            path.write_bytes(array.array("d", [math.nan, 0]).tobytes())
            self.assertRaises(ValueError, read_probabilities, path, 2)


class StreamFiles(unittest.TestCase):
    def test_labels_are_numbered_in_the_order_of_their_values(self):
        self.assertEqual(numbered([["x", "10"], ["y", "9"]]), ([["x", 1], ["y", 0]], 2))
        self.assertEqual(numbered([["x", "B"], ["y", "A"]]), ([["x", 1], ["y", 0]], 2))

    def test_own_streams_are_the_same_for_the_same_seed_only(self):
        def text(folder, seed):
            streams = Streams(None, [], pathlib.Path(folder), seed=seed, limit=50, generated=100)
            return streams.path("led, 10 classes").read_text()

        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
            self.assertEqual(text(one, 1), text(two, 1))
            self.assertNotEqual(text(one, 1), text(two, 2))
            self.assertEqual(len(text(one, 1).splitlines()), 51)


class Processes(unittest.TestCase):
    def run_python(self, code, **limits):
        return measure([sys.executable, "-c", code], **{"seconds": 60, "mib": 4096, **limits})

    def test_output_time_and_memory(self):
        out, seconds, mib = self.run_python("x = bytearray(100 << 20); sum(range(3000000)); print(7)")
        self.assertEqual(out, "7\n")
        self.assertGreater(seconds, 0.01)
        self.assertTrue(100 < mib < 200, mib)

    def test_limits(self):
        with self.assertRaisesRegex(Stopped, "more than 1 s") as time:
            self.run_python("while True: pass", seconds=1)
        with self.assertRaisesRegex(Stopped, "more than 50 MiB"):
            self.run_python("import time; x = bytearray(100 << 20); time.sleep(60)", mib=50)
        self.assertTrue(time.exception.by_limit)

    def test_a_failure_is_no_limit(self):
        with self.assertRaisesRegex(Stopped, "ValueError: no") as failure:
            self.run_python("raise ValueError('no')")
        self.assertFalse(failure.exception.by_limit)


class Kept(unittest.TestCase):
    def test_several_writers_lose_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            def write(name):
                cache = Cache(pathlib.Path(folder))
                for i in range(20):
                    cache.put(f"{name} {i}", {"raw": i})

            threads = [threading.Thread(target=write, args=[name]) for name in "abc"]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(len(Cache(pathlib.Path(folder)).all()), 60)


class Tables(unittest.TestCase):
    RESULTS = {"plumbline auto": {"raw": 0.3}, "a": {"raw": 0.6, "calibrated": 0.2}, "b": {"raw": 0.4},
               "c": {"stopped": "more than 1 s", "seconds": 1, "mib": 1}}

    def test_ours_is_compared_with_the_best_peer(self):
        self.assertEqual(best(self.RESULTS, "calibrated"), ("a", 0.2))
        for got, wanted in zip(ratios(self.RESULTS), [0.75, 1.5, 1.5], strict=True):
            self.assertAlmostEqual(got, wanted)
        self.assertEqual(ratios({"plumbline auto": {"raw": 0.3}}), [None, None, None])

    def test_the_summary_has_geometric_means_and_counts(self):
        self.assertAlmostEqual(geometric_mean([0.5, 2]), 1)
        worse = self.RESULTS | {"plumbline auto": {"raw": 1.2}}
        text = summary([({"name": "s"}, self.RESULTS), ({"name": "t"}, worse)])
        self.assertIn("| s | 2 | 0.3000 | 0.4000 | b | 0.2000 | a | 0.750 | 1.500 | 1.500 |", text)
        self.assertIn("| geometric mean | | | | | | | 1.500 | 3.000 | 3.000 |", text)
        self.assertIn("| at most 1 | | | | | | | 1 of 2 | 0 of 2 | 0 of 2 |", text)


@unittest.skipUnless(CALIBRATE, "the benchmarks are not built")
class Calibrated(unittest.TestCase):
    def setUp(self):
        self.calibration = Calibration(CALIBRATE)
        rng = random.Random(2)
        # Labels follow p, but the peer says p^3 / (p^3 + (1 - p)^3): too sure.
        truth = [rng.random() for _ in range(3000)]
        self.labels = [int(rng.random() < p) for p in truth]
        self.rows = [to_power([1 - p, p], 3) for p in truth]

    def test_calibration_corrects_a_peer_that_is_too_sure(self):
        # The true probabilities have an expected loss of 0.5, these have 0.69.
        self.assertGreater(log_loss(self.rows, self.labels), 0.65)
        self.assertLess(self.calibration.log_loss(self.rows, self.labels, 1), 0.53)

    def test_each_row_is_predicted_before_its_label_is_learned(self):
        answers = self.calibration.apply(self.rows, self.labels)
        other = self.calibration.apply(self.rows, [*self.labels[:-1], 1 - self.labels[-1]])
        self.assertEqual(answers, other)
        self.assertEqual(answers[0][1], self.rows[0][1])

    def test_several_classes_add_up_to_one(self):
        rng = random.Random(3)
        labels = [rng.randrange(3) for _ in range(500)]
        # Right in two of three rows, and as sure as if it were in 98 of 100.
        guesses = [label if rng.random() < 0.5 else rng.randrange(3) for label in labels]
        rows = [[0.98 if k == guess else 0.01 for k in range(3)] for guess in guesses]
        answers = self.calibration.apply(rows, labels)
        self.assertTrue(all(abs(sum(row) - 1) < 1e-12 for row in answers))
        self.assertLess(log_loss(answers, labels), log_loss(rows, labels))

    def test_a_row_that_is_none_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "not a label and its probabilities"):
            self.calibration.apply([[math.nan, 0.5]], [0])


if __name__ == "__main__":
    unittest.main()

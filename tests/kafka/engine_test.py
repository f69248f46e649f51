"""One command from a topic to predictions, on a real broker: labels, bad messages, properties, metrics, and ends."""

import json
import signal
import subprocess
import time

import engine
from engine import as_csv, as_json, rows_of, run, tensors


class Commands(engine.Engine):
    def test_one_command_from_a_topic_to_predictions(self):
        rows = {0: rows_of(600, 1), 1: rows_of(300, 2), 2: rows_of(1, 3)}
        for partition, own in rows.items():
            self.produce("one", partition, [(f"{partition}-{i}", as_json(row)) for i, row in enumerate(own)])
        result = self.run_to_end("one", self.work / "state", "--predictions", "kafka:///one-scores",
                                 "--sample", 200)
        self.assertEqual((result["rows"], result["learned"], result["predictions"]), (901, 901, 901))
        self.assertEqual(result["lag"], 0)
        self.assertEqual(result["partitions"], {str(p): {"offset": len(own), "lag": 0} for p, own in rows.items()})
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
        self.assertEqual(sorted(row[3] for row in tensors(saved)[2]["waiting"]), ["0-300", "0-7"])


if __name__ == "__main__":
    engine.main()

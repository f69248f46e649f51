"""Exactly once, on a real broker: kill -9 of processes and of the broker, and processes that wake up too late.

What must hold after every test, whatever happened in it: each row has one prediction, in order, and the model of each
partition is, to the bit, that of a run over the same rows that was never interrupted.

PLUMBLINE_ROUNDS sets the number of rounds of kills and rebalances; 4 by default.
"""

import os
import random
import re
import shutil
import signal
import time

import engine
from engine import PARTITIONS, SEED, Production, Watch, as_json, rows_of, sender

ROUNDS = int(os.environ.get("PLUMBLINE_ROUNDS", 4))
NEVER = 10**9  # messages until the next saved model


class Kills(engine.Engine):
    def replayed(self):
        """The messages that the processes of the log have taken again."""
        return sum(map(int, re.findall(r"partition \d+: (\d+) messages? since the saved model", self.log(10**9))))

    def metric(self, path, name):
        found = re.search(rf"^plumbline_kafka_{name}\{{.*\}} (\d+)$", path.read_text() if path.exists() else "", re.M)
        return int(found[1]) if found else 0

    def fresh_state(self, state, name):
        """A folder with the same initial model, and nothing else."""
        shutil.copytree(state, self.work / name, ignore=shutil.ignore_patterns("partition-*", "stream.json"))
        return self.work / name

    def run_rest(self, topic, state, *more):
        """To the end of all partitions; the sums of the runs. A run until the end is about the partitions that it is
        given: others may still belong to processes that were killed."""
        given, sums = set(), {"rows": 0, "replayed": 0}
        end = time.monotonic() + 120
        while len(given) < PARTITIONS:
            self.assertLess(time.monotonic(), end, f"only partitions {given} were given")
            result = self.run_to_end(topic, state, *more, timeout=180)
            given |= set(result["partitions"])
            for name in sums:
                sums[name] += result[name]
        return sums

    def check_same(self, state, topic, other, other_topic):
        """The same predictions and the same files, byte by byte."""
        self.assertEqual(self.payloads(topic), self.payloads(other_topic))
        saved = sorted(path.name for path in state.glob("partition-*"))
        self.assertEqual(saved, sorted(path.name for path in other.glob("partition-*")))
        self.assertTrue(saved)
        for name in saved:
            self.assertTrue((state / name).read_bytes() == (other / name).read_bytes(), name)

    # ---- Tests

    def test_kills_in_mid_stream_repeat_messages_without_output(self):
        chance = random.Random(SEED)
        self.make_topics("mid", "mid-scores")
        state = self.work / "state"
        more = ["--sample", 100, "--snapshot-every", NEVER]
        scores = ["--predictions", "kafka:///mid-scores"]
        supply = {p: rows_of(60_000, 20 + p) for p in range(PARTITIONS)}
        with Watch(self.broker.address, "mid-scores") as seen:
            production = Production(self.broker.address, "mid", supply, per_second=500)
            self.addCleanup(production.stop)
            for _ in range(4):
                before = seen.count
                process = self.start("mid", state, *more, *scores, "--commit-every", 50)
                # More than all but one partition could have sent since: each one goes on for a while.
                self.wait_for(lambda: seen.count >= before + 1500, "committed predictions")
                time.sleep(chance.uniform(0, 0.2))
                self.assertTrue(production.going_on())
                process.kill()
                process.wait()
                # Perhaps while messages are repeated.
                process = self.start("mid", state, *more, *scores, "--commit-every", 50)
                time.sleep(chance.uniform(0.2, 1))
                process.kill()
                process.wait()
            rows = production.stop()
            committed = seen.count
        total = sum(map(len, rows.values()))
        self.assertLess(committed, total)
        result = self.run_rest("mid", state, *more, *scores)
        self.check_predictions("mid-scores", rows)
        # Nothing was saved before, so that everything that was committed is repeated.
        self.assertEqual(result["replayed"] + result["rows"], total)
        self.assertGreaterEqual(result["replayed"], committed)
        self.assertGreater(self.replayed(), 0, self.log())
        print(f"{total} rows; {self.replayed()} messages repeated between the kills, {result['replayed']} at the end",
              flush=True)
        self.check_models(state, rows)
        other = self.fresh_state(state, "uninterrupted")
        again = self.run_to_end("mid", other, "--snapshot-every", NEVER, "--predictions", "kafka:///mid-scores-2")
        self.assertEqual((again["rows"], again["replayed"]), (total, 0))
        self.check_same(state, "mid-scores", other, "mid-scores-2")

    def test_kills_in_mid_stream_repeat_rows_and_labels_in_their_order(self):
        count, chunk = 40_000, 500
        self.make_topics("late", "late-labels", "late-scores", "late-scores-2")
        rows = rows_of(count, 30)
        senders = [sender(self.broker.address, topic, 0) for topic in ("late", "late-labels")]
        for begin in range(0, count + chunk, chunk):
            unlabelled = {i: as_json({k: v for k, v in rows[i].items() if k != "label"})
                          for i in range(begin, min(begin + chunk, count))}
            labels = {i: rows[i]["label"] for i in range(max(begin - chunk, 0), begin)}  # of the chunk before
            for one, values in zip(senders, (unlabelled, labels)):
                one.stdin.write("".join(f"0-{i}\t{value}\n" for i, value in values.items()))
                one.stdin.flush()
                time.sleep(0.02)
        for one in senders:
            one.stdin.close()
            self.assertEqual(one.wait(60), 0)
        more = ["--labels", "kafka:///late-labels", "--sample", 200, "--snapshot-every", NEVER]
        state = self.work / "state"
        whole = self.run_to_end("late", state, *more, "--predictions", "kafka:///late-scores")
        self.assertEqual((whole["rows"], whole["predictions"], whole["replayed"]), (count, count, 0))
        # A label that was sent before its row, since the senders do not wait for each other, is lost.
        self.assertEqual(whole["learned"] + whole["labels"]["without_row"], count)
        self.assertGreater(whole["learned"], count // 2)
        other = self.fresh_state(state, "killed")
        more += ["--predictions", "kafka:///late-scores-2"]
        with Watch(self.broker.address, "late-scores-2") as seen:
            for part in (0.1, 0.3, 0.5):
                process = self.start("late", other, *more, "--commit-every", 10)
                self.wait_for(lambda: seen.count >= part * count, "committed predictions")
                process.kill()
                process.wait()
            time.sleep(1)
            self.assertLess(seen.count, count)  # none has reached the end
        result = self.run_rest("late", other, *more)
        keys = [key for key, _ in self.payloads("late-scores-2")[0]]
        self.assertEqual(len(keys), count)
        self.assertEqual(keys, [f"0-{i}" for i in range(count)])
        self.assertGreaterEqual(result["replayed"], count // 2)
        self.assertGreater(self.replayed(), 0, self.log())
        print(f"{self.replayed()} rows and labels repeated between the kills, {result['replayed']} at the end",
              flush=True)
        self.check_same(state, "late-scores", other, "late-scores-2")

    def test_a_zombie_cannot_commit(self):
        self.make_topics("woken", "woken-scores")
        state = self.work / "state"
        more = ["--predictions", "kafka:///woken-scores", "--sample", 100, "--snapshot-every", NEVER]
        supply = {p: rows_of(60_000, 40 + p) for p in range(PARTITIONS)}
        address = self.broker.address
        with Watch(address, "woken-scores") as seen, \
                Watch(address, "woken-scores", "read_uncommitted") as written:
            production = Production(address, "woken", supply, per_second=200)
            self.addCleanup(production.stop)
            # Its transactions are long, so that it is stopped within one.
            zombie = self.start("woken", state, *more, "--commit-every", 2000)
            self.wait_for(lambda: seen.count > 0, "committed predictions")
            uncommitted = 100 * PARTITIONS
            while True:
                self.wait_for(lambda: written.count > seen.count + uncommitted, "predictions that are not committed")
                zombie.send_signal(signal.SIGSTOP)
                time.sleep(0.5)  # until both have seen what it did last
                if written.count > seen.count + uncommitted:
                    break
                zombie.send_signal(signal.SIGCONT)
            # The next owner goes on. (It is asked, since readers of committed messages would wait for the zombie if
            # its transactions were not ended.)
            metrics = self.work / "metrics"
            owner = self.start("woken", state, *more, "--commit-every", 50, "--metrics", metrics)
            self.wait_for(lambda: self.metric(metrics, "predictions_total") > 2000
                          and self.metric(metrics, "commits_total") > PARTITIONS, "the next owner")
            zombie.send_signal(signal.SIGCONT)
            end = time.monotonic() + 10
            while time.monotonic() < end and "fenced" not in self.log(10**9):
                time.sleep(0.1)
            time.sleep(2)
            rows = production.stop()
        for process in (zombie, owner):
            process.terminate()
            self.assertEqual(process.wait(90), 128 + signal.SIGTERM, self.log())
        self.run_rest("woken", state, *more)
        self.check_predictions("woken-scores", rows)
        self.assertIn("fenced", self.log(10**9))  # it tried
        self.check_models(state, rows)

    def test_nothing_is_lost_or_doubled_by_kills_and_rebalances(self):
        chance = random.Random(SEED)
        rows = {p: [] for p in range(PARTITIONS)}
        supply = {p: iter(rows_of(2100 * ROUNDS + 200, 10 + p)) for p in rows}

        def send(count):
            for p, own in rows.items():
                more = [next(supply[p]) for _ in range(count)]
                self.produce("kills", p, [(f"{p}-{len(own) + i}", as_json(row)) for i, row in enumerate(more)])
                own.extend(more)

        send(150)
        more = ["--predictions", "kafka:///kills-scores", "--sample", 100, "--commit-every", 20]
        state = self.work / "state"
        self.run_to_end("kills", state, *more)
        running = []
        counts = {"process": 0, "pause": 0, "broker": 0, "term": 0}
        for _ in range(ROUNDS):
            running = [process for process in running if process.poll() is None]
            while len(running) < 2:
                running.append(self.start("kills", state, *more, "--snapshot-every", chance.choice([40, NEVER])))
            time.sleep(chance.uniform(0.2, 4))
            send(chance.choice([50, 2000]))
            time.sleep(chance.uniform(0, 0.3))  # not enough to take 2000
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
                # Between transactions: a broker that is killed within the end of one may never end it in
                # __consumer_offsets (Kafka 4.3.1, single node), so that the partition cannot go on.
                total = sum(map(len, rows.values()))
                self.wait_for(lambda: len(self.consume("kills-scores")) >= total, "all predictions", 90)
                time.sleep(1)
                self.broker.kill()
                time.sleep(chance.uniform(0, 2))
                self.broker.start()
        for process in running:
            if process.poll() is None:
                process.terminate()
        for process in running:
            process.wait(90)
        self.run_rest("kills", state, *more)
        print(f"{ROUNDS} rounds: {counts}; {sum(map(len, rows.values()))} rows, {self.replayed()} messages repeated",
              flush=True)
        self.check_predictions("kills-scores", rows)
        self.check_models(state, rows)


if __name__ == "__main__":
    engine.main()

"""One model per key: run --key, predict and inspect."""

import csv
import io
import json
import math
import random
import signal
import sqlite3
import subprocess

from support import PLUMBLINE, InFolder, environment, main, run, wait_until


def keyed_rows(keys=12, count=1500, seed=1, kinds=True):
    """Rows of shops whose labels follow a common rule and the shop's own; with a category, missing numbers and times."""
    random_numbers = random.Random(seed)
    own = [(random_numbers.gauss(0, 1), random_numbers.gauss(0, 1)) for _ in range(keys)]
    rows = []
    for i in range(count):
        k = int(keys * random_numbers.random() ** 2)
        a, b = random_numbers.gauss(0, 1), random_numbers.gauss(0, 1)
        kind = random_numbers.choice("uvwxyz"[:2 + k % 5])
        z = own[k][0] + a + own[k][1] * b + (kind == "v")
        label = int(random_numbers.random() < 1 / (1 + math.exp(-z)))
        number = "" if random_numbers.random() < 0.05 else f"{b:.4f}"
        day = f"2024-03-{1 + i % 28:02}T{random_numbers.randrange(24):02}:00:00"
        rows.append([f"{a:.4f}", number, kind, day, f"shop {k}", label] if kinds
                    else [f"{a:.4f}", f"{b:.4f}", f"shop {k}", label])
    header = ["a", "b", "kind", "at", "shop", "label"] if kinds else ["a", "b", "shop", "label"]
    return header, rows


def as_csv(header, rows):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


class Keyed(InFolder):
    def predictions(self, *arguments, file):
        out = self.folder / "p.csv"
        self.ok("run", file, "--key", "shop", "--predictions", out, "--progress", "none", *arguments)
        with open(out) as opened:
            return list(csv.DictReader(opened))

    def stream(self, **options):
        return self.write("s.csv", as_csv(*keyed_rows(**options)))

    def test_results_do_not_depend_on_the_cache(self):
        # 1 MiB holds some 400 states; each of these keys comes about twice.
        file = self.write("s.csv", as_csv(*keyed_rows(keys=3000, count=6000)))
        whole = self.predictions("--save", self.folder / "a", file=file)
        small = self.predictions("--save", self.folder / "b", "--key-cache", 1, "--save-every", 700, file=file)
        self.assertEqual(whole, small)
        shown = [json.loads(self.ok("inspect", self.folder / name, "--json").stdout) for name in "ab"]
        self.assertEqual(shown[0], shown[1])

    def test_a_key_is_as_alone(self):
        """Each key's probabilities are those of `run` on its rows only, with the columns of the whole file."""
        header, rows = keyed_rows(kinds=False)
        file = self.write("s.csv", as_csv(header, rows))
        for parent in ("off", "fast"):
            store = self.folder / f"{parent}.keyed"
            together = self.predictions("--key-parent", parent, "--save", store, file=file)
            for key in ("shop 0", "shop 5", "shop 11"):
                places = [i for i, row in enumerate(rows) if row[2] == key]
                mine = self.write("alone.csv", as_csv(
                    ["a", "b", "parent", "label"] if parent != "off" else ["a", "b", "label"],
                    [rows[i][:2] + ([together[i]["parent"]] if parent != "off" else []) + rows[i][3:]
                     for i in places]))
                scores = ["--scores", "parent"] if parent != "off" else []
                out = self.folder / "alone_p.csv"
                self.ok("run", mine, "--preset", "small", *scores, "--predictions", out,
                        "--numeric", "a", "b", "--progress", "none")
                with open(out) as opened:
                    alone = [row["probability"] for row in csv.DictReader(opened)]
                self.assertEqual(alone, [together[i]["probability"] for i in places])

    def test_a_new_key_begins_with_the_parent(self):
        predictions = self.predictions(file=self.stream())
        seen = set()
        for row in predictions:
            if row["key"] not in seen:
                # Equal but for the rounding of the log-odds.
                self.assertAlmostEqual(float(row["probability"]), float(row["parent"]), delta=1e-9)
            seen.add(row["key"])
        self.assertEqual(len(seen), 12)
        self.assertNotEqual(predictions[-1]["probability"], predictions[-1]["parent"])

    def test_resumes_exactly(self):
        file = self.stream()
        whole = self.predictions("--save", self.folder / "whole", file=file)
        first = self.predictions("--save", self.folder / "parts", "--limit", 777, file=file)
        again = ("--load", self.folder / "parts", "--save", self.folder / "parts")
        rest = self.predictions(*again, "--resume", file=file)
        self.assertEqual(whole, first + rest)
        done = run("run", file, "--key", "shop", *again)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--resume continues", done.stderr)
        shown = [json.loads(self.ok("inspect", self.folder / name, "--json").stdout) for name in ("whole", "parts")]
        self.assertEqual(shown[0], shown[1])

    def test_a_killed_run_continues_from_its_last_save(self):
        file = self.stream(keys=300, count=6000)
        whole = self.predictions("--save", self.folder / "whole", file=file)
        store = self.folder / "killed"
        kills, random_numbers = 0, random.Random(1)
        for attempt in range(40):
            begin = ["--load", store, "--resume"] if store.exists() else []
            process = subprocess.Popen(
                [PLUMBLINE, "run", file, "--key", "shop", "--key-cache", "1", *begin, "--save", store,
                 "--save-every", "500", "--progress", "none"],
                env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            try:
                _, errors = process.communicate(timeout=random_numbers.uniform(0.05, 0.6))
                self.assertEqual(process.returncode, 0, errors)
                break
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills += 1
        else:
            self.ok("run", file, "--key", "shop", "--load", store, "--resume", "--save", store)
        self.assertGreater(kills, 0)
        shown = [json.loads(self.ok("inspect", self.folder / name, "--json").stdout) for name in ("whole", "killed")]
        self.assertEqual(shown[0], shown[1])
        for key in ("shop 0", "shop 7", "shop 250"):
            models = [self.ok("inspect", self.folder / name, "--json", "--key", key).stdout
                      for name in ("whole", "killed")]
            self.assertEqual(models[0], models[1])
        self.assertEqual(len(whole), 6000)

    def test_an_idle_key_is_forgotten(self):
        header, rows = keyed_rows(keys=3, count=400, kinds=False)
        rows = [row for row in rows if row[2] != "shop 2"]
        visitor = ["0.5", "0.5", "visitor", 1]
        rows = [visitor] * 5 + rows[:100] + [visitor] + rows[100:300]
        file = self.write("s.csv", as_csv(header, rows))
        kept = self.predictions("--key-parent", "off", file=file)
        results = []
        for extra in ([], ["--save-every", 10]):
            store = self.folder / f"s{len(results)}"
            gone = self.predictions("--key-parent", "off", "--key-ttl", 100, "--save", store, *extra, file=file)
            results.append(gone)
            shown = json.loads(self.ok("inspect", store, "--json").stdout)["keys"]
            self.assertEqual((shown["keys"], shown["expired"]), (2, 2))
        self.assertEqual(results[0], results[1])
        # It begins anew: as the first row of all.
        self.assertEqual(results[0][105]["probability"], results[0][0]["probability"])
        self.assertNotEqual(kept[105]["probability"], kept[0]["probability"])

    def test_the_log_of_a_store_that_is_gone_does_not_get_into_a_new_one(self):
        file = self.stream()
        store = self.folder / "s.keyed"
        self.predictions("--save", store, file=file)
        process = subprocess.Popen(
            [PLUMBLINE, "run", "-", "--key", "shop", "--load", store, "--save", store, "--save-every", "100",
             "--progress", "none"], env=environment(), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        header, rows = keyed_rows(count=1000, seed=2)
        process.stdin.write(as_csv(header, rows).encode())
        process.stdin.flush()
        log = self.folder / "s.keyed-wal"
        self.assertTrue(wait_until(lambda: log.exists() and log.stat().st_size > 0))
        process.kill()
        process.communicate()
        store.unlink()
        self.assertTrue(log.exists())
        self.predictions("--save", store, file=file)
        self.predictions("--save", self.folder / "other", file=file)
        shown = [json.loads(self.ok("inspect", self.folder / name, "--json").stdout) for name in ("s.keyed", "other")]
        self.assertEqual(shown[0], shown[1])

    def test_predict_changes_nothing_and_knows_unknown_keys(self):
        file = self.stream()
        store = self.folder / "s.keyed"
        self.predictions("--save", store, file=file)
        before = store.read_bytes()
        header, rows = keyed_rows(count=3)
        rows[1][4] = "nobody"
        done = self.ok("predict", self.write("n.csv", as_csv(header, rows)), "--model", store)
        lines = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual([line["key"] for line in lines], [row[4] for row in rows])
        self.assertAlmostEqual(float(lines[1]["probability"]), float(lines[1]["parent"]), delta=1e-9)
        self.assertIn("1 rows have a key without a model", done.stderr)
        self.assertEqual(store.read_bytes(), before)

    def test_worst_keys_and_totals(self):
        file = self.stream(keys=30)
        store = self.folder / "s.keyed"
        predictions = self.predictions("--save", store, file=file)
        losses, rows = {}, {}
        for row in predictions:
            p = float(row["probability"])
            loss = -math.log(p if row["label"] == "1" else 1 - p)
            losses[row["key"]] = losses.get(row["key"], 0) + loss
            rows[row["key"]] = rows.get(row["key"], 0) + 1
        shown = json.loads(self.ok("inspect", store, "--json").stdout)["keys"]
        self.assertEqual(shown["keys"], len(losses))
        expected = sorted(losses, key=losses.get, reverse=True)[:10]
        self.assertEqual([of["key"] for of in shown["worst"]], expected)
        for of in shown["worst"]:
            self.assertEqual(of["rows"], rows[of["key"]])
            self.assertAlmostEqual(of["log_loss"], losses[of["key"]] / rows[of["key"]], delta=1e-12)

    def test_a_new_state_of_20_features_is_below_4_kib(self):
        numbers = random.Random(1)
        rows = [[f"{numbers.random():.3f}" for _ in range(20)] + [f"k{i % 7}", i % 2] for i in range(200)]
        file = self.write("w.csv", as_csv([f"x{j}" for j in range(20)] + ["shop", "label"], rows))
        result = json.loads(self.ok("run", file, "--key", "shop", "--json", "--progress", "none").stdout)
        self.assertLess(result["keys"]["fresh_bytes"], 4096)

    def test_mistakes_have_helpful_messages(self):
        file = self.stream()
        store = self.folder / "s.keyed"
        self.predictions("--save", store, file=file)
        before = store.read_bytes()
        for arguments, message in (
            (("run", file, "--key", "shpo"), "shop"),
            (("run", file, "--key", "label"), "the label 'label' cannot be the key"),
            (("run", file, "--key", "shop", "--batch", "10"), "each row is learned by itself"),
            (("run", file, "--key", "shop", "--label-delay", "10"), "label_delay is not supported"),
            (("run", file, "--key", "shop", "--save", store), "exists already"),
            (("run", file, "--key", "shop", "--load", store), "add --save"),
            (("run", file, "--key", "shop", "--report", "r.html"), "--report cannot be used with --key"),
            (("inspect", store, "--key", "nobody"), "it has no model of 'nobody'"),
            (("predict", file, "--model", file), "s.csv"),
        ):
            done = run(*arguments)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertIn(message, done.stderr)
        self.assertEqual(store.read_bytes(), before)

    def test_a_row_without_a_key_is_bad(self):
        header, rows = keyed_rows(count=50, kinds=False)
        rows[20][2] = ""
        file = self.write("s.csv", as_csv(header, rows))
        done = run("run", file, "--key", "shop")
        self.assertIn("s.csv, line 22, column 3: the key is missing in 'shop'", done.stderr)
        self.assertEqual(done.returncode, 3)
        skipped = self.predictions("--on-bad-row", "skip", file=file)
        self.assertEqual(len(skipped), 49)

    def test_a_damaged_state_is_refused(self):
        file = self.stream(keys=2)
        store = self.folder / "s.keyed"
        self.predictions("--save", store, file=file)
        with sqlite3.connect(store) as database:
            state = bytearray(database.execute("SELECT state FROM models WHERE key = 'shop 1'").fetchone()[0])
            state[100] ^= 1
            database.execute("UPDATE models SET state = ? WHERE key = 'shop 1'", (bytes(state),))
        database.close()
        done = run("inspect", store, "--key", "shop 1")
        self.assertIn("the model of 'shop 1' is damaged", done.stderr)
        self.ok("inspect", store, "--key", "shop 0")

    def test_two_processes_cannot_learn_into_one_store(self):
        file = self.stream(keys=2)
        store = self.folder / "s.keyed"
        self.predictions("--save", store, file=file)
        other = sqlite3.connect(store, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        done = run("run", file, "--key", "shop", "--load", store, "--save", store, "--resume")
        other.close()
        self.assertIn("another process is learning into it", done.stderr)


if __name__ == "__main__":
    main()

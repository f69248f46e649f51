"""`plumbline run` and `plumbline predict` as a user meets them."""

import csv
import gzip
import io
import json
import math
import os
import re
import select
import signal
import subprocess
import threading

from support import PLUMBLINE, InFolder, environment, main, run, wait_until, is_waiting


def table_of(text):
    return list(csv.DictReader(io.StringIO(text)))


class Run(InFolder):
    def setUp(self):
        super().setUp()
        self.stream = self.generate("sea.csv", "sea", "-n", 3000)

    def json_of(self, *arguments, **options):
        done = self.ok("run", *arguments, "--json", "--progress", "none", **options)
        return json.loads(done.stdout)

    def test_the_default_is_better_than_the_share_of_positives_and_than_the_paper(self):
        result = self.json_of("sea.csv")
        self.assertLess(result["log_loss"], result["base_rate"]["log_loss"])
        self.assertLess(result["log_loss"], self.json_of("sea.csv", "--preset", "paper")["log_loss"])

    def test_works_with_no_further_option(self):
        done = self.ok("run", "sea.csv")
        self.assertIn("3,000 examples in 3,000 minibatches of 1", done.stdout)
        for word in ["log-loss", "Brier", "ECE", "accuracy", "actions", "time"]:
            self.assertIn(word, done.stdout)

    def test_json_is_one_object_with_every_figure(self):
        result = self.json_of("sea.csv", "--seed", 7)
        for key in ["examples", "batches", "log_loss", "brier", "ece", "accuracy", "actions",
                    "seconds", "examples_per_second", "seed", "config"]:
            self.assertIn(key, result)
        self.assertEqual(result["examples"], 3000)
        self.assertEqual(result["batches"], 3000)
        self.assertEqual(sum(result["actions"].values()), 3000)
        self.assertEqual(result["seed"], 7)
        self.assertEqual(result["config"]["policy"]["name"], "always")
        self.assertEqual(result["actions"]["both"], 2999)  # the first minibatch always trains

    def test_figures_are_those_of_the_predictions(self):
        result = self.json_of("sea.csv", "--predictions", "p.csv")
        rows = table_of((self.folder / "p.csv").read_text())
        self.assertEqual([int(row["row"]) for row in rows], list(range(1, 3001)))
        labels = [line.rsplit(",", 1)[1] for line in self.stream.read_text().splitlines()[1:]]
        self.assertEqual([row["label"] for row in rows], labels)
        loss = brier = right = 0
        for row in rows:
            p, y = float(row["probability"]), int(row["label"])
            loss -= math.log(min(max(p if y else 1 - p, 1e-15), 1))
            brier += (y - p) ** 2
            right += (p > 0.5) == bool(y)
        # The same sums in another order; the probabilities are written with all their digits.
        self.assertAlmostEqual(result["log_loss"], loss / 3000, places=10)
        self.assertAlmostEqual(result["brier"], brier / 3000, places=10)
        self.assertAlmostEqual(result["accuracy"], right / 3000, places=10)

    def test_the_same_from_a_file_a_pipe_and_a_fifo_plain_and_packed(self):
        def figures(result):
            return {key: result[key] for key in ("examples", "log_loss", "brier", "ece", "actions")}

        expected = figures(self.json_of("sea.csv"))
        data = self.stream.read_bytes()
        for command in (["gzip", "-kf"], ["zstd", "-qkf"]):
            if subprocess.run(["which", command[0]], capture_output=True).returncode != 0:
                continue
            subprocess.run([*command, str(self.stream)], check=True)
        for packed in ["sea.csv.gz", "sea.csv.zst"]:
            if (self.folder / packed).exists():
                self.assertEqual(figures(self.json_of(packed)), expected, packed)
        done = run("run", "-", "--json", "--progress", "none", input=data, text=False)
        self.assertEqual(figures(json.loads(done.stdout)), expected)
        os.mkfifo(self.folder / "fifo")
        writer = threading.Thread(target=lambda: (self.folder / "fifo").write_bytes(data))
        writer.start()
        self.assertEqual(figures(self.json_of("fifo")), expected)
        writer.join()

    def test_the_same_from_every_format(self):
        rows = [line.split(",") for line in self.stream.read_text().splitlines()]
        names, rows = rows[0], rows[1:]
        self.write("x.tsv", "\n".join("\t".join(row) for row in [names, *rows]))
        self.write("x.csv", "\r\n".join(";".join(f'"{v}"' for v in row) for row in [names, *rows]))
        self.write("bare.csv", "\n".join(",".join(row) for row in rows))
        self.write("x.arff", "% a comment\n@RELATION 'sea stream'\n"
                   + "".join(f"@attribute {name} real\n" for name in names[:-1])
                   + "@attribute class {0,1}\n@data\n" + "\n".join(",".join(row) for row in rows))
        self.write("sparse.arff", "@relation sea\n"
                   + "".join(f"@attribute {name} real\n" for name in names[:-1])
                   + "@attribute class {0,1}\n@data\n"
                   + "\n".join("{" + ",".join(f"{i} {v}" for i, v in enumerate(row)) + "}"
                               for row in rows))
        self.write("x.svm", "\n".join(
            row[-1] + "".join(f" {i}:{v}" for i, v in enumerate(row[:-1], 1)) for row in rows))
        self.write("x.vw", "\n".join(
            f"{'1' if row[-1] == '1' else '-1'} |f " + " ".join(
                f"x{i}:{v}" for i, v in enumerate(row[:-1])) for row in rows))
        # Naive Bayes: rows that name their features are not standardised.
        def loss(name):
            return self.json_of(name, "--preset", "paper")["log_loss"]

        expected = loss("sea.csv")
        for name in ["x.tsv", "x.csv", "bare.csv", "x.arff", "sparse.arff", "x.svm", "x.vw"]:
            self.assertEqual(loss(name), expected, name)
        # The content decides, whatever the file is called.
        (self.folder / "x.arff").rename(self.folder / "y.csv")
        self.assertEqual(loss("y.csv"), expected)

    def test_stops_and_goes_on_exactly(self):
        for learner in ["gaussian_nb", "logistic"]:
            options = ["--learner", learner, "--policy", "thompson", "--seed", 3]
            self.json_of("sea.csv", *options, "--save", "whole", "--predictions", "whole.csv")
            self.json_of("sea.csv", *options, "--limit", 1250, "--save", "half",
                         "--predictions", "p1.csv")
            self.json_of("sea.csv", "--load", "half", "--skip", 1250, "--save", "half",
                         "--predictions", "p2.csv")
            self.assertEqual((self.folder / "whole").read_bytes(),
                             (self.folder / "half").read_bytes())
            whole = (self.folder / "whole.csv").read_text().splitlines()
            pieces = (self.folder / "p1.csv").read_text().splitlines() + (
                self.folder / "p2.csv").read_text().splitlines()[1:]
            self.assertEqual(whole, pieces)

    def test_the_seed_decides(self):
        losses = {self.json_of("sea.csv", "--preset", "paper", "--seed", seed)["log_loss"]
                  for seed in (1, 1, 2)}
        self.assertEqual(len(losses), 2)

    def test_options_reach_the_components(self):
        config = self.json_of(
            "sea.csv", "--learner", "logistic:penalty=l1,alpha=0.01", "--learners", 25, "--score",
            "logistic", "--calibrator", "platt", "--policy", "fixed:every=4", "--reward",
            "log_loss:on=same_batch", "--batch", 100, "--set", "ensemble.resample=false", "--set",
            "policy.every=6", "--set", "encoder.standardize=false", "--actions", "train,calibrate",
        )["config"]
        self.assertEqual(config["learner"]["penalty"], "l1")
        self.assertEqual(config["learner"]["alpha"], 0.01)
        self.assertEqual(config["ensemble"]["size"], 25)
        self.assertEqual(config["ensemble"]["score"], "logistic")
        self.assertEqual(config["ensemble"]["resample"], "false")
        self.assertEqual(config["policy"], {"name": "fixed", "every": 6, "from": 1})
        self.assertEqual(config["batch"], 100)
        self.assertEqual(config["encoder"]["standardize"], "false")

    def test_a_configuration_file_is_the_same_as_its_options(self):
        options = ["--learner", "logistic:alpha=0.01", "--policy", "thompson", "--batch", 20]
        self.write("c.toml", self.ok("config", *options).stdout)
        self.assertEqual(self.json_of("sea.csv", "--config", "c.toml")["log_loss"],
                         self.json_of("sea.csv", *options)["log_loss"])
        # What the command line says counts more.
        self.assertEqual(self.json_of("sea.csv", "--config", "c.toml", "--batch", 30)["config"]["batch"], 30)

    def test_a_learner_by_name_is_alone_unless_companions_are_named(self):
        def companions(*options):
            return [c["name"] for c in self.json_of("sea.csv", *options)["config"]["companions"]]
        of_auto = ["logistic_adaptive"] * 3 + ["logistic_bins", "forest", "neighbors", "label_history"]
        self.assertEqual(companions(), of_auto)
        self.assertEqual(companions("--learner", "perceptron"), [])
        self.assertEqual(companions("--set", "learner=perceptron"), [])
        self.assertEqual(companions("--set", "learner.relative_floor=0.1"), of_auto)
        self.assertEqual(companions("--set", "companions="), [])
        self.assertEqual(companions("--learner", "perceptron", "--companions",
                                    "logistic:penalty=l1,alpha=0.1,gaussian_nb"),
                         ["logistic", "gaussian_nb"])
        # A sample of what all of them say reaches the calibrator: the result is another one.
        self.assertNotEqual(self.json_of("sea.csv")["log_loss"],
                            self.json_of("sea.csv", "--set", "companions=")["log_loss"])

    def test_the_table_has_exponentially_spaced_rows(self):
        done = self.ok("run", "sea.csv", "--progress", "table")
        counts = [int(line.split()[0]) for line in done.stderr.splitlines()
                  if re.match(r"\s+\d+ ", line)]
        self.assertEqual(counts, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3000])
        self.assertEqual(self.ok("run", "sea.csv", "--progress", "none").stderr, "")

    def test_bad_rows_are_skipped_and_counted_when_asked(self):
        text = self.stream.read_text().splitlines()
        text[100] = "oops," + text[100]
        text[200] = "x,y,z,0"
        self.write("bad.csv", "\n".join(text))
        done = run("run", "bad.csv", "--on-bad-row", "skip", "--json", cwd=self.folder)
        self.assertEqual(done.returncode, 0)
        result = json.loads(done.stdout)
        self.assertEqual(result["examples"], 2998)
        self.assertEqual(result["bad_rows"], 2)
        self.assertIn("bad.csv, line 101", done.stderr)
        self.assertIn("bad.csv, line 201, column 1", done.stderr)
        self.assertIn("2 skipped", self.ok("run", "bad.csv", "--on-bad-row", "skip").stdout)

    def test_categories_and_missing_values(self):
        rows = ["colour,size,y"]
        for i in range(2000):
            y = i * 7919 % 2
            colour = ["red", "blue"][y] if i % 10 else "green"
            rows.append(f"{colour},{'' if i % 5 == 0 else i % 13},{['no', 'yes'][y]}")
        self.write("c.csv", "\n".join(rows))
        done = run("run", "c.csv", "--json", "--learner", "logistic", "--save", "m", cwd=self.folder)
        self.assertIn("categorical columns, with their values so far: colour (3)", done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(result["features"], 5)  # three colours, the size, and whether it is missing
        self.assertLess(result["log_loss"], 0.3)
        self.assertEqual(result["label"]["positive"], "yes")
        predicted = table_of(run("predict", "-", "--model", "m", cwd=self.folder,
                                 input="size,colour\n,red\n3,blue\n,purple\n").stdout)
        self.assertLess(float(predicted[0]["probability"]), 0.2)
        self.assertGreater(float(predicted[1]["probability"]), 0.8)

    def test_the_report_is_one_file_that_needs_nothing_else(self):
        for policy in ["ucb1", "always_train"]:
            self.ok("run", "sea.csv", "--policy", policy, "--report", "r.html")
            html = (self.folder / "r.html").read_text()
            self.assertTrue(html.startswith("<!DOCTYPE html>"))
            for part in ["Learning curve", "Reliability", "Histogram", "Actions", "<svg"]:
                self.assertIn(part, html)
            self.assertNotRegex(html, r"(src|href)=\"(http|//)")
            self.assertNotRegex(html, r"\bnan\b|\binf\b")
        self.assertNotIn("estimates", html)

    def test_ctrl_c_finishes_the_minibatch_saves_and_says_how_to_go_on(self):
        source = subprocess.Popen([PLUMBLINE, "generate", "sea", "-n", "1000000000"],
                                  stdout=subprocess.PIPE)
        self.addCleanup(source.kill)
        process = subprocess.Popen(
            [PLUMBLINE, "run", "-", "--save", "m", "--json", "--progress", "table"],
            stdin=source.stdout, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        source.stdout.close()
        while not re.match(rb" *[0-9]", process.stderr.readline()):  # the first row of the table: it learns
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        result = json.loads(out)
        self.assertTrue(result["interrupted"])
        self.assertEqual(result["examples"] % 10, 0)
        self.assertIn(f"--load m --skip {result['examples']} --save m", err.decode())
        self.assertEqual(json.loads(self.ok("inspect", "m", "--json").stdout)["examples"],
                         result["examples"])

    def test_ctrl_c_reaches_a_run_that_waits_for_its_pipe(self):
        process = subprocess.Popen([PLUMBLINE, "run", "-", "--save", "m"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        process.stdin.write(self.stream.read_bytes())
        process.stdin.flush()
        self.assertTrue(wait_until(lambda: is_waiting(process)))
        process.send_signal(signal.SIGINT)
        # The standard input stays open: nothing but the signal ends it.
        process.wait(timeout=30)
        self.assertEqual(process.returncode, 130)
        self.assertGreater(json.loads(self.ok("inspect", "m", "--json").stdout)["examples"], 0)
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()

    def interrupted(self, *arguments, data, **options):
        """Runs with an input that stays open, interrupts it, and gives its exit code and output."""
        process = subprocess.Popen([PLUMBLINE, "run", *map(str, arguments)], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder,
                                   **options)
        process.stdin.write(data)
        process.stdin.flush()
        self.assertTrue(wait_until(lambda: is_waiting(process)))
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)
        out, err = process.stdout.read(), process.stderr.read()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()
        return process.returncode, out.decode(), err.decode()

    def test_ctrl_c_in_the_middle_of_a_row_or_of_packed_data_is_no_bad_row(self):
        data = self.stream.read_bytes()
        packed = gzip.compress(data * 1)
        for what in (data[:-5], packed[:-2000], b"", data[:20000]):
            code, out, err = self.interrupted("-", "--json", "--progress", "none", data=what)
            self.assertEqual(code, 130, err)
            self.assertNotIn("fields", err)
            self.assertNotIn("truncated", err)
            if what:
                result = json.loads(out)
                self.assertTrue(result["interrupted"])
                self.assertGreater(result["examples"], 0)

    def test_ctrl_c_before_the_sample_is_full_learns_what_there_is(self):
        rows = self.stream.read_bytes().splitlines(keepends=True)[:901]
        code, out, _ = self.interrupted("-", "--json", "--save", "m", data=b"".join(rows))
        self.assertEqual(code, 130)
        self.assertEqual(json.loads(out)["examples"], 900)

    def test_ctrl_c_reaches_a_fifo_that_nobody_writes_to(self):
        os.mkfifo(self.folder / "fifo")
        code, _, err = self.interrupted("fifo", data=b"")
        self.assertEqual(code, 130, err)

    def test_threads_change_nothing(self):
        subprocess.run(["gzip", "-kf", str(self.stream)], check=True)
        for threads in (1, 2, 0):
            self.ok("run", "sea.csv.gz", "--threads", threads, "--save", f"m{threads}")
        models = {(self.folder / f"m{threads}").read_bytes() for threads in (1, 2, 0)}
        self.assertEqual(len(models), 1)

    def test_reading_ahead_changes_nothing_about_bad_rows_and_late_categories(self):
        rows = []
        for i in range(2000):
            colour = ["red", "green", "blue", "grey"][i % (2 if i < 1300 else 4)]
            number = {1500: "1e200", 1520: "inf", 1540: "red", 1600: "NA", 1601: '"1,234.5"', 1602: " +7 "}
            rows.append(f"{number.get(i, i % 37 / 8)},{colour},{int(i % 5 > 1)}\n")
        rows[1560] = "1,2\n"  # too short
        rows[1580] = "1,red,maybe\n"
        rows[1590] = "1,7,1\n"  # a number among words
        self.write("late.csv", "number,colour,label\n" + "".join(rows))
        for choice, code in (("stop", 3), ("skip", 0)):
            seen = set()
            for threads in (1, 2):
                done = run("run", "late.csv", "--on-bad-row", choice, "--threads", threads, "--save", "m",
                           "--predictions", "p.csv", "--progress", "none", cwd=self.folder)
                self.assertEqual(done.returncode, code, done.stderr)
                stderr = done.stderr.replace(f"--threads {threads}", "")  # in the command that goes on
                seen.add((stderr, (self.folder / "m").read_bytes(), (self.folder / "p.csv").read_bytes()))
            self.assertEqual(len(seen), 1, [stderr for stderr, _, _ in seen])
            stderr, model, predictions = seen.pop()
            self.assertIn("line 1502, column 1: '1e200'", stderr)
            self.assertIn(b"colour=grey", model)
            # A run ends with the last whole minibatch before the bad row.
            self.assertEqual(predictions.count(b"\n"), 1501 if choice == "stop" else 1995)

    def test_a_closed_pipe_and_a_full_disk_lose_no_model(self):
        big = self.generate("big.csv", "sea", "-n", 40000)
        command = (f"'{PLUMBLINE}' run '{big}' --preset fast --predictions - --save m --progress none"
                   " | head -n 3 | wc -l")
        done = subprocess.run(["bash", "-c", command], capture_output=True, cwd=self.folder,
                              timeout=60, env=environment())
        self.assertEqual(done.stdout.strip(), b"3")
        seen = json.loads(self.ok("inspect", "m", "--json").stdout)["examples"]
        self.assertGreater(seen, 0)
        self.assertEqual(seen % 10, 0)
        before = (self.folder / "m").read_bytes()
        done = run("run", big, "--predictions", "/dev/full", "--load", "m", "--save", "m2",
                   cwd=self.folder)
        self.assertEqual(done.returncode, 5)
        self.assertIn("No space left", done.stderr)
        self.assertEqual((self.folder / "m").read_bytes(), before)
        self.ok("inspect", "m2")

    def test_a_failed_save_leaves_the_old_model(self):
        self.ok("run", "sea.csv", "--save", "m")
        before = (self.folder / "m").read_bytes()
        script = f"ulimit -f 8; '{PLUMBLINE}' run sea.csv --load m --save m --progress none"
        done = subprocess.run(["bash", "-c", script], capture_output=True, cwd=self.folder,
                              env=environment(), timeout=60)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual((self.folder / "m").read_bytes(), before)


class Predict(InFolder):
    def setUp(self):
        super().setUp()
        self.stream = self.generate("sea.csv", "sea", "-n", 2000)
        self.ok("run", "sea.csv", "--save", "m", "--progress", "none")
        lines = self.stream.read_text().splitlines()
        self.write("bare.csv", "\n".join(line.rsplit(",", 1)[0] for line in lines))

    def test_a_row_in_gives_a_row_out(self):
        labelled = table_of(self.ok("predict", "sea.csv", "--model", "m").stdout)
        bare = table_of(self.ok("predict", "bare.csv", "--model", "m").stdout)
        self.assertEqual(len(labelled), 2000)
        for with_label, without in zip(labelled, bare):
            self.assertIn(with_label["label"], "01")
            self.assertEqual(without["label"], "")
            self.assertEqual(with_label["probability"], without["probability"])
            self.assertTrue(0 <= float(without["probability"]) <= 1)

    def test_one_row_is_enough(self):
        done = run("predict", "-", "--model", "m", "--no-names", cwd=self.folder, input="1,2,3\n")
        self.assertRegex(done.stdout, r"^1,,[0-9.e-]+,[0-9.e-]+\n$")

    def test_unbuffered_answers_each_row_at_once(self):
        process = subprocess.Popen([PLUMBLINE, "predict", "-", "--model", "m", "--unbuffered"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=self.folder)
        lines = (self.folder / "bare.csv").read_text().splitlines()
        process.stdin.write((lines[0] + "\n").encode())
        for number, line in enumerate(lines[1:20], 1):
            process.stdin.write((line + "\n").encode())
            process.stdin.flush()
            if number == 1:
                self.assertTrue(select.select([process.stdout], [], [], 20)[0])
                self.assertEqual(process.stdout.readline(), b"row,label,score,probability\n")
            self.assertTrue(process.stdout.readline().startswith(f"{number},".encode()))
        process.stdin.close()
        self.assertEqual(process.stdout.read(), b"")
        self.assertEqual(process.wait(timeout=20), 0)
        process.stdout.close()

    def test_bad_rows_stop_it_after_the_good_ones_or_are_skipped(self):
        self.write("bad.csv", "x1,x2,x3\n1,2,3\n4,5,6\nx,8,9\n1,1,1\n")
        done = run("predict", "bad.csv", "--model", "m", cwd=self.folder)
        self.assertEqual(done.returncode, 3)
        self.assertEqual([row["row"] for row in table_of(done.stdout)], ["1", "2"])
        self.assertIn("line 4, column 1", done.stderr)
        done = self.ok("predict", "bad.csv", "--model", "m", "--on-bad-row", "skip")
        self.assertEqual([row["row"] for row in table_of(done.stdout)], ["1", "2", "4"])
        self.assertIn("1 bad rows were skipped", done.stderr)

    def test_a_closed_pipe_ends_it_quietly(self):
        command = f"'{PLUMBLINE}' generate sea -n 100000000 | '{PLUMBLINE}' predict - --model m | head -n 2"
        done = subprocess.run(["bash", "-c", command], capture_output=True, cwd=self.folder,
                              timeout=60, env=environment())
        self.assertEqual(len(done.stdout.splitlines()), 2)
        self.assertEqual(done.stderr, b"")


if __name__ == "__main__":
    main()

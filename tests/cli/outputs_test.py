"""Nothing lost at the edges: outputs and messages that cannot be written, files named twice, signals,
limits of the system, and the command that goes on."""

import csv
import gzip
import io
import json
import os
import re
import resource
import shlex
import signal
import stat
import subprocess
import sys
import threading
import time

from support import PLUMBLINE, InFolder, environment, main, run, wait_until, is_waiting


def start(*arguments, **options):
    """plumbline in the background, with pipes."""
    options.setdefault("stdin", subprocess.PIPE)
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen([PLUMBLINE, *map(str, arguments)], env=environment(), **options)


class Edge(InFolder):
    def setUp(self):
        super().setUp()
        self.generate("sea.csv", "sea", "-n", 3000)
        self.ok("run", "sea.csv", "--limit", 1000, "--save", "old", "--progress", "none")

    def read(self, name):
        return (self.folder / name).read_bytes()

    def examples(self, model):
        return json.loads(self.ok("inspect", model, "--json").stdout)["examples"]

    def rows(self, name):
        return list(csv.DictReader(io.StringIO(self.read(name).decode())))

    def shell(self, command, **options):
        return subprocess.run(["bash", "-c", command.replace("plumbline ", f"'{PLUMBLINE}' ")],
                              cwd=self.folder, env=environment(), capture_output=True, text=True,
                              timeout=120, stdin=subprocess.DEVNULL, **options)


class Messages(Edge):
    def test_a_run_whose_messages_cannot_be_written_is_whole(self):
        self.ok("run", "sea.csv", "--save", "wanted")
        for where in ("2>/dev/full", "2>&-", "2> >(exec head -c 1 >/dev/null)"):
            with self.subTest(where):
                done = self.shell(f"plumbline run sea.csv --save m --report r.html {where}")
                self.assertEqual(done.returncode, 0)
                self.assertIn("log-loss", done.stdout)
                self.assertEqual(self.read("m"), self.read("wanted"))
                self.assertIn(b"</html>", self.read("r.html"))

    def test_exit_codes_do_not_depend_on_standard_error(self):
        self.write("bad.csv", self.read("sea.csv") + b"oops,1,1,1\n")
        for command, code in {"run no-such-file": 5, "run sea.csv --nonsense": 2, "run bad.csv": 3,
                              "inspect sea.csv": 4, "predict sea.csv -m old --prior estimate -o q": 0,
                              "compare sea.csv --policy always ucb1": 0, "": 2, "help nonsense": 2,
                              "run sea.csv --on-bad-row skip": 0}.items():
            for where in ("2>/dev/full", "2>&-"):
                with self.subTest(command, where=where):
                    self.assertEqual(self.shell(f"plumbline {command} {where}").returncode, code)

    def test_a_reader_of_messages_that_goes_away_costs_nothing(self):
        process = start("run", "-", "--save", "m", "--progress", "table", cwd=self.folder)
        half = self.read("sea.csv").splitlines(keepends=True)[:1501]
        process.stdin.write(b"".join(half))
        process.stdin.flush()
        process.stderr.readline()
        process.stderr.close()
        process.stdin.write(self.read("sea.csv")[len(b"".join(half)):])
        process.stdin.close()
        out = process.stdout.read()
        process.stdout.close()
        process.wait(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertIn(b"log-loss", out)
        self.assertEqual(self.examples("m"), 3000)

    def test_a_full_pipe_of_messages_is_waited_for_and_an_interrupt_ends_the_wait(self):
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        while True:  # fills it
            try:
                os.write(writing, b"x" * 4096)
            except BlockingIOError:
                break
        process = start("run", "-", "--sample", 10, "--save", "m", cwd=self.folder, stderr=writing)
        os.close(writing)
        process.stdin.write(b"\n".join(self.read("sea.csv").splitlines()[:1001]) + b"\n")
        process.stdin.flush()
        self.assertTrue(wait_until(lambda: is_waiting(process)))
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
        os.close(reading)
        process.stdin.close()
        process.stdout.close()
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)

    def test_closed_standard_streams_give_their_numbers_to_no_file(self):
        bad = self.read("sea.csv") + b"oops,1,1,1\n"
        self.write("bad.csv", bad)
        done = self.shell("plumbline run bad.csv --predictions p.csv --save m >&- 2>&-")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(len(self.rows("p.csv")), 3000)
        self.assertNotIn(b"plumbline", self.read("p.csv"))
        self.assertEqual(self.shell("plumbline run - <&-").returncode, 5)
        self.assertEqual(self.shell("plumbline predict sea.csv -m old >&-").returncode, 5)

    def test_help_and_version_that_cannot_be_written_are_errors(self):
        for command in ("--help", "--version", "run --help", "help run", "config"):
            self.assertEqual(self.shell(f"plumbline {command} >/dev/full").returncode, 5, command)


class Outputs(Edge):
    def test_no_output_replaces_the_model_that_is_loaded(self):
        before = self.read("old")
        os.link(self.folder / "old", self.folder / "hard")
        os.symlink("old", self.folder / "soft")
        for option in ("--predictions", "--report"):
            for name in ("old", "./old", "hard", "soft"):
                done = run("run", "sea.csv", "--load", "old", option, name, cwd=self.folder)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(f"--load and {option} are the same file", done.stderr)
                self.assertEqual(self.read("old"), before)
        self.ok("run", "sea.csv", "--load", "old", "--save", "old")  # this is what --save is for

    def test_standard_streams_are_files_too(self):
        before = self.read("sea.csv")
        for command in ("run - --predictions sea.csv <sea.csv", "run - --save sea.csv <sea.csv",
                        "predict - -m old -o sea.csv <sea.csv", "predict sea.csv -m old >>sea.csv",
                        "run sea.csv --predictions - >>sea.csv", "run - --report sea.csv <sea.csv"):
            with self.subTest(command):
                done = self.shell(f"plumbline {command}")
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("are the same file", done.stderr)
                self.assertEqual(self.read("sea.csv"), before)

    def test_a_run_that_learned_nothing_leaves_the_model_as_it_was(self):
        before = self.read("old")
        done = run("run", "sea.csv", "--skip", 99999, "--save", "old", cwd=self.folder)
        self.assertEqual(done.returncode, 3)
        self.assertIn("there is no row to learn from", done.stderr)
        self.assertEqual(self.read("old"), before)

    def test_an_interrupt_before_the_first_minibatch_leaves_the_model_and_says_so(self):
        before = self.read("old")
        process = start("run", "-", "--batch", 2000, "--sample", 10, "--save", "old", "--predictions", "p",
                        cwd=self.folder)
        process.stdin.write(b"\n".join(self.read("sea.csv").splitlines()[:1001]) + b"\n")
        process.stdin.flush()
        self.assertTrue(wait_until(lambda: (self.folder / "p").exists()))
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
        err = process.stderr.read().decode()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted before a minibatch was complete; nothing was learned", err)
        self.assertIn("'old' is unchanged", err)
        self.assertEqual(self.read("old"), before)

    def test_after_a_bad_row_the_predictions_of_all_rows_before_it_are_there(self):
        self.write("bad.csv", self.read("sea.csv") + b"oops,1,1,1\n")
        done = run("run", "bad.csv", "--save", "m", "--predictions", "p.csv", cwd=self.folder)
        self.assertEqual(done.returncode, 3)
        self.assertIn("stopped after 3000 rows", done.stderr)
        self.assertEqual([row["row"] for row in self.rows("p.csv")], [str(i) for i in range(1, 3001)])
        piped = run("run", "bad.csv", "--predictions", "-", cwd=self.folder)
        self.assertEqual(piped.stdout.encode(), self.read("p.csv"))
        # The same for `predict`, whose rows come in larger lots, and which a pipe may keep waiting.
        done = run("predict", "bad.csv", "-m", "old", "-o", "q.csv", cwd=self.folder)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(len(self.rows("q.csv")), 3000)

    def test_predictions_are_not_lost_when_predict_is_interrupted(self):
        process = start("predict", "-", "-m", "old", "-o", "q.csv", cwd=self.folder)
        process.stdin.write(self.read("sea.csv"))
        process.stdin.flush()
        self.assertTrue(wait_until(lambda: is_waiting(process)))
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()
        self.assertEqual(process.returncode, 143)
        self.assertEqual(len(self.rows("q.csv")), 3000)

    def test_a_failing_output_costs_no_other(self):
        os.mkdir(self.folder / "no")
        outputs = {"--save": "m", "--report": "r.html", "--predictions": "p.csv"}
        for failing in outputs:
            with self.subTest(failing):
                for name in outputs.values():
                    (self.folder / name).unlink(missing_ok=True)
                # The folder is writable when the run begins, and gone when it ends.
                paths = {**outputs, failing: f"no/{failing}"}
                if failing == "--predictions":
                    paths[failing] = "/dev/full"
                arguments = [word for pair in paths.items() for word in pair]
                process = start("run", "-", "--sample", 100, *arguments, "--progress", "none",
                                cwd=self.folder)
                process.stdin.write(b"\n".join(self.read("sea.csv").splitlines()[:1000]) + b"\n")
                process.stdin.flush()
                if failing != "--predictions":
                    self.assertTrue(wait_until(lambda: (self.folder / "p.csv").exists()))
                    os.rename(self.folder / "no", self.folder / "away")
                out, err = process.communicate(b"", timeout=60)
                if failing != "--predictions":
                    os.rename(self.folder / "away", self.folder / "no")
                self.assertEqual(process.returncode, 5)
                self.assertIn("cannot write", err.decode())
                self.assertIn("log-loss", out.decode())
                if failing != "--save":
                    self.assertEqual(self.examples("m"), 999)
                if failing != "--report":
                    self.assertIn(b"</html>", self.read("r.html"))
                if failing != "--predictions":
                    self.assertEqual(len(self.rows("p.csv")), 999)

    def test_predictions_that_can_no_longer_be_written_stop_the_run_and_say_how_many_there_are(self):
        done = run("run", "sea.csv", "--predictions", "/dev/full", "--save", "m", cwd=self.folder)
        self.assertEqual(done.returncode, 5)
        self.assertIn("cannot write to '/dev/full': No space left on device; 0 lines were written", done.stderr)
        learned = int(re.search(r"stopped after (\d+) rows", done.stderr).group(1))
        self.assertLess(learned, 3000)
        self.assertEqual(self.examples("m"), learned)

    def test_a_bad_row_is_told_also_when_saving_fails(self):
        os.mkdir(self.folder / "no")
        process = start("run", "-", "--save", "no/m", "--predictions", "p.csv", "--progress", "none",
                        cwd=self.folder)
        process.stdin.write(self.read("sea.csv") + b"oops,1,1,1\n")
        self.assertTrue(wait_until(lambda: (self.folder / "p.csv").exists()))
        os.rename(self.folder / "no", self.folder / "away")
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3)
        self.assertIn("'oops' in 'x1' is not a number", err.decode())
        self.assertIn("cannot write 'no/m'", err.decode())
        self.assertNotIn("the model is saved", err.decode())
        self.assertEqual(len(self.rows("p.csv")), 3000)

    def test_a_model_is_saved_now_and_then(self):
        process = start("run", "-", "--save", "m", "--save-every", 500, "--predictions", "p.csv",
                        cwd=self.folder)
        process.stdin.write(b"\n".join(self.read("sea.csv").splitlines()[:1200]) + b"\n")
        process.stdin.flush()
        process.stdin.write(b"\n".join(self.read("sea.csv").splitlines()[1200:1500]) + b"\n")
        process.stdin.flush()
        self.assertTrue(wait_until(lambda: (self.folder / "m").exists()))
        self.assertTrue(wait_until(lambda: self.examples("m") >= 1000))
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()
        self.assertGreaterEqual(len(self.rows("p.csv")), self.examples("m"))
        self.ok("run", "sea.csv", "--limit", 1000, "--save", "wanted")
        self.assertEqual(self.read("m"), self.read("wanted"))

    def test_a_dangling_symbolic_link_is_written_through(self):
        os.symlink("target", self.folder / "link")
        self.ok("run", "sea.csv", "--save", "link")
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual(self.examples("target"), 3000)


class Signals(Edge):
    def test_a_closed_terminal_saves_as_an_interrupt_does(self):
        source = subprocess.Popen([PLUMBLINE, "generate", "sea", "-n", "1000000000"],
                                  stdout=subprocess.PIPE)
        self.addCleanup(source.wait)
        self.addCleanup(source.kill)
        process = start("run", "-", "--save", "m", "--progress", "table", stdin=source.stdout,
                        cwd=self.folder)
        source.stdout.close()
        for _ in range(9):
            process.stderr.readline()
        process.send_signal(signal.SIGHUP)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGHUP)
        self.assertIn("the model is saved", err.decode())
        self.assertGreater(self.examples("m"), 0)

    def test_nohup_keeps_a_run_going(self):
        process = start("run", "-", "--save", "m", "--predictions", "p.csv", cwd=self.folder,
                        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.stdin.write(self.read("sea.csv"))
        self.assertTrue(wait_until(lambda: (self.folder / "p.csv").exists()))
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(self.examples("m"), 3000)

    def test_skipping_beyond_damaged_data_ends(self):
        packed = gzip.compress(self.read("sea.csv") * 3)
        self.write("cut.csv.gz", packed[:len(packed) // 2])
        for verb in (["run"], ["predict", "-m", "old"]):
            for threads in (["--threads", 1], ["--threads", 2]) if verb == ["run"] else ([],):
                done = run(*verb, "cut.csv.gz", "--skip", 10**12, *threads, cwd=self.folder)
                self.assertEqual(done.returncode, 3)
                self.assertIn("the gzip data is truncated", done.stderr)

    def interrupted_at(self, moment, *arguments):
        """Interrupts a run with rows from a file when so many rows have been learned."""
        process = start("run", *arguments, "--progress", "table", cwd=self.folder,
                        stdin=subprocess.DEVNULL)
        lines = []
        for line in process.stderr:
            lines.append(line.decode())
            if line.split()[:1] and line.split()[0].isdigit() and int(line.split()[0]) >= moment:
                process.send_signal(signal.SIGINT)
                break
        out, err = process.communicate(timeout=60)
        return process.returncode, out.decode(), "".join(lines) + err.decode()

    def test_the_command_that_goes_on_is_a_command(self):
        folder = self.folder / "sp ace's"
        folder.mkdir()
        data = self.generate("long.csv", "waveform", "-n", 40000).read_text().replace(",", ";")
        text = data.splitlines()
        text[33000] = "oops" + text[33000]
        (folder / "b d.csv").write_text("\n".join(text) + "\n")
        options = ["--delimiter", ";", "--on-bad-row", "skip", "--format", "csv", "--header", "--ignore",
                   "x3,x4", "--limit", 39000, "--cost-fp", 2, "--label", -1, "--learners", 20, "--batch", 50,
                   "--seed", 3]
        whole = ["--predictions", "whole.csv", "--save", "whole"]
        self.ok("run", folder / "b d.csv", *options, *whole, "--progress", "none")
        parts = ["--predictions", folder / "p $x.csv", "--save", folder / "m m"]
        code, _, err = self.interrupted_at(1000, folder / "b d.csv", *options, *parts)
        if code == 0:
            self.skipTest("the run was over before the signal")
        self.assertEqual(code, 130)
        command = re.search("go on with: (.*)\n", err).group(1)
        self.assertNotIn("--learners", command)
        for word in ("--delimiter", "--on-bad-row", "--format", "--header", "--ignore", "--append"):
            self.assertIn(word, shlex.split(command))
        done = subprocess.run(command, shell=True, cwd=self.folder, env=environment(),
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, command + done.stderr)
        self.assertEqual((folder / "m m").read_bytes(), self.read("whole"))
        self.assertEqual((folder / "p $x.csv").read_bytes(), self.read("whole.csv"))

    def test_a_signal_after_the_last_row_is_none(self):
        """The run is held at its very end by an output that is full, and interrupted there."""
        reading, writing = os.pipe()
        process = start("run", "sea.csv", "--save", "m", "--predictions", "-", "--progress", "none",
                        "--threads", 1, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=writing)
        os.close(writing)
        # More than a pipe holds is written, so that it waits in the last write before the end.
        taken = 0
        size = len(run("run", "sea.csv", "--predictions", "-", "--progress", "none",
                       cwd=self.folder).stdout.encode())
        while taken < size - 100000:
            taken += len(os.read(reading, min(4096, size - 100000 - taken)))
        self.assertTrue(wait_until(lambda: is_waiting(process)))
        process.send_signal(signal.SIGINT)
        while True:
            part = os.read(reading, 65536)
            if not part:
                break
            taken += len(part)
        err = process.stderr.read().decode()
        process.wait(timeout=60)
        process.stderr.close()
        os.close(reading)
        if "interrupted after" in err:  # it was in the last write but one
            self.assertIn("--skip", err)
            command = re.search("go on with: (.*)\n", err).group(1)
            done = subprocess.run(command, shell=True, cwd=self.folder, env=environment(),
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, command + done.stderr)
        else:
            self.assertEqual(process.returncode, 0)
            self.assertEqual(taken, size)
        self.assertEqual(self.examples("m"), 3000)


class System(Edge):
    def limited(self, limit, value, *arguments, **options):
        def set_limit():
            resource.setrlimit(limit, (value, value))
            if os.getuid() == 0 and limit == resource.RLIMIT_NPROC:
                os.setgid(65534)
                os.setuid(65534)  # the limit does not hold for root
        os.chmod(self.folder, 0o777)
        return run(*arguments, cwd=self.folder, preexec_fn=set_limit, **options)

    def test_threads_that_cannot_be_started_are_done_without(self):
        wanted = self.ok("run", "sea.csv", "--json", "--progress", "none").stdout
        done = self.limited(resource.RLIMIT_NPROC, 0, "run", "sea.csv", "--json", "--progress", "none",
                            "--threads", 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["log_loss"], json.loads(wanted)["log_loss"])
        done = self.limited(resource.RLIMIT_NPROC, 0, "compare", "sea.csv", "--runs", 2, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_memory_that_cannot_be_had_is_said_so(self):
        done = self.limited(resource.RLIMIT_AS, 400 << 20, "inspect", "/dev/zero")
        self.assertEqual(done.returncode, 5)
        self.assertIn("there is not enough memory", done.stderr)

    def test_time_grows_linearly_with_the_number_of_columns(self):
        def seconds(columns):
            names = ",".join(f"c{i}" for i in range(columns))
            rows = "\n".join(",".join(str((i * 7 + r) % 10) for i in range(columns)) + f",{r % 2}"
                             for r in range(3))
            self.write("wide.csv", f"{names},y\n{rows}\n")
            self.ok("run", "wide.csv", "--save", "wide", "--progress", "none")
            self.ok("predict", "wide.csv", "-m", "wide", "-o", "q")
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            self.ok("run", "wide.csv", "--save", "wide", "--progress", "none")
            self.ok("predict", "wide.csv", "-m", "wide", "-o", "q")
            return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        few, many = min(seconds(5000) for _ in range(3)), min(seconds(40000) for _ in range(2))
        # Eight times as many columns: 8 if linear, 64 if quadratic.
        self.assertLess(many / few, 24)

    def test_non_blocking_standard_streams_are_waited_for(self):
        data = self.read("sea.csv")
        wanted = self.ok("run", "sea.csv", "--predictions", "-", "--progress", "none").stdout.encode()
        in_read, in_write = os.pipe()
        out_read, out_write = os.pipe()
        os.set_blocking(in_read, False)
        os.set_blocking(out_write, False)
        process = start("run", "-", "--predictions", "-", "--progress", "none", cwd=self.folder,
                        stdin=in_read, stdout=out_write)
        os.close(in_read)
        os.close(out_write)

        def feed():
            for at in range(0, len(data), 20000):
                os.write(in_write, data[at:at + 20000])
                time.sleep(0.02)
            os.close(in_write)
        feeder = threading.Thread(target=feed)
        feeder.start()
        time.sleep(0.2)
        out = b""
        while part := os.read(out_read, 10000):
            out += part
        feeder.join()
        os.close(out_read)
        process.wait(timeout=60)
        process.stderr.close()
        self.assertEqual(process.returncode, 0)
        self.assertEqual(out, wanted)

    def test_a_key_of_very_many_parts_is_refused(self):
        for parts in (30000, 1000000):
            self.write("c.toml", ".".join(["a"] * parts) + " = 1\n")
            done = run("run", "sea.csv", "--config", "c.toml", cwd=self.folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"c.toml, line 1: the key has {parts} parts", done.stderr)
        self.write("c.toml", "batch = 20 # " + "." * 1000 + "\n")
        self.ok("run", "sea.csv", "--config", "c.toml")


class Later(InFolder):
    """Classes that are first seen after the columns of the predictions were named."""

    def rows(self, name):
        return list(csv.DictReader(io.StringIO((self.folder / name).read_text())))

    def setUp(self):
        super().setUp()
        rows = [f"{i % 7},{'ab'[i % 2]}" for i in range(1200)]
        rows += [f"{i % 7},{'ab*d'[i % 4]}" for i in range(600)]
        self.write("late.csv", "x,y\n" + "\n".join(rows) + "\n")

    def test_their_column_has_a_name_that_no_class_has_and_is_told_of_once(self):
        done = self.ok("run", "late.csv", "--multiclass", "ovr", "--predictions", "p.csv", "--save", "m")
        rows = self.rows("p.csv")
        self.assertEqual(list(rows[0]), ["row", "label", "predicted", "probability=a", "probability=b",
                                         "total_of_later_classes"])
        for row in rows:
            total = sum(float(row[name]) for name in list(row)[3:])
            self.assertAlmostEqual(total, 1, places=9)
        self.assertEqual(float(rows[1199]["total_of_later_classes"]), 0)
        self.assertGreater(float(rows[-1]["total_of_later_classes"]), 0.2)
        self.assertEqual(done.stderr.count("total_of_later_classes"), 1)
        self.assertIn("the class '*' first occurred after the columns of 'p.csv' were written", done.stderr)
        # A model that knows them gives each its own column.
        predicted = self.ok("predict", "late.csv", "-m", "m").stdout
        self.assertIn("probability=*", predicted.splitlines()[0])
        self.assertNotIn("later", predicted.splitlines()[0])

    def test_the_long_layout_has_a_line_for_each_class(self):
        self.ok("run", "late.csv", "--multiclass", "ovr", "--predictions", "p.csv", "--layout", "long",
                "--save", "m")
        self.ok("run", "late.csv", "--multiclass", "ovr", "--predictions", "wide.csv")
        rows = self.rows("p.csv")
        wide = self.rows("wide.csv")
        self.assertEqual(list(rows[0]), ["row", "label", "class", "probability"])
        self.assertEqual([r["class"] for r in rows if r["row"] == "1"], ["a", "b"])
        self.assertEqual({r["class"] for r in rows if r["row"] == "1800"}, {"a", "b", "*", "d"})
        of_a = [r["probability"] for r in rows if r["class"] == "a"]
        self.assertEqual(of_a, [r["probability=a"] for r in wide])
        predicted = list(csv.DictReader(io.StringIO(
            self.ok("predict", "late.csv", "-m", "m", "--layout", "long").stdout)))
        self.assertEqual(len(predicted), 4 * 1800)

    def test_two_classes_in_the_long_layout(self):
        self.write("two.csv", "x,y\n" + "\n".join(f"{i % 5},{['no', 'yes'][i % 2]}" for i in range(400)) + "\n")
        self.ok("run", "two.csv", "--predictions", "p.csv", "--layout", "long")
        rows = self.rows("p.csv")
        self.assertEqual([(r["row"], r["label"], r["class"]) for r in rows[:4]],
                         [("1", "no", "no"), ("1", "no", "yes"), ("2", "yes", "no"), ("2", "yes", "yes")])
        for no, yes in zip(rows[::2], rows[1::2]):
            self.assertAlmostEqual(float(no["probability"]) + float(yes["probability"]), 1, places=12)

    def test_a_file_that_is_appended_to_keeps_its_columns(self):
        whole = ["--multiclass", "ovr", "--predictions", "whole.csv", "--save", "whole"]
        self.ok("run", "late.csv", *whole)
        self.ok("run", "late.csv", "--multiclass", "ovr", "--limit", 1500, "--predictions", "p.csv", "--save", "m")
        self.ok("run", "late.csv", "--load", "m", "--skip", 1500, "--predictions", "p.csv", "--append",
                "--save", "m")
        for part, wanted in (("p.csv", "whole.csv"), ("m", "whole")):
            self.assertEqual((self.folder / part).read_bytes(), (self.folder / wanted).read_bytes())
        for text, reason in ((b"row,label,predicted,probability=a\n1,a,a,1", "ends in the middle of a line"),
                             (b"row,label,score,probability\n", "it has other columns")):
            self.write("p.csv", text)
            done = run("run", "late.csv", "--load", "m", "--predictions", "p.csv", "--append", cwd=self.folder)
            self.assertEqual(done.returncode, 5)
            self.assertIn(reason, done.stderr)
            self.assertEqual((self.folder / "p.csv").read_bytes(), text)


class Labels(InFolder):
    def test_a_file_that_begins_with_ones_may_go_on_with_minus_ones(self):
        for negative in ("-1", "0"):
            rows = [f"1 1:{i % 5} 2:{i % 3}" for i in range(1500)]
            rows += [f"{negative} 1:{-(i % 5)} 2:{i % 3}" for i in range(500)]
            self.write("sorted.svm", "\n".join(rows) + "\n")
            self.ok("run", "sorted.svm", "--save", "whole")
            self.ok("run", "sorted.svm", "--limit", 1200, "--save", "part")
            self.ok("run", "sorted.svm", "--load", "part", "--skip", 1200, "--save", "part")
            self.assertEqual((self.folder / "part").read_bytes(), (self.folder / "whole").read_bytes())
            label = json.loads(self.ok("inspect", "whole", "--json").stdout)["label"]
            self.assertEqual(label["negative"], negative)
            other = "0" if negative == "-1" else "-1"
            self.write("other.svm", f"{other} 1:1\n")
            done = run("run", "other.svm", "--load", "whole", cwd=self.folder)
            self.assertEqual(done.returncode, 3)
            self.assertIn(f"neither '{negative}' nor '1'", done.stderr)


if __name__ == "__main__":
    main()

"""Kills, signals and failing calls of the system at many points: the model is always the old or the new
one, and what can be written is written. Called as TEST.py FAULTS_LIBRARY PATH_OF_PLUMBLINE.

PLUMBLINE_ROUNDS=200 does 200 kills and 200 signals; ./check does a few of each."""

import os
import random
import re
import signal
import subprocess
import sys
import time

from support import PLUMBLINE, InFolder, environment, main, run

FAULTS = os.path.abspath(sys.argv.pop())
ROUNDS = int(os.environ.get("PLUMBLINE_ROUNDS", "16"))
SEED = int(os.environ.get("PLUMBLINE_SEED", "1"))


def with_fault(fault, **changes):
    return environment(LD_PRELOAD=FAULTS, FAULT=fault, **changes)


class Faults(InFolder):
    def setUp(self):
        super().setUp()
        self.generate("a.csv", "waveform", "-n", 20000)
        self.generate("b.csv", "waveform", "-n", 20000, "--seed", 2)
        self.random = random.Random(SEED)
        self.ok("run", "a.csv", "--preset", "fast", "--limit", 5000, "--save", "first", "--progress", "none")
        started = time.monotonic()
        self.ok(*self.command("second"))
        self.seconds = time.monotonic() - started
        self.old, self.new = self.read("first"), self.read("second")

    def read(self, name):
        return (self.folder / name).read_bytes()

    def command(self, save):
        return ["run", "b.csv", "--load", "first", "--save", save, "--progress", "none"]

    def litter(self):
        return [name for name in os.listdir(self.folder) if name.endswith(".tmp")]

    def test_a_killed_run_leaves_the_old_model_or_the_new_one(self):
        ended = {"old": 0, "new": 0}
        for _ in range(ROUNDS):
            (self.folder / "m").write_bytes(self.old)
            # Most of them near the end, where the model is written.
            share = self.random.choice([self.random.random(), self.random.uniform(0.9, 1.1)])
            process = subprocess.Popen([PLUMBLINE, *self.command("m")], cwd=self.folder,
                                       env=environment(), stdout=subprocess.DEVNULL)
            time.sleep(share * self.seconds)
            process.kill()
            process.wait()
            content = self.read("m")
            self.assertIn(content, (self.old, self.new))
            ended["new" if content == self.new else "old"] += 1
            self.ok("inspect", "m")
        # What they left behind blocks no later run, and goes away with it.
        for name in self.litter():
            os.utime(self.folder / name, (0, 0))
        self.ok(*self.command("m"))
        self.assertEqual(self.read("m"), self.new)
        self.assertEqual(self.litter(), [])
        print(f"{ROUNDS} kills: {ended}", file=sys.stderr)

    def test_a_kill_at_any_call_of_saving_leaves_the_old_model_or_the_new_one(self):
        for fault, wanted in {"write:kill:1:/m.": self.old, "write:killed:1:/m.": self.old,
                              "fsync:kill:1:/m.": self.old, "fsync:killed:1:/m.": self.old,
                              "rename:kill:1:m": self.old, "rename:killed:1:m": self.new}.items():
            with self.subTest(fault):
                (self.folder / "m").write_bytes(self.old)
                done = run(*self.command("m"), cwd=self.folder, env=with_fault(fault))
                self.assertEqual(done.returncode, -signal.SIGKILL)
                self.assertEqual(self.read("m"), wanted)
                # Nothing that another process may still write is removed: these files are young.
                self.ok(*self.command("m"))
                self.assertEqual(self.read("m"), self.new)
                self.assertEqual(len(self.litter()), 0 if wanted == self.new else 1)
                for name in self.litter():
                    os.utime(self.folder / name, (0, 0))
                self.ok(*self.command("m"))
                self.assertEqual(self.litter(), [])

    def test_a_save_that_fails_leaves_the_old_model_and_costs_nothing_else(self):
        # The first close only looked, at the beginning, whether the file can be written.
        calls = [("write", 1, "/m."), ("fsync", 1, "/m."), ("rename", 1, "m"), ("close", 2, "/m.")]
        faults = [f"{call}:{error}:{nth}:{path}" for call, nth, path in calls
                  for error in ("ENOSPC", "EIO", "EDQUOT")]
        for fault in faults + ["write:zero:1:/m."]:
            with self.subTest(fault):
                (self.folder / "m").write_bytes(self.old)
                done = run(*self.command("m"), "--predictions", "p.csv", "--report", "r.html",
                           cwd=self.folder, env=with_fault(fault))
                self.assertEqual(done.returncode, 5, done.stderr)
                self.assertIn("cannot write 'm'", done.stderr)
                self.assertEqual(self.read("m"), self.old)
                self.assertEqual(self.litter(), [])
                self.assertEqual(self.read("p.csv").count(b"\n"), 20001)
                self.assertIn(b"</html>", self.read("r.html"))
                self.assertIn("log-loss", done.stdout)

    def test_calls_that_do_a_part_or_are_interrupted_are_repeated(self):
        for fault in ("write:short:0:/m.", "write:EINTR:0:/m.", "fsync:EINTR:0", "write:short:0:p.csv",
                      "write:EINTR:0:p.csv", "write:EINTR:0:pipe", "write:EAGAIN:0:pipe", "write:short:0:pipe"):
            with self.subTest(fault):
                (self.folder / "m").write_bytes(self.old)
                done = run(*self.command("m"), "--predictions", "p.csv", cwd=self.folder,
                           env=with_fault(fault))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.read("m"), self.new)
                self.assertEqual(self.read("p.csv").count(b"\n"), 20001)
                self.assertRegex(done.stdout, r"log-loss +0\.\d+(?s:.)*model +m\n")

    def test_a_file_of_predictions_never_ends_in_the_middle_of_a_line(self):
        whole = None
        for fault in ("", "write:ENOSPC:3:p.csv", "write:EIO:1:p.csv"):
            done = run(*self.command("m"), "--predictions", "p.csv", cwd=self.folder, env=with_fault(fault))
            text = self.read("p.csv")
            if not fault:
                whole = text
                continue
            self.assertEqual(done.returncode, 5)
            self.assertTrue(whole.startswith(text))
            self.assertTrue(text == b"" or text.endswith(b"\n"))
            self.assertIn(f"{text.count(bytes([10]))} lines were written", done.stderr)
            # The model is that of the rows that it says, and the rest can be learned.
            learned = int(re.search(r"stopped after (\d+) rows", done.stderr).group(1))
            self.ok("run", "b.csv", "--load", "m", "--save", "m", "--skip", learned, "--progress", "none")
            self.assertEqual(self.read("m"), self.new)

    def test_a_model_and_its_folder_are_synced_around_the_rename(self):
        log = self.folder / "log"
        self.ok(*self.command("m"), env=with_fault("", FAULT_LOG=str(log)))
        lines = log.read_text().splitlines()
        self.assertRegex(lines[0], r"^fsync .*/m\.[0-9a-f]{8}\.tmp$")
        self.assertRegex(lines[1], r"^rename .*m$")
        self.assertEqual(lines[2], f"fsync {os.path.realpath(self.folder)}")
        self.assertEqual(len(lines), 3)

    def test_signals_lose_nothing(self):
        self.ok("run", "b.csv", "--preset", "fast", "--save", "whole", "--predictions", "whole.csv", "--progress", "none")
        ended = {}
        for _ in range(ROUNDS):
            for name in ("m", "p.csv"):
                (self.folder / name).unlink(missing_ok=True)
            command = [PLUMBLINE, "run", "b.csv", "--preset", "fast", "--save", "m", "--predictions", "p.csv", "--progress", "none",
                       "--threads", str(self.random.choice([1, 2]))]
            signals = 0
            while True:
                process = subprocess.Popen(command, cwd=self.folder, env=environment(),
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                time.sleep(self.random.uniform(0.02, 1.1) * self.seconds)
                number = self.random.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
                if signals < 4:
                    process.send_signal(number)
                    signals += 1
                out, err = process.communicate(timeout=120)
                ended[process.returncode] = ended.get(process.returncode, 0) + 1
                if process.returncode == 0:
                    self.assertIn("log-loss", out)
                    break
                if process.returncode == -number:
                    continue  # before it could catch any
                self.assertEqual(process.returncode, 128 + number, err)
                if "nothing was learned" in err:
                    continue
                self.assertIn("log-loss", out)
                command = ["sh", "-c", "exec " + re.search("go on with: (.*)\n", err).group(1)]
            self.assertEqual(self.read("m"), self.read("whole"))
            self.assertEqual(self.read("p.csv"), self.read("whole.csv"))
        print(f"signals ended with {ended}", file=sys.stderr)


if __name__ == "__main__":
    main()

"""The live bar in a real terminal, through tmux. Skipped where there is no tmux."""

import os
import shutil
import subprocess
import time

from support import PLUMBLINE, InFolder, main, run


class Terminal(InFolder):
    def setUp(self):
        super().setUp()
        self.socket = f"plumbline-test-{os.getpid()}"
        self.addCleanup(self.tmux, "kill-server")

    def tmux(self, *arguments):
        done = subprocess.run(["tmux", "-L", self.socket, *arguments], capture_output=True, text=True,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "TMUX": ""})
        return done.stdout

    def screen(self):
        return self.tmux("capture-pane", "-p", "-t", "main").rstrip("\n")

    def start(self, command, width=100):
        self.tmux("new-session", "-d", "-s", "main", "-x", str(width), "-y", "20", "-c",
                  str(self.folder), "env", "LC_ALL=C.UTF-8", "PS1=$ ", "bash", "--norc")
        self.tmux("send-keys", "-t", "main", command, "Enter")

    def wait_for(self, wanted, seconds=60):
        for _ in range(int(seconds * 20)):
            text = self.screen()
            if wanted(text):
                return text
            time.sleep(0.05)
        self.fail(f"never seen; the screen was:\n{text}")

    def slow_stream(self):
        """Long enough to watch: many learners over many rows."""
        text = run("generate", "waveform", "-n", 60000).stdout
        self.write("w.csv", text)
        return f"'{PLUMBLINE}' run w.csv --learners 30 --seed 4"

    def test_the_bar_shows_share_rate_and_eta_and_goes_away(self):
        self.start(self.slow_stream())
        text = self.wait_for(lambda t: "ETA" in t and "█" in t)
        bar = next(line for line in text.splitlines() if "ETA" in line)
        for part in [" %", "examples", "/s", "log-loss", "█"]:
            self.assertIn(part, bar)
        # One line, redrawn in place.
        self.assertEqual(text.count("ETA"), 1)
        self.tmux("send-keys", "-t", "main", "C-c")
        text = self.wait_for(lambda t: "Brier score" in t)
        self.assertNotIn("ETA", text)
        self.assertIn("interrupted after", text)
        self.tmux("send-keys", "-t", "main", "echo code $?", "Enter")
        self.wait_for(lambda t: "code 130" in t)

    def test_it_fits_a_narrow_terminal(self):
        self.start(self.slow_stream(), width=40)
        self.wait_for(lambda t: " %  " in t)
        for _ in range(10):
            lines = [line for line in self.screen().splitlines() if "█" in line or " %  " in line]
            self.assertLessEqual(len(lines), 1)
            time.sleep(0.1)

    def test_a_pipe_without_known_length_has_no_eta(self):
        self.start(f"'{PLUMBLINE}' generate sea -n 100000000 | '{PLUMBLINE}' run -")
        text = self.wait_for(lambda t: "examples  " in t)
        self.assertNotIn("ETA", text)
        self.tmux("send-keys", "-t", "main", "C-c")
        self.wait_for(lambda t: "Brier score" in t)


if __name__ == "__main__":
    if shutil.which("tmux") is None:
        print("SKIPPED: there is no tmux")
        raise SystemExit(77)
    main()

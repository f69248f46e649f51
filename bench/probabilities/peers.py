"""The peers of run.py: what they are called, how they are installed and how they are run.

A peer reads the file of a stream, predicts each example before it learns from it, and writes K doubles per example, the
probabilities of the classes (MoaPeer.java, river_peer.py, vw_peer.py). MOA needs a JDK, all need Python's venv; what
cannot be had is named and left out.
"""

import dataclasses
import pathlib
import shutil
import subprocess
import sys

from process import measure
from support import say

HERE = pathlib.Path(__file__).resolve().parent
# Increase it if a driver changes so that its probabilities do: results of another revision are not used again.
REVISION = 1


@dataclasses.dataclass(frozen=True)
class Peer:
    name: str
    package: str  # in requirements.txt
    words: tuple  # arguments of the driver
    # Probabilities are taken to this power before calibration (not in the raw log-loss). MOA's SGBT learns with a
    # rate of 0.0125 but adds its trees without it when it predicts.
    power: float = 1.0


PEERS = [
    Peer("MOA NoChange", "capymoa", ("functions.NoChange",)),
    Peer("MOA HoeffdingTree", "capymoa", ("trees.HoeffdingTree",)),
    Peer("MOA OzaBoost", "capymoa", ("meta.OzaBoost",)),
    Peer("MOA LeveragingBag", "capymoa", ("meta.LeveragingBag",)),
    Peer("MOA ARF, 10 trees", "capymoa", ("meta.AdaptiveRandomForest -s 10",)),
    Peer("MOA ARF, 30 trees", "capymoa", ("meta.AdaptiveRandomForest -s 30",)),
    Peer("MOA SRP, 10 trees", "capymoa", ("meta.StreamingRandomPatches -s 10",)),
    Peer("MOA SGBT", "capymoa", ("meta.StreamingGradientBoostedTrees",), 0.0125),
    Peer("river ARF", "river", ("arf",)),
    Peer("river AMF", "river", ("amf",)),
    Peer("river HoeffdingAdaptiveTree", "river", ("hat",)),
    Peer("river logistic regression", "river", ("logistic",)),
    Peer("Vowpal Wabbit", "vowpalwabbit", ()),
    Peer("Vowpal Wabbit -l 2", "vowpalwabbit", ("-l", "2")),
]


def pinned():
    """The version of each package."""
    lines = (HERE / "requirements.txt").read_text().splitlines()
    return dict(line.split("==") for line in lines if "==" in line and not line.startswith("#"))


def version(peer):
    return f"{peer.package} {pinned()[peer.package]}, revision {REVISION}"


class Installed:
    """The packages in a folder, each installed when a peer needs it for the first time."""

    def __init__(self, folder):
        self.folder = folder
        self.python = folder / "venv" / "bin" / "python"
        self.known = {}

    def available(self, peer):
        if peer.package not in self.known:
            reason = self.install(peer.package)
            self.known[peer.package] = reason is None
            if reason:
                say(f"{peer.package} is left out: {reason}")
        return self.known[peer.package]

    def install(self, package):
        """Why it cannot be had, or None."""
        if package == "capymoa" and not (shutil.which("java") and shutil.which("javac")):
            return "MOA needs a JDK (java and javac)"
        pin = f"{package}=={pinned()[package]}"
        stamp = self.folder / "venv" / f"{pin}.installed"
        if not stamp.exists():
            say(f"installing {pin} …")
            if not self.python.exists():
                done = subprocess.run([sys.executable, "-m", "venv", self.folder / "venv"], capture_output=True, text=True)
                if done.returncode != 0:
                    return f"no venv can be made: {done.stderr or done.stdout}"
            install = [self.python, "-m", "pip", "install", "-q", "--disable-pip-version-check", pin]
            done = subprocess.run([*install, *(["--no-deps"] if package == "capymoa" else [])], capture_output=True, text=True)
            if done.returncode != 0:
                return f"pip cannot install it: {done.stderr}"
            stamp.touch()
        return self.compile() if package == "capymoa" else None

    def compile(self):
        found = list((self.folder / "venv").glob("lib/python*/site-packages/capymoa/jar/moa.jar"))
        if not found:
            return "its package has no moa.jar"
        self.jar = found[0]
        done = subprocess.run(["javac", "-cp", self.jar, "-d", self.folder, HERE / "MoaPeer.java"],
                              capture_output=True, text=True)
        return done.stderr if done.returncode != 0 else None

    def command(self, peer, task, classes, out, mib):
        if peer.package == "capymoa":
            # One thread for everything; a heap that grows only as far as it must; collections when it is full.
            java = ["java", "-XX:+UseSerialGC", "-XX:+DisableExplicitGC", "-Xms32m", f"-Xmx{int(mib)}m",
                    "-Djava.util.concurrent.ForkJoinPool.common.parallelism=0"]
            driver = [*java, "-cp", f"{self.jar}:{self.folder}", "MoaPeer"]
        else:
            driver = [self.python, "-B", HERE / ("river_peer.py" if peer.package == "river" else "vw_peer.py")]
        return [*driver, task, classes, out, *peer.words]

    def run(self, peer, task, classes, out, *, seconds, mib):
        """Writes the probabilities; the processor time of predicting and learning, and the peak memory in MiB."""
        new = out.with_suffix(".new")
        printed, _, peak = measure(self.command(peer, task, classes, new, mib), seconds=seconds, mib=mib)
        new.rename(out)
        return float(printed.splitlines()[-1]), peak

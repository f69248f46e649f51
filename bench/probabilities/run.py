"""Compares our probabilities with those of MOA, river and Vowpal Wabbit.

    run.py BUILD_DIR [--data DIR] [--streams NAME ...] [--csv FILE ...] [--peers NAME ...] [--preset NAME] [--batch N] [--seed N]
           [--rows N] [--generated N] [--seconds N] [--mib N] [--cache DIR] [--files DIR] [--cached] [--json]
           [-- OPTIONS ...]

BUILD_DIR is a release build with -DPLUMBLINE_BUILD_BENCH=ON. On the paper's ten data sets (`plumbline datasets task`),
twelve streams of `plumbline generate` and six of several classes, over the very same rows, every example is predicted
before it is learned from, once, by

  - MOA: NoChange, which repeats the last label; HoeffdingTree; OzaBoost, LeveragingBag and SRP of ten trees; ARF of 10
    and of 30; SGBT of 100;
  - river: ARF and AMF of ten trees, HoeffdingAdaptiveTree, logistic regression of standardized features;
  - Vowpal Wabbit's logistic regression, with its defaults and with `-l 2`;
  - `plumbline run` with the preset [auto], minibatches of one, and the OPTIONS.

With --csv the streams are these files instead: a header, features as numbers, and the label as the last column, 0 to
K - 1.

All else of the peers is as their authors set it. For each stream there is a table:

  - log-loss: the mean of -ln p(label), of what the learner says. Of the peers p is at least 1e-15, so that an answer of
    0 costs at most 34.5. A class that a peer has no vote for has p = 0; without any votes all are equally likely.
  - calibrated: the same after plumbline's calibrator `cascade`, which corrects each probability by the rows before it
    (calibrate.cpp). Several classes are calibrated one by one and divided by their sum. SGBT is calibrated as if it
    applied its learning rate when it predicts; its authors do not.
  - rows per cpu s: processor time of one thread. Of MOA and river it is that of predicting and learning alone, without
    reading and, for MOA, without compiling and collecting garbage. Of Vowpal Wabbit and plumbline it includes reading,
    of plumbline the whole process.
  - peak MiB: resident memory of the process, with Python's or Java's own.

The summary compares ours with the best peer of each stream. A peer that needs more than --seconds of processor time or
--mib of memory is ended, and the table says so.

Set-up: nothing but Python with venv and, for MOA, a JDK. The packages of requirements.txt are installed when they are
needed (CapyMOA, for its moa.jar, needs Python 3.11 or later); what cannot be had is named and left out.

Results are kept by stream, rows, learner and version in DIR/results.json of --cache, and rows and probabilities in
--files; both are BUILD_DIR/bench-probabilities by default. A run that is interrupted continues there. With --cached
only plumbline is run, and of the peers the table has what is kept.
"""

import argparse
import csv
import hashlib
import json
import math
import pathlib
import signal
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from cache import Cache
from peers import PEERS, Installed, version
from process import Stopped, measure
from scores import Calibration, accuracy, log_loss, read_probabilities
from streams import NAMES, Streams
from support import data_options, say
from tables import OURS, ratios, stream_table, summary


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--data", help="folder of the data sets; else where plumbline looks, or ../shared/data")
    parser.add_argument("--streams", nargs="+", metavar="NAME", choices=NAMES, help="only these")
    parser.add_argument("--csv", nargs="+", metavar="FILE", type=pathlib.Path, help="these files instead")
    parser.add_argument("--peers", nargs="*", metavar="NAME", help="only those whose name begins so")
    parser.add_argument("--preset", default="auto", help="of plumbline [auto]")
    parser.add_argument("--batch", type=int, default=1, help="rows of plumbline's minibatches [1]")
    parser.add_argument("--seed", type=int, default=1, help="of generated rows and of shuffles [1]")
    parser.add_argument("--rows", type=int, default=100000, help="rows of a stream at most [100000]")
    parser.add_argument("--generated", type=int, default=20000, help="rows of a generated stream [20000]")
    parser.add_argument("--seconds", type=float, default=3600, help="processor time of one run at most [3600]")
    parser.add_argument("--mib", type=float, default=4096, help="memory of one run at most [4096]")
    parser.add_argument("--cache", type=pathlib.Path, help="folder of the results")
    parser.add_argument("--files", type=pathlib.Path, help="folder of rows and probabilities")
    parser.add_argument("--cached", action="store_true", help="run plumbline only")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    own, options = sys.argv[1:], []
    if "--" in own:
        own, options = own[: own.index("--")], own[own.index("--") + 1 :]
    given = parser.parse_args(own)
    given.options = options
    given.build = given.build.resolve()
    folder = given.build / "bench-probabilities"
    given.cache, given.files = given.cache or folder, given.files or folder
    given.peers = [peer for peer in PEERS
                   if given.peers is None or any(peer.name.startswith(name) for name in given.peers)]
    return given


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


class Stream:
    """The rows of one stream, as everybody sees them."""

    def __init__(self, name, path):
        self.name, self.path, self.digest = name, path, digest(path)
        with open(path, newline="") as file:
            header, *rows = csv.reader(file)
        self.labels = [int(row[-1]) for row in rows]
        self.told = {"name": name, "rows": len(rows), "features": len(header) - 1, "classes": max(self.labels) + 1}


class Bench:
    def __init__(self, given):
        self.given = given
        self.plumbline = given.build / "plumbline"
        program = given.build / "bench" / "probabilities" / "calibrate"
        if not program.exists():
            raise SystemExit(f"{program} is missing: build with -DPLUMBLINE_BUILD_BENCH=ON")
        self.calibration = Calibration(program)
        self.cache = Cache(given.cache)
        self.installed = Installed(given.build / "bench-probabilities")
        self.installed.folder.mkdir(parents=True, exist_ok=True)
        self.streams = Streams(self.plumbline, data_options(given.data), given.files / "streams", seed=given.seed,
                               limit=given.rows, generated=given.generated)
        self.limits = {"seconds": given.seconds, "mib": given.mib}

    def ours(self, stream):
        options = ["--preset", self.given.preset, "--batch", self.given.batch, *self.given.options]
        key = " | ".join([stream.name, stream.digest, OURS, digest(self.plumbline), *map(str, options)])
        result = self.cache.get(key)
        if result is None:
            command = [self.plumbline, "run", stream.path, "--json", "--progress", "none", "--threads", 1, *options]
            try:
                # Ours has no limits.
                printed, seconds, mib = measure(command, seconds=math.inf, mib=math.inf)
            except Stopped as failure:
                raise SystemExit(str(failure))
            told = json.loads(printed)
            if told["examples"] != len(stream.labels):
                raise SystemExit(f"{stream.path}: plumbline has seen {told['examples']} of {len(stream.labels)} rows")
            result = {"raw": told["log_loss"], "accuracy": told["accuracy"], "seconds": seconds, "mib": mib}
            self.cache.put(key, result)
        return result

    def peer(self, peer, stream):
        """The result of a peer, kept or new; None if it cannot be had."""
        key = " | ".join([stream.name, stream.digest, peer.name, version(peer)])
        result = self.cache.get(key)
        # One that was ended has another try with wider limits.
        again = result and "stopped" in result and any(self.limits[name] > result[name] for name in self.limits)
        if (result is None or again) and not self.given.cached and self.installed.available(peer):
            result = self.run_peer(peer, stream)
            if result:
                self.cache.put(key, result)
        if result and "stopped" not in result and result.get("calibrator") != self.calibration.version:
            result = self.calibrated(peer, stream, result)
            self.cache.put(key, result)
        return result

    def answers(self, peer, stream):
        name = "-".join([stream.path.stem, stream.digest, peer.name.replace(",", "").replace(" ", "_")])
        path = self.given.files / "probabilities" / f"{name}.bin"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def run_peer(self, peer, stream):
        path, classes = self.answers(peer, stream), stream.told["classes"]
        try:
            seconds, mib = self.installed.run(peer, stream.path, classes, path, **self.limits)
        except Stopped as stopped:
            say(f"  {peer.name}: {stopped}")
            return {"stopped": str(stopped), **self.limits} if stopped.by_limit else None
        rows = read_probabilities(path, classes)
        return {"raw": log_loss(rows, stream.labels), "accuracy": accuracy(rows, stream.labels), "seconds": seconds,
                "mib": mib}

    def calibrated(self, peer, stream, result):
        """The result with its calibrated log-loss; as it is if the probabilities are not here any more."""
        path = self.answers(peer, stream)
        if not path.exists():
            say(f"  {peer.name}: calibrated by another version, since {path} is missing")
            return result
        rows = read_probabilities(path, stream.told["classes"])
        return result | {"calibrated": self.calibration.log_loss(rows, stream.labels, peer.power),
                         "calibrator": self.calibration.version}

    def measure(self, name, path):
        """A stream and its results by learner, ours first."""
        say(f"{name} …")
        stream = Stream(name, path)
        results = {f"{OURS} {' '.join([self.given.preset, *self.given.options])}": self.ours(stream)}
        for peer in self.given.peers:
            say(f"  {name}: {peer.name} …")
            result = self.peer(peer, stream)
            if result:
                results[peer.name] = result
        return stream.told, results


def main():
    # Ending this script also ends the running peer.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    given = arguments()
    bench = Bench(given)
    measured = []
    files = {path.stem: path for path in given.csv or []}
    for name in files or given.streams or NAMES:
        measured.append(bench.measure(name, files.get(name) or bench.streams.path(name)))
        if not given.json:
            print(stream_table(*measured[-1]), flush=True)
    if given.json:
        print(json.dumps([stream | {"results": results, "ratios": ratios(results)} for stream, results in measured],
                         indent=1))
    else:
        print(summary(measured))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Where `plumbline run` spends its time: the share of each part of a model, by stream.

    bench/profile/run.py [BUILD_DIR] [--data DIR] [--limit N] [--stream NAME ...] [-- OPTION ...]

BUILD_DIR is a release build [build/release]. Further options are those of `plumbline run`: `-- --preset fast` profiles
that preset instead of `auto`. The streams are those of bench/probabilities/run.py, with at most N rows [100000].

Linux's perf (Debian: linux-perf) samples the stack of the process 500 times per second of processor time. A sample
belongs to the first part in the table PARTS that has a function on the stack. The reader's thread counts as well. On a
busy machine the shares are good to 2 percentage points.
"""

import argparse
import collections
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "probabilities")]

from streams import NAMES, Streams  # noqa: E402
from support import REPOSITORY, data_options, output_of, say  # noqa: E402

# A part, and what the names of its functions contain.
PARTS = [
    ("forest: predict", ("Forest::margins",)),
    ("forest: learn", ("Forest::learn",)),
    ("neighbors: predict", ("Neighbors::margins",)),
    ("neighbors: learn", ("Neighbors::learn",)),
    ("linear models: predict", ("LogisticAdaptive::margins",)),
    ("linear models: learn", ("LogisticAdaptive::learn",)),
    ("logistic_bins: predict", ("LogisticBins::margin",)),
    ("logistic_bins: learn", ("LogisticBins::learn",)),
    ("label history", ("LabelHistory::",)),
    ("boosting: learn", ("OnlineBoost::train",)),
    ("boosting: predict", ("OnlineBoost::",)),
    ("calibrator: residual", ("Residual::",)),
    ("calibrator: shape", ("Spline", "Histogram::", "Isotonic::")),
    ("calibrator: Newton steps of the stack", ("OnlineNewton::",)),
    ("calibrator: rest", ("Cascade::", "Mixture::", "ScoreTable::")),
    ("coupling of classes", ("MulticlassModel::conclude",)),
    ("rest of the model", ("ScoreSources::", "BinaryModel::", "MulticlassModel::", "ClassModel::")),
    ("encoding", ("Encoder::", "RunningMoments::", "RowReader::", "RowBatch::")),
    ("reading", ("ReadAhead", "CsvReader::", "parse_number")),
    ("measurement", ("Recorder::",)),
]
STREAMS = ["electricity", "forest", "musk2", "random_rbf", "random_rbf, 5 classes"]
REST = "rest"


def arguments():
    given = sys.argv[1:]
    options = []
    if "--" in given:
        at = given.index("--")
        given, options = given[:at], given[at + 1:]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("build", type=pathlib.Path, nargs="?", default=REPOSITORY / "build" / "release")
    parser.add_argument("--data", help="folder of the data sets")
    parser.add_argument("--limit", type=int, default=100000, metavar="N", help="rows of a stream at most [100000]")
    parser.add_argument("--stream", nargs="+", metavar="NAME", choices=NAMES, default=STREAMS, help="these streams")
    result = parser.parse_args(given)
    result.options = options
    return result


def part_of(functions):
    return next((part for part, keys in PARTS if any(key in name for name in functions for key in keys)), REST)


def profile(plumbline, path, options):
    """The number of samples of each part."""
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder, "perf.data")
        output_of("perf", "record", "--quiet", "--event", "cpu-clock:u", "--freq", 500, "--call-graph", "dwarf,24576",
                  "--output", data, plumbline, "run", path, "--json", "--progress", "none", *options)
        text = output_of("perf", "script", "--input", data, "--fields", "ip,sym")
    samples = collections.Counter()
    for sample in text.split("\n\n"):
        # Each line is an address and a function.
        functions = [line.split(maxsplit=1)[1] for line in sample.splitlines() if len(line.split(maxsplit=1)) == 2]
        if functions:
            samples[part_of(functions)] += 1
    return samples


def main():
    given = arguments()
    if not shutil.which("perf"):
        raise SystemExit("perf is missing (Debian: linux-perf)")
    plumbline = given.build / "plumbline"
    streams = Streams(plumbline, data_options(given.data), given.build / "bench-data", seed=1, limit=given.limit,
                      generated=min(given.limit, 20000))
    profiles = {}
    for name in given.stream:
        say(f"{name} …")
        profiles[name] = profile(plumbline, streams.path(name), given.options)
    print("| % of the time | " + " | ".join(profiles) + " |")
    print("|---" * (len(profiles) + 1) + "|")
    for part in [*(part for part, _ in PARTS), REST]:
        shares = [100 * samples[part] / samples.total() for samples in profiles.values()]
        if any(share >= 0.05 for share in shares):
            print(f"| {part} | " + " | ".join(f"{share:.1f}" for share in shares) + " |")


if __name__ == "__main__":
    main()

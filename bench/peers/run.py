"""Compares speed and log-loss with river, scikit-learn, MOA and Vowpal Wabbit.

    run.py BUILD_DIR [--data DIR] [--datasets NAME ...] [--repeats N] [--json FILE] [--quick]

BUILD_DIR is a release build with -DPLUMBLINE_BUILD_BENCH=ON. `setup` beside this script installs the
peers below BUILD_DIR/bench-peers; one that cannot be had is named and left out. On electricity (8 numbers
a row) and forest (54) every example is predicted before it is learned from, once, by ensembles of ten:

  - river's AdaBoostClassifier of GaussianNB and of LogisticRegression, example by example;
  - the paper's OnlineBoost as a loop over scikit-learn's GaussianNB and SGDClassifier, example by example
    and in minibatches of 100 (sklearn_peer.py);
  - MOA's OzaBoost of NaiveBayes, example by example, after a pass that warms up (MoaPeer.java);
  - Vowpal Wabbit's `--boosting 10 --alg BBM`, from its text and from its cache file (vw_peer.py);
  - plumbline (plumbline_peer.cpp): OnlineBoost alone, which is what the peers do (preset `literal`, policy
    always_train), one example at a time and in minibatches of 100; `literal` with its calibrator and its
    policy; `fast`, in minibatches of 10; and "calibrated": OnlineBoost as in `fast`, without
    companions and with the plainest calibrator that remembers, platt_newton. That choice was made with
    these two streams at hand, the others were not.

Each measurement is a process of its own, all on the same core, one after the other in turns; the medians
of the rounds are told. "learn" is predicting and learning of the stream in memory, "predict" is predicting
alone with the final model. The speeds are of processor time, which other work on the machine disturbs
least; wall clock is in the JSON. Peak memory holds the stream, or its first rows, wherever it is in memory.

Only Vowpal Wabbit reads while it learns, so beside it stands `plumbline run --threads 1`, from the start
of the process to its end. It has a thread for parsing, which on one core would slow it down: it may use
all cores, and the smaller of wall clock and processor time counts.

Peers that are slow take the first rows only; then their log-loss is compared with ours over the same
rows, and our speed is still that of the whole stream. Log-loss is clipped at 1e-15. It is not
calibrated, except for `literal`, "calibrated" and `fast`. Peers and ours see the same rows; for linear learners all but
Vowpal Wabbit standardise them with running means before the clock runs. A goal is reached if the speed
is, at a loss that is no worse.

--quick takes the first 20,000 rows, fewer of them for slow peers, and one round: it shows that everything
runs, not how fast. The tasks are kept in BUILD_DIR/bench-peers.
"""

import argparse
import csv
import itertools
import json
import os
import pathlib
import platform
import re
import resource
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from support import data_options, machine, output_of, say
DATASETS = ["electricity", "forest"]
QUICK_ROWS = 20000

BOOST = ["--preset", "literal", "--policy", "always_train", "--learner"]
CALIBRATED = ["--preset", "fast", "--calibrator", "platt_newton", "--learner"]
OURS = {
    "gaussian_nb, each example": [*BOOST, "gaussian_nb", "--batch", 1],
    "gaussian_nb, minibatches": [*BOOST, "gaussian_nb", "--batch", 100],
    "logistic, each example": [*BOOST, "logistic", "--batch", 1],
    "logistic, minibatches": [*BOOST, "logistic", "--batch", 100],
    "literal, gaussian_nb": ["--preset", "literal", "--batch", 100],
    "literal, logistic": ["--preset", "literal", "--learner", "logistic", "--batch", 100],
    "gaussian_nb, calibrated": [*CALIBRATED, "gaussian_nb:relative_floor=0.01"],
    "logistic, calibrated": [*CALIBRATED, "logistic"],
    "fast": ["--preset", "fast"],
}
# Those that are compared with a peer of the same learner, by column; and those that are run from start to end.
COLUMNS = {"each example": "{}, each example", "minibatches": "{}, minibatches", "calibrated": "{}, calibrated",
           "fast": "fast"}
END_TO_END = [name for name in OURS if name.endswith((", minibatches", ", calibrated")) or name == "fast"]
VW = ["--boosting", 10, "--alg", "BBM", "--loss_function", "logistic"]


class Peer:
    """One row of the table: `goal` times its speed is wanted of ours with the same `learner`."""

    def __init__(self, name, learner, goal, rows=None, quick_rows=QUICK_ROWS):
        self.name, self.learner, self.goal = name, learner, goal
        self.rows, self.quick_rows = rows, quick_rows
        self.threads = name == "Vowpal Wabbit"

    def limit(self, rows, quick):
        """The number of rows that the peer takes."""
        return min(rows, (self.quick_rows if quick else self.rows) or rows)


PEERS = [
    Peer("river gaussian_nb", "gaussian_nb", 1000, 2000, 200),
    Peer("river logistic", "logistic", 1000, 20000, 2000),
    Peer("scikit-learn gaussian_nb, each example", "gaussian_nb", 3000, 1000, 200),
    Peer("scikit-learn logistic, each example", "logistic", 3000, 1000, 200),
    Peer("scikit-learn gaussian_nb, minibatches", "gaussian_nb", 50, 20000, 2000),
    Peer("scikit-learn logistic, minibatches", "logistic", 50, 20000, 2000),
    Peer("MOA gaussian_nb", "gaussian_nb", 10, 100000),
    Peer("Vowpal Wabbit", "logistic", 10),
]


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--data", help="folder of the data sets; else where plumbline looks, or ../shared/data")
    parser.add_argument("--datasets", nargs="+", metavar="NAME", choices=DATASETS, default=DATASETS, help="only these")
    parser.add_argument("--repeats", type=int, default=5, help="rounds, of which the medians are told [5]")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write every measurement there")
    parser.add_argument("--quick", action="store_true", help="see that everything runs")
    given = parser.parse_args()
    if given.repeats < 1:
        parser.error("--repeats is at least 1")
    if given.quick:
        given.repeats = 1
    given.build = given.build.resolve()
    return given


def memory_of(process):
    """The peak of its resident memory so far in KiB; 0 when it has ended."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"^VmHWM:\s+(\d+)", status, re.MULTILINE)
    return int(found[1]) if found else 0


class Task:
    """The rows of a data set as files: CSV, and text of Vowpal Wabbit, which needs no zeros."""

    def __init__(self, name, given, folder):
        self.name = name
        kept = folder / f"{name}{'-quick' if given.quick else ''}.csv"
        self.csv, self.vw = kept, kept.with_suffix(".vw")
        if not self.vw.exists():
            say(f"writing the task {name} …")
            self.write(given)
        with open(self.csv) as file:
            self.columns = file.readline().count(",")
            self.rows = sum(1 for _ in file)

    def write(self, given):
        text = output_of(given.build / "plumbline", "datasets", "task", self.name, *data_options(given.data))
        lines = text.splitlines(keepends=True)
        if given.quick:
            lines = lines[: QUICK_ROWS + 1]
        self.csv.write_text("".join(lines))
        new = self.vw.with_suffix(".new")
        with open(new, "w") as out:
            (*names, _), *rows = csv.reader(lines)
            for *values, label in rows:
                features = " ".join(f"{name}:{value}" for name, value in zip(names, values) if value != "0")
                out.write(f"{'1' if label == '1' else '-1'} | {features}\n")
        new.rename(self.vw)


class Bench:
    def __init__(self, given):
        self.given = given
        self.folder = given.build / "bench-peers"
        self.python = self.folder / "venv" / "bin" / "python"
        self.moa = self.folder / "moa"
        self.ours = given.build / "bench" / "peers" / "plumbline_peer"
        for program in (self.ours, given.build / "plumbline"):
            if not program.exists():
                raise SystemExit(f"{program} is missing: build with -DPLUMBLINE_BUILD_BENCH=ON")
        subprocess.run([HERE / "setup", given.build], check=True)
        self.peers = [peer for peer in PEERS if self.has(peer)]
        self.core = max(os.sched_getaffinity(0))
        self.environment = os.environ | {
            f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}

    def has(self, peer):
        kind = peer.name.split()[0]
        module = {"river": "river", "scikit-learn": "sklearn", "Vowpal": "vowpalwabbit"}.get(kind)
        if module is None:
            there = (self.moa / "version.txt").exists()
        else:
            there = self.python.exists() and subprocess.run(
                [self.python, "-c", f"import {module}, numpy"], capture_output=True).returncode == 0
        if not there:
            say(f"{peer.name} is left out: it is not installed")
        return there

    def peer_command(self, peer, task):
        limit = peer.limit(task.rows, self.given.quick)
        kind = peer.name.split()[0]
        if kind == "river":
            return [self.python, HERE / "river_peer.py", peer.learner, task.csv, limit]
        if kind == "scikit-learn":
            form = "example" if peer.name.endswith("each example") else "minibatch"
            return [self.python, HERE / "sklearn_peer.py", peer.learner, form, task.csv, limit]
        if kind == "MOA":
            # One thread each for collecting and compiling; the clock counts neither.
            return ["java", "-XX:+UseSerialGC", "-cp", f"{self.moa}/*:{self.moa}", "MoaPeer", task.csv, limit]
        return [self.python, HERE / "vw_peer.py", task.vw, self.folder, *VW]

    def on_one_core(self):
        os.sched_setaffinity(0, {self.core})

    def measure(self, command, threads=False):
        """The line that a process prints; None if it fails."""
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=self.environment,
                              preexec_fn=None if threads else self.on_one_core)
        if done.returncode != 0:
            say(f"{' '.join(map(str, command))} failed:\n{done.stderr}")
            return None
        return json.loads(done.stdout.splitlines()[-1])

    def end_to_end(self, task, options):
        """`plumbline run`, from its start to its end."""
        command = [self.given.build / "plumbline", "run", task.csv, "--threads", 1, "--json", "--progress", "none",
                   *options]
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=self.on_one_core)
        peak = 0
        while process.poll() is None:
            peak = max(peak, memory_of(process.pid))
            time.sleep(0.005)
        seconds = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        out, errors = process.communicate()
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))} failed:\n{errors.decode()}")
        said = json.loads(out)
        return {"examples": said["examples"], "seconds_learn": seconds,
                "cpu_learn": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
                "peak_kib": peak, "log_loss": said["log_loss"], "accuracy": said["accuracy"]}

    def jobs(self, task):
        """Name and what measures it, in the order of a round; ours among the peers."""
        limits = sorted({peer.limit(task.rows, self.given.quick) for peer in self.peers})
        prefixes = ["--prefixes", ",".join(map(str, limits))] if limits else []
        ours = [(("ours", name), lambda options=options: self.measure([self.ours, task.csv, *options, *prefixes]))
                for name, options in OURS.items()]
        ours += [(("run", name), lambda options=OURS[name]: self.end_to_end(task, options)) for name in END_TO_END]
        theirs = [(("peer", peer.name), lambda peer=peer: self.measure(self.peer_command(peer, task), peer.threads))
                  for peer in self.peers]
        turns = itertools.zip_longest(ours, theirs)
        return [job for turn in turns for job in turn if job]

    def run(self, task, keep):
        """For each name the measurements of all rounds; `keep` gets those so far after each of them."""
        results = {}
        jobs = self.jobs(task)
        for turn in range(1, self.given.repeats + 1):
            for key, work in list(jobs):
                start = time.perf_counter()
                line = work()
                if line is None:
                    say(f"{key[1]} is left out")
                    jobs = [job for job in jobs if job[0] != key]
                    results.pop(key, None)
                    continue
                results.setdefault(key, []).append(line)
                say(f"{task.name} {turn}/{self.given.repeats}: {' '.join(key)}, {time.perf_counter() - start:.1f} s")
            keep(results)
        return results


def median(lines):
    """Of every number that they have; what is no plain number is the first one's, and is always the same."""
    return {key: statistics.median(line[key] for line in lines) if isinstance(value, (int, float)) else value
            for key, value in lines[0].items()}


def speed(line, what, form=""):
    """Examples for each second of processor time, or of wall clock where that is less, which it is only
    for a peer with several threads; nothing if it was not measured."""
    seconds = [line[key] for key in (f"{form}cpu_{what}", f"{form}seconds_{what}") if key in line]
    return line["examples"] / min(seconds) if seconds else None


def digits(value):
    return "-" if value is None else f"{value:,.0f}"


def times(ours, theirs):
    if ours is None or theirs is None:
        return None
    return ours / theirs


def factor(value):
    if value is None:
        return "-"
    return f"{value:,.1f}x" if value < 100 else f"{value:,.0f}x"


def verdict(row):
    """The verdict on the goal: yes, speed only, or no."""
    fast = [ours for ours in row["ours"].values() if ours["learn_times"] and ours["learn_times"] >= row["goal"]]
    if not fast:
        return "no"
    return "yes" if any(ours["log_loss"] <= row["log_loss"] for ours in fast) else "speed only"


def tell(task, given, medians):
    """Prints the tables of a stream, and returns the comparisons."""
    print(f"\n{task.name}: {task.rows:,} examples of {task.columns} numbers; ensembles of 10; "
          f"medians of {given.repeats}\n")
    print(f"  {'plumbline, in memory':<39} {'learn/s':>10} {'predict/s':>11} {'MiB':>5} {'log-loss':>8} "
          f"{'accuracy':>8}")
    for (kind, name), line in medians.items():
        if kind == "ours":
            print(f"  {name:<39} {digits(speed(line, 'learn')):>10} {digits(speed(line, 'predict')):>11} "
                  f"{line['peak_kib'] / 1024:5.0f} {line['log_loss']:8.4f} {line['accuracy']:8.4f}")

    comparisons = []
    print(f"\n  {'':<83}   " + "  ".join(f"{column:>15}" for column in COLUMNS))
    print(f"  {'peer':<38} {'rows':>7} {'learn/s':>9} {'predict/s':>10} {'MiB':>5} {'log-loss':>9}   "
          + "  ".join(f"{'times':>7} {'loss':>7}" for _ in COLUMNS) + f"  {'goal':>6}")
    for peer in PEERS:
        line = medians.get(("peer", peer.name))
        if line is None:
            continue
        forms = [("", peer.name)]
        if peer.name == "Vowpal Wabbit":
            forms = [("", "Vowpal Wabbit, text (plumbline run)"), ("cached_", "Vowpal Wabbit, cache (in memory)")]
        for prefix, label in forms:
            reading = label.endswith("(plumbline run)")
            row = {"dataset": task.name, "peer": label, "examples": line["examples"], "goal": peer.goal,
                   "learn_per_second": speed(line, "learn", prefix),
                   "predict_per_second": speed(line, "predict", prefix),
                   "peak_kib": line["peak_kib"], "log_loss": line["log_loss"], "accuracy": line["accuracy"],
                   "ours": {}}
            cells = []
            for form in (column.format(peer.learner) for column in COLUMNS.values()):
                ours = medians.get(("run" if reading else "ours", form))
                if ours is None:
                    cells.append(f"{'-':>7} {'-':>7}")
                    continue
                over = medians[("ours", form)]["prefixes"][str(int(line["examples"]))]
                row["ours"][form] = {"learn_times": times(speed(ours, "learn"), row["learn_per_second"]),
                                     "predict_times": times(speed(ours, "predict"), row["predict_per_second"]),
                                     **over}
                cells.append(f"{factor(row['ours'][form]['learn_times']):>7} {over['log_loss']:7.4f}")
            row["goal_reached"] = verdict(row)
            comparisons.append(row)
            print(f"  {label:<38} {row['examples']:>7,.0f} {digits(row['learn_per_second']):>9} "
                  f"{digits(row['predict_per_second']):>10} {row['peak_kib'] / 1024:5.0f} {row['log_loss']:9.4f}   "
                  + "  ".join(cells) + f"  {peer.goal:>5}x {row['goal_reached']}")

    print(f"\n  {'from start to end':<39} {'wall s':>8} {'cpu s':>8} {'MiB':>5} {'log-loss':>8}")
    whole = [(f"plumbline run, {name}", medians[key], "") for key in medians for name in key[1:] if key[0] == "run"]
    if ("peer", "Vowpal Wabbit") in medians:
        line = medians[("peer", "Vowpal Wabbit")]
        whole += [("Vowpal Wabbit, text", line, ""), ("Vowpal Wabbit, cache", line, "cached_")]
    for name, line, prefix in whole:
        print(f"  {name:<39} {line[prefix + 'seconds_learn']:8.3f} {line[prefix + 'cpu_learn']:8.3f} "
              f"{line['peak_kib'] / 1024:5.0f} {line['log_loss']:8.4f}")
    return comparisons


def peers_and_machine(given, bench):
    """The machine and the versions that the numbers depend on."""
    versions = {"python": platform.python_version()}
    for line in (HERE / "requirements.txt").read_text().splitlines():
        if "==" in line:
            name, pinned = line.split("==")
            versions[name] = pinned
    if (bench.moa / "version.txt").exists():
        versions["moa"] = (bench.moa / "version.txt").read_text().strip()
        done = subprocess.run(["java", "-version"], capture_output=True, text=True)
        versions["java"] = done.stderr.splitlines()[0]
    return {**machine(given.build),
            "plumbline": output_of(given.build / "plumbline", "--version").splitlines()[0],
            "versions": versions}


def main():
    given = arguments()
    bench = Bench(given)
    result = {"machine": peers_and_machine(given, bench), "repeats": given.repeats, "quick": given.quick,
              "measurements": {}, "comparisons": []}
    told = result["machine"]
    print(f"{told['processor']}, {told['cores']} cores, {told['memory_kib'] / 2**20:.0f} GiB; {told['compiler']}; "
          f"commit {told['commit']}")
    def keep(name, lines):
        result["measurements"][name] = {f"{kind}: {what}": runs for (kind, what), runs in lines.items()}
        if given.json:
            given.json.write_text(json.dumps(result, indent=1) + "\n")

    for name in given.datasets:
        task = Task(name, given, bench.folder)
        lines = bench.run(task, lambda lines, name=name: keep(name, lines))
        result["comparisons"] += tell(task, given, {key: median(runs) for key, runs in lines.items()})
        sys.stdout.flush()
        keep(name, lines)
    print("\nSpeeds: examples for each second of processor time; learn: each is predicted, then learned from.")
    print("times: ours, of the form that heads the column and with learners like the peer's, to theirs.")
    print("loss: ours over the same rows as the peer's.")
    print("goal: reached if one of ours is as fast as that at a loss that is no worse; 'speed only' if at a worse one.")
    if given.quick:
        print("--quick: the numbers show that everything runs, and no more.")


if __name__ == "__main__":
    main()

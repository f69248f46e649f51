"""How good are our probabilities, beside the paper's and Vowpal Wabbit's?

    run.py BUILD_DIR [--data DIR] [--datasets NAME ...] [--generated] [--runs N] [--jobs N] [--json]
           [-- OPTIONS ...]

BUILD_DIR is a release build. On each of the paper's ten data sets, over the very same rows (`plumbline
datasets task` with seeds 1, 2, 3; one run where the rows have an order), every example is predicted
before it is learned from, once, by

  - Vowpal Wabbit's logistic regression, with its defaults and with `-l 2`, example by example;
  - `plumbline run` with its defaults (minibatches of 10; the paper's were of 50 and 100), or with the
    OPTIONS.

The table tells the mean log-loss, the lowest number that any of the paper's tables has for the data
set, the ratio of ours to the lowest of the others, and the geometric mean of the ratios. With
--generated it does the same on 20,000 examples each of streams from `plumbline generate`, on which
nothing in the preset was chosen; the paper has no numbers for them. The tasks
and what Vowpal Wabbit made of them are kept in BUILD_DIR/bench-probabilities; delete it to begin anew.
Vowpal Wabbit comes from PyPI, which has it for Python 3.10 and 3.11 among others.
"""

import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import re
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from support import REPOSITORY, data_options, output_of, prepare_venv, say
VW = {"vw": [], "vw_l2": ["-l", "2"]}
GENERATED = {
    "sea": ["sea"],
    "sea, drift": ["sea", "--drift-to", "sea:concept=3", "--position", 10000],
    "hyperplane": ["hyperplane"],
    "hyperplane, fast": ["hyperplane:magnitude=0.01"],
    "random_rbf": ["random_rbf"],
    "random_rbf, moving": ["random_rbf:speed=0.001"],
    "agrawal 1": ["agrawal"],
    "agrawal 5": ["agrawal:function=5"],
    "agrawal 9": ["agrawal:function=9"],
    "agrawal 1, then 4": ["agrawal", "--drift-to", "agrawal:function=4", "--position", 10000],
    "led": ["led"],
    "waveform": ["waveform"],
}


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--data", help="folder of the data sets; else where plumbline looks, or ../shared/data")
    parser.add_argument("--datasets", nargs="+", metavar="NAME", help="only these")
    parser.add_argument("--generated", action="store_true", help="generated streams instead of the data sets")
    parser.add_argument("--runs", type=int, default=3, help="shuffles of the stationary data sets [3]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time [all cores]")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    own, options = sys.argv[1:], []
    if "--" in own:
        own, options = own[: own.index("--")], own[own.index("--") + 1 :]
    given = parser.parse_args(own)
    if given.runs < 1 or given.jobs < 1:
        parser.error("--runs and --jobs are at least 1")
    given.options = options
    return given


def data_sets(plumbline, given):
    """Those wanted, as `datasets list` tells them; found where plumbline looks, or where ./check does."""
    where = data_options(given.data)
    listed = json.loads(output_of(plumbline, "datasets", "list", "--json", *where, *(given.datasets or [])))
    for entry in listed:
        if not entry["path"]:
            output_of(plumbline, "datasets", "path", entry["name"], *where)  # says what to do
        folder = pathlib.Path(entry["path"]).parent
        entry["command"] = ["datasets", "task", entry["name"], "--data", folder]
    return listed


def generated():
    """The same of generated streams. The command's file is another one than that of a data set."""
    return [{"name": f"generated {name}", "rows": 20000, "stationary": True,
             "command": ["generate", *words, "-n", 20000]} for name, words in GENERATED.items()]


def lowest_published(name):
    """The lowest log-loss that any table of the paper has for this data set, None if it has none."""
    text = (REPOSITORY / "paper" / "published.cpp").read_text()
    rows = re.findall(rf'Row{{"\w+", "{re.escape(name)}",\s*(.*)', text)
    return min((float(loss) for row in rows for loss in re.findall(r"{([\d.]+), ", row)), default=None)


class Bench:
    def __init__(self, given):
        self.given = given
        self.plumbline = given.build / "plumbline"
        self.folder = given.build / "bench-probabilities"
        self.folder.mkdir(exist_ok=True)
        self.python = prepare_venv(self.folder / "venv", HERE / "requirements.txt")
        self.peer = hashlib.sha256((HERE / "requirements.txt").read_bytes() + (HERE / "peer.py").read_bytes())

    def task(self, entry, seed):
        """The file with the rows of a run."""
        path = self.folder / f"{entry['name'].replace(', ', '-').replace(' ', '-')}-{seed}.csv"
        if not path.exists():
            text = output_of(self.plumbline, *entry["command"], "--seed", seed)
            new = path.with_suffix(".new")
            new.write_text(text)
            new.rename(path)
        return path

    def vw(self, task, options):
        """The log-loss of Vowpal Wabbit, remembered for this task, these options and this peer.py."""
        key = self.peer.copy()
        key.update(task.read_bytes() + " ".join(options).encode())
        kept = self.folder / f"{task.stem}{''.join(options)}-{key.hexdigest()[:16]}.json"
        if not kept.exists():
            rows, loss = output_of(self.python, HERE / "peer.py", task, *options).split()
            kept.write_text(json.dumps({"rows": int(rows), "log_loss": float(loss)}))
        return json.loads(kept.read_text())

    def ours(self, task, seed):
        result = json.loads(output_of(
            self.plumbline, "run", task, "--json", "--progress", "none", "--threads", 1,
            "--seed", seed, *self.given.options))
        return {"rows": result["examples"], "log_loss": result["log_loss"]}

    def one_run(self, entry, seed):
        task = self.task(entry, seed)
        results = {name: self.vw(task, options) for name, options in VW.items()}
        results["plumbline"] = self.ours(task, seed)
        if len({result["rows"] for result in results.values()}) != 1:
            raise SystemExit(f"{task}: not all have seen the same number of rows: {results}")
        say(f"{task.stem} done")
        return {name: result["log_loss"] for name, result in results.items()}


def measure(given):
    bench = Bench(given)
    entries = generated() if given.generated else data_sets(bench.plumbline, given)
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        pending = {}
        # The largest first, so that no core waits for it at the end.
        for entry in sorted(entries, key=lambda entry: -entry["rows"]):
            seeds = range(1, (given.runs if entry["stationary"] else 1) + 1)
            pending[entry["name"]] = [pool.submit(bench.one_run, entry, seed) for seed in seeds]
        rows = []
        for entry in entries:
            runs = [one.result() for one in pending[entry["name"]]]
            row = {"dataset": entry["name"], "runs": len(runs), "paper": lowest_published(entry["name"])}
            row |= {name: statistics.fmean(run[name] for run in runs) for name in runs[0]}
            row["ratio"] = row["plumbline"] / min(row[name] for name in ("paper", *VW) if row[name])
            rows.append(row)
    return {"options": given.options, "rows": rows,
            "geometric_mean": math.exp(statistics.fmean(math.log(row["ratio"]) for row in rows))}


def main():
    given = arguments()
    result = measure(given)
    if given.json:
        print(json.dumps(result, indent=1))
        return
    print(f"{'data set':<27} {'runs':>4} {'paper':>8} {'VW':>8} {'VW -l 2':>8} {'plumbline':>10} {'ratio':>7}")
    for row in result["rows"]:
        paper = f"{row['paper']:8.3f}" if row["paper"] else f"{'-':>8}"
        print(f"{row['dataset']:<27} {row['runs']:>4} {paper} {row['vw']:8.4f} {row['vw_l2']:8.4f} "
              f"{row['plumbline']:10.4f} {row['ratio']:7.3f}")
    print(f"{'geometric mean':<70} {result['geometric_mean']:7.3f}")
    print("\nMean log-loss, each example predicted before it is learned from; lower is better.")
    print("paper: the lowest in its tables. ratio: ours to the lowest of the others.")


if __name__ == "__main__":
    main()

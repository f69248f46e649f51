#!/usr/bin/env python3
"""What a budget costs, and what choosing gains: run.py BUILD [STREAM …] [options]

A learn budget, or with --labels a label budget.

Each stream is predicted before it is learned, while only a share of its minibatches may be trained. At each share the
policy `selective` is compared with fixed schedules of the same cost:

  regular     every k-th minibatch
  runs        ten in a row, regularly
  first       all at the beginning, then none
  half first  half of them at the beginning, the others regularly

`selective, early` is the policy with a quarter of the trainings in advance (--learn-burst) and a lower budget, so that
the cost is the same. The best schedule of a stream and share is the one with the lowest mean log-loss over the seeds, which is known only in
hindsight. A policy wins (+) or loses (-) if the mean of ln(policy/best schedule) over the seeds differs from 0 by
a paired t-test at 5 %. A seed is that of the model and of the generated rows or the shuffle; electricity and weather keep
their order. `first` and `half first` need the length of the stream, and so does `selective, early`: they spend far more
than the budget at first. `regular` keeps to it at any time, as `selective` does, and `runs` but for ten minibatches.
Therefore `selective` is compared with the better of these two, and both policies with the best of all four.

With --labels, only a share of the rows gets a label, and the other rows are predicted and not learned. `selective`, which
asks mostly about the least certain rows, is compared with `random` in the same way. Log-losses are over all rows.

Prints a table for each share, and writes to --out: results.json, budget.html with the curves of all streams, and an SVG
file for each stream. BUILD is a release build with -DPLUMBLINE_BUILD_BENCH=ON.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "probabilities")]

from streams import Streams  # noqa: E402
from support import data_options, output_of, say  # noqa: E402

SHARES = [0.05, 0.1, 0.2, 0.5]
# Parts of generated streams: the words of `plumbline generate` and the share of the rows. The lengths are such that no
# schedule is in step with the drifts.
DRIFTING = {
    "sea, 4 concepts": [("sea:concept=1", 0.185), ("sea:concept=3", 0.305), ("sea:concept=2", 0.215),
                        ("sea:concept=4", 0.295)],
    "agrawal 1, 4, 2, 7": [("agrawal:function=1", 0.235), ("agrawal:function=4", 0.365),
                           ("agrawal:function=2", 0.155), ("agrawal:function=7", 0.245)],
    "hyperplane, moving": [("hyperplane:magnitude=0.005,changing=5", 1)],
    "random_rbf, moving": [("random_rbf:speed=0.0005", 1)],
    "random_rbf, 3 concepts": [("random_rbf:concept=1", 0.415), ("random_rbf:concept=2", 0.23),
                               ("random_rbf:concept=3", 0.355)],
    # The next two were not used to choose the policy and its default.
    "agrawal 5, 9, 3": [("agrawal:function=5", 0.37), ("agrawal:function=9", 0.36), ("agrawal:function=3", 0.27)],
    "hyperplane, 2 concepts": [("hyperplane:concept=1", 0.43), ("hyperplane:concept=2", 0.57)],
    "electricity": None,
    "weather": None,
}
STATIONARY = ["generated waveform", "random_rbf", "led", "agrawal 1", "spambase", "krvskp", "landsat", "mushroom"]
NAMES = [*DRIFTING, *STATIONARY]
COMPARISONS = {"kept": "selective / regular or runs", "any": "selective / best", "early": "early / best"}
LABEL_COMPARISONS = {"labels": "selective / random"}
KEPT = ["regular", "runs"]  # the schedules that keep to the budget
# Two-sided quantiles of Student's t at 5 %, by the degrees of freedom.
T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]
POLICY, EARLY = "selective", "selective, early"


def schedules(share, rounds):
    """The options of each schedule of so many rounds."""
    count = max(1, round(share * rounds))
    half = count // 2
    period = max(1, (rounds - half) // max(1, count - half))
    return {"regular": ["--learn-budget", share],
            "runs": ["--policy", f"schedule:every={round(10 / share)},train=10"],
            "first": ["--policy", f"schedule:first={count},train=0"],
            "half first": ["--policy", f"schedule:first={half},every={period},train=1"]}


class Bench:
    def __init__(self, options):
        self.options = options
        self.plumbline = options.build / "plumbline"
        self.folder = options.build / "bench" / "streams"
        self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, name, seed):
        """The file of a stream."""
        parts = DRIFTING.get(name)
        if parts is None:
            streams = Streams(self.plumbline, data_options(self.options.data), self.folder, seed=seed,
                              limit=self.options.limit, generated=self.options.rows)
            return streams.path(name)
        path = self.folder / f"budget-{name.replace(', ', '-').replace(' ', '-')}-{self.options.rows}-{seed}.csv"
        if not path.exists():
            lines = []
            for number, (words, part) in enumerate(parts):
                text = output_of(self.plumbline, "generate", words, "-n", round(part * self.options.rows), "--seed",
                                 100 * seed + number)
                lines += text.splitlines()[1 if lines else 0:]
            path.write_text("\n".join(lines) + "\n")
        return path

    def run(self, path, seed, words):
        text = output_of(self.plumbline, "run", path, "--preset", self.options.preset, "--batch", self.options.batch,
                         "--seed", seed, "--progress", "none", "--json", *words)
        result = json.loads(text)
        share = result["asked_share" if self.options.labels else "training_share"]
        return {"log_loss": result["log_loss"], "share": share}

    def contenders(self, share, rounds):
        """The options of each schedule and policy."""
        if self.options.labels:
            return {choice: ["--label-budget", share, "--label-choice", choice] for choice in ("random", POLICY)}
        early = ["--learn-budget", 0.75 * share, "--learn-burst", max(1, round(share * rounds / 4))]
        return {**schedules(share, rounds), POLICY: ["--learn-budget", share, "--policy", POLICY],
                EARLY: [*early, "--policy", POLICY]}

    def stream(self, name):
        """The results of a stream: of training on all, and at each share of each schedule and of the policy."""
        found = {"name": name, "drifts": name in DRIFTING, "all": [], "shares": []}
        for share in self.options.shares:
            found["shares"].append({"share": share, "results": {}})
        for seed in range(1, self.options.seeds + 1):
            path = self.path(name, seed)
            with open(path) as file:
                rounds = (sum(1 for _ in file) - 1) // self.options.batch
            found["rows"] = rounds * self.options.batch
            found["all"].append(self.run(path, seed, []))
            for entry in found["shares"]:
                for kind, words in self.contenders(entry["share"], rounds).items():
                    entry["results"].setdefault(kind, []).append(self.run(path, seed, words))
        return found


def losses(entry, kind):
    return [one["log_loss"] for one in entry["results"][kind]]


def compared(entry, policy, kinds):
    """The best of these schedules, the ratio of the policy to it, and the sign of a significant difference."""
    best = min(kinds, key=lambda kind: statistics.fmean(losses(entry, kind)))
    logs = [math.log(a / b) for a, b in zip(losses(entry, policy), losses(entry, best))]
    mean, sign = statistics.fmean(logs), ""
    if len(logs) > 1:
        error = statistics.stdev(logs) / math.sqrt(len(logs))
        if abs(mean) > T[min(len(logs) - 2, len(T) - 1)] * error:
            sign = "+" if mean < 0 else "-"
    return {"best": best, "ratio": math.exp(mean), "sign": sign}


def evaluate(streams, labels):
    for stream in streams:
        for entry in stream["shares"]:
            if labels:
                entry["labels"] = compared(entry, POLICY, ["random"])
                continue
            fixed = [kind for kind in entry["results"] if kind not in (POLICY, EARLY)]
            entry["kept"] = compared(entry, POLICY, KEPT)
            entry["any"] = compared(entry, POLICY, fixed)
            entry["early"] = compared(entry, EARLY, fixed)


def summary(streams, number, key, drifts):
    chosen = [stream["shares"][number][key] for stream in streams if stream["drifts"] == drifts]
    if not chosen:
        return "–"
    ratio = math.exp(statistics.fmean(math.log(one["ratio"]) for one in chosen))
    won, lost = (sum(one["sign"] == sign for one in chosen) for sign in "+-")
    return f"{ratio:.3f}, {won} won, {lost} lost of {len(chosen)}"


def table(streams, number, comparisons, of):
    """Markdown for one share."""
    share = streams[0]["shares"][number]["share"]
    kinds = list(streams[0]["shares"][number]["results"])
    lines = [f"\n### {100 * share:g} % of the {of}\n",
             f"| stream | all | {' | '.join([*kinds, *comparisons.values()])} |",
             "|---|---|" + "---|" * (len(kinds) + len(comparisons))]
    for stream in streams:
        entry = stream["shares"][number]
        cells = [stream["name"], f"{statistics.fmean(one['log_loss'] for one in stream['all']):.4f}"]
        cells += [f"{statistics.fmean(losses(entry, kind)):.4f}" for kind in kinds]
        cells += [f"{entry[key]['ratio']:.3f} {entry[key]['sign']}".strip() for key in comparisons]
        lines.append(f"| {' | '.join(cells)} |")
    for title, drifts in (("with drift", True), ("without", False)):
        told = [summary(streams, number, key, drifts) for key in comparisons]
        lines.append(f"| {' | '.join([title, '', *([''] * len(kinds)), *told])} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="folder with the tool, such as build/release")
    parser.add_argument("streams", nargs="*", help=f"of {'; '.join(NAMES)}")
    parser.add_argument("--labels", action="store_true", help="measure label budgets")
    parser.add_argument("--preset", default="fast", help="of the model [fast]")
    parser.add_argument("--batch", type=int, default=1, help="rows of a minibatch [1]")
    parser.add_argument("--seeds", type=int, default=5, help="number of seeds [5]")
    parser.add_argument("--shares", type=float, nargs="+", default=SHARES)
    parser.add_argument("--rows", type=int, default=20000, help="of each generated stream [20000]")
    parser.add_argument("--limit", type=int, default=50000, help="rows of a data set, at most [50000]")
    parser.add_argument("--data", type=pathlib.Path, help="folder of the data sets, as for 'plumbline datasets'")
    parser.add_argument("--out", type=pathlib.Path, help="folder for the results [BUILD/bench-results/budget]")
    options = parser.parse_intermixed_args()
    unknown = set(options.streams) - set(NAMES)
    if unknown:
        parser.error(f"unknown stream: {', '.join(sorted(unknown))}")
    out = options.out or options.build / "bench-results" / (
        "label-budget" if options.labels else "budget")
    out.mkdir(parents=True, exist_ok=True)
    bench, streams = Bench(options), []
    for name in options.streams or NAMES:
        say(f"{name} …")
        streams.append(bench.stream(name))
    evaluate(streams, options.labels)
    of = "labels" if options.labels else "minibatches"
    axis = "share of labels asked for" if options.labels else "share of minibatches trained"
    results = {"axis": axis, "preset": options.preset, "batch": options.batch, "seeds": options.seeds, "streams": streams}
    (out / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    print(f"Preset {options.preset}, minibatches of {options.batch}, {options.seeds} seeds. Mean log-loss; ratios of "
          f"{'selective to random choice' if options.labels else 'the policies to the best schedule'}; + lower, - higher, at 5 %.")
    for number in range(len(options.shares)):
        print(table(streams, number, LABEL_COMPARISONS if options.labels else COMPARISONS, of))
    subprocess.run([options.build / "bench" / "budget" / "budget_curves", out / "results.json", out], check=True)
    say(f"curves: {out / 'budget.html'}")


if __name__ == "__main__":
    main()

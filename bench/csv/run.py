"""Compares the speed of reading CSV with pandas and pyarrow. Usage: run.py FILE BUILD_DIR [ROUNDS]

BUILD_DIR is a release build with -DPLUMBLINE_BUILD_BENCH=ON. The file must be plain CSV with a
header and numbers only. Each reading is a process of its own on one core; the readers take turns, and
before any timing all must agree on the sum of all values. The table tells the median of the rounds
(7 unless given), of the time to read only: starting the process and loading modules is not counted.
"""

import os
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from support import output_of, prepare_venv


def measure(command):
    rows, columns, total, wall, processor = output_of(*command).split()
    return (int(rows), int(columns)), float(total), float(wall), float(processor)


def check_that_all_agree(readers):
    results = {name: measure(command)[:2] for name, command in readers.items()}
    (shape, total), *others = results.values()
    for other_shape, other_total in others:
        # The order of the additions differs, so the last digits may.
        if other_shape != shape or abs(other_total - total) > 1e-9 * abs(total):
            sys.exit(f"the readers do not agree: {results}")
    print(f"{shape[0]} rows of {shape[1]} numbers; all readers agree on their sum, {total:.17g}\n")


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    path, build = sys.argv[1], pathlib.Path(sys.argv[2])
    rounds = int(sys.argv[3]) if len(sys.argv) == 4 else 7
    python = prepare_venv(build / "bench-csv-venv", HERE / "requirements.txt")
    ours = build / "bench" / "csv" / "read_csv"
    readers = {
        "plumbline, all rows kept": [ours, path],
        "plumbline, row by row": [ours, path, "stream"],
        "pandas": [python, HERE / "peer.py", "pandas", path],
        "pyarrow": [python, HERE / "peer.py", "pyarrow", path],
    }
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    check_that_all_agree(readers)

    times = {name: [] for name in readers}
    for _ in range(rounds):
        for name, command in readers.items():
            times[name].append(measure(command)[2:])
    megabytes = os.path.getsize(path) / 1e6
    print(f"{'reader':<26} {'wall s':>8} {'cpu s':>8} {'MB/s':>8}   median of {rounds}")
    for name, pairs in times.items():
        wall, processor = (statistics.median(values) for values in zip(*pairs))
        print(f"{name:<26} {wall:8.3f} {processor:8.3f} {megabytes / processor:8.0f}")
    print("\nMB/s is of processor time, which other work on the machine disturbs least.")


if __name__ == "__main__":
    main()

"""Do the main kernels still take the instructions that they took? Usage: guard.py PROGRAM

Callgrind counts those of each function `guard_…` of the program (guard.cpp); each must be within 3 % of
baseline.json. Fewer fail as well, so that the baseline follows what was gained. Skipped (77) without valgrind,
and where the compiler, the C library or the vectors are others than the baseline's.

PLUMBLINE_UPDATE_GOLDEN=1 writes the baseline anew; look at the diff.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BASELINE = pathlib.Path(__file__).resolve().parent / "baseline.json"
TOLERANCE = 0.03


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def count(program):
    """What the program says of itself, and the instructions of each kernel."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "callgrind.out"
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=guard_*",
             f"--callgrind-out-file={out}", program], capture_output=True, text=True)
        if done.returncode == 77:
            skip(done.stdout.strip())
        if done.returncode != 0:
            sys.exit(f"{program} failed under valgrind:\n{done.stdout}{done.stderr}")
        text = out.read_text()
    # A function is named once, and is a number from then on.
    names = dict(re.findall(r"^c?fn=(\(\d+\)) (.+)$", text, re.MULTILINE))
    counts = {}
    # Each call, and what it cost with all that was called in turn.
    for number, cost in re.findall(r"^cfn=(\(\d+\)).*\ncalls=.*\n\S+ (\d+)$", text, re.MULTILINE):
        if names[number].startswith("guard_"):
            counts[names[number].removeprefix("guard_")] = int(cost)
    if not counts:
        sys.exit("callgrind counted nothing")
    return done.stdout.strip(), counts


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if not shutil.which("valgrind"):
        skip("there is no valgrind")
    update = os.environ.get("PLUMBLINE_UPDATE_GOLDEN")
    made_by, counts = count(sys.argv[1])
    if update:
        BASELINE.write_text(json.dumps({"made_by": made_by, "instructions": counts}, indent=1, sort_keys=True) + "\n")
        print(f"wrote {BASELINE.name}")
    baseline = json.loads(BASELINE.read_text())
    if made_by != baseline["made_by"]:
        skip(f"this is {made_by}; the baseline is of {baseline['made_by']}")
    wanted = baseline["instructions"]
    if counts.keys() != wanted.keys():
        sys.exit(f"other kernels than the baseline's: {sorted(counts.keys() ^ wanted.keys())}")

    bad = []
    print(f"{'kernel':<28} {'instructions':>12} {'baseline':>12}")
    for name, instructions in sorted(counts.items()):
        change = instructions / wanted[name] - 1
        print(f"{name:<28} {instructions:>12,} {wanted[name]:>12,} {change:+7.1%}")
        if abs(change) > TOLERANCE:
            bad.append(f"{name} {change:+.1%}")
    if bad:
        sys.exit(f"\nnot within {TOLERANCE:.0%} of the baseline: {', '.join(bad)}\n"
                 "If this is meant, run it with PLUMBLINE_UPDATE_GOLDEN=1 and commit baseline.json.")


if __name__ == "__main__":
    main()

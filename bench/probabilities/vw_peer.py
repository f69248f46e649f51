"""The probabilities of Vowpal Wabbit's logistic regression: vw_peer.py TASK.csv CLASSES OUT [OPTIONS...]

Task, OUT and the last line of the output are those of MoaPeer.java, but the time includes reading, since Vowpal
Wabbit reads while it learns. Several classes are learned one against the rest (--oaa), and their probabilities
add up to 1, as with --probabilities. Margins are read instead of probabilities, which it rounds to six digits.
"""

import array
import csv
import math
import pathlib
import sys
import tempfile
import time

from vowpalwabbit import pyvw


def write_vw(task, classes, out):
    """The same rows as text of Vowpal Wabbit; features that are 0 do not count for it."""
    with open(task, newline="") as file:
        (*names, _), *rows = csv.reader(file)
        for *values, label in rows:
            features = (f"{name}:{value}" for name, value in zip(names, values) if value != "0")
            target = int(label) + 1 if classes > 2 else 1 if label == "1" else -1
            out.write(f"{target} | {' '.join(features)}\n")


def sigmoid(margin):
    return 1 / (1 + math.exp(-margin)) if margin > 0 else math.exp(margin) / (1 + math.exp(margin))


def probabilities(line, classes):
    """Of all classes, from a line of margins: `MARGIN`, or ` 1:MARGIN 2:MARGIN ...`."""
    if classes == 2:
        margin = float(line)
        return [sigmoid(-margin), sigmoid(margin)]
    positive = [sigmoid(float(word.partition(":")[2])) for word in line.split()]
    return [value / sum(positive) for value in positive]


def main():
    task, classes, out, *options = sys.argv[1:]
    classes = int(classes)
    with tempfile.TemporaryDirectory() as folder:
        text, margins = pathlib.Path(folder, "task.vw"), pathlib.Path(folder, "margins")
        with open(text, "w") as file:
            write_vw(task, classes, file)
        kind = ["-p", margins] if classes == 2 else ["--oaa", classes, "-r", margins]
        command = ["--loss_function", "logistic", "--no_stdin", "--quiet", "-d", text, *kind, *options]
        start = time.process_time()
        # Given a file, the constructor learns all of it.
        pyvw.Workspace(arg_list=[str(word) for word in command]).finish()
        spent = time.process_time() - start
        with open(out, "wb") as answers:
            for line in open(margins):
                array.array("d", probabilities(line, classes)).tofile(answers)
    print(spent)


if __name__ == "__main__":
    main()

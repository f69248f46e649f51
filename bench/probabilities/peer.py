"""The progressive log-loss of Vowpal Wabbit's logistic regression: peer.py TASK.csv [OPTIONS...]

The task is CSV with a header, features as numbers and the label as the last column; the larger of its
two values is positive, as it is for plumbline. Every
example is predicted, then learned from, once. Prints the number of examples and the mean of their
losses, -ln p(label), which is Vowpal Wabbit's own "average loss".
"""

import csv
import sys
import tempfile

from vowpalwabbit import pyvw


def write_vw(task, out):
    """The same rows as text of Vowpal Wabbit; features that are 0 do not count for it."""
    with open(task, newline="") as file:
        (*names, _), *rows = csv.reader(file)
        positive = max(row[-1] for row in rows)
        for *values, label in rows:
            features = (f"{name}:{value}" for name, value in zip(names, values) if value != "0")
            out.write(f"{'1' if label == positive else '-1'} | {' '.join(features)}\n")
    out.flush()


def main():
    task, *options = sys.argv[1:]
    with tempfile.NamedTemporaryFile("w", suffix=".vw") as text:
        write_vw(task, text)
        command = ["--loss_function", "logistic", "--no_stdin", "--quiet", "-d", text.name, *options]
        # Given a file, the constructor learns all of it.
        workspace = pyvw.Workspace(arg_list=command)
        examples = workspace.get_weighted_examples()
        print(f"{examples:.0f} {workspace.get_sum_loss() / examples:.17g}")
        workspace.finish()


if __name__ == "__main__":
    main()

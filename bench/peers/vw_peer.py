"""Vowpal Wabbit's boosting: vw_peer.py TASK.vw FOLDER [OPTIONS ...]

TASK.vw is text of Vowpal Wabbit. OPTIONS say what is learned, as `--boosting 10 --alg BBM
--loss_function logistic`. The library reads files itself, in its constructor, so what is timed is that
call: once from the text, and once from the cache file that a run before has left in FOLDER, which saves
most of the parsing. Predicting alone is timed with the final model and `-t`, from the text and from the
cache too. The log-loss is that of the predictions before learning, of one more run that writes them.

What boosting says is the sum F of its learners' margins, so the probability of that is 1/(1+e^-F); that
of their mean, F/10, is usually better. The better of the two counts, and both are told.
"""

import pathlib
import sys
import tempfile

import numpy
from vowpalwabbit import pyvw

import stream

SIZE = 10


def run(*options):
    """A pass over a file, timed; Python's own start is not."""
    with stream.Clock() as clock:
        workspace = pyvw.Workspace(arg_list=["--no_stdin", "--quiet", *map(str, options)])
    examples = int(workspace.get_weighted_examples())
    return workspace, clock, examples


def main():
    task, folder, *options = sys.argv[1:]
    labels = numpy.array([line.startswith("1") for line in open(task)])
    with tempfile.TemporaryDirectory(dir=folder) as here:
        cache, model, said = (pathlib.Path(here) / name for name in ("cache", "model", "said"))
        loaded = stream.memory("VmRSS")
        workspace, learn, examples = run("-d", task, "-f", model, *options)
        workspace.finish()
        peak = stream.memory("VmHWM")
        _, predict, _ = run("-d", task, "-t", "-i", model)
        # Writes the cache, and the predictions.
        workspace, _, _ = run("-d", task, "--cache_file", cache, "-p", said, *options)
        workspace.finish()
        _, cached_learn, cached = run("-d", task, "--cache_file", cache, *options)
        _, cached_predict, _ = run("-d", task, "--cache_file", cache, "-t", "-i", model)
        if examples != len(labels) or cached != len(labels):
            sys.exit(f"{task}: {len(labels)} rows, but {examples} were learned, {cached} from the cache")
        margins = numpy.loadtxt(said, ndmin=1)
    sums = stream.quality(1 / (1 + numpy.exp(-margins)), labels)
    means = stream.quality(1 / (1 + numpy.exp(-margins / SIZE)), labels)
    stream.report(examples, learn, predict, loaded, learning_peak_kib=peak,
                  cached_cpu_learn=cached_learn.cpu, cached_cpu_predict=cached_predict.cpu,
                  cached_seconds_learn=cached_learn.wall, cached_seconds_predict=cached_predict.wall,
                  log_loss_of_sum=sums["log_loss"], log_loss_of_mean=means["log_loss"],
                  log_loss=min(sums["log_loss"], means["log_loss"]), accuracy=sums["accuracy"])


if __name__ == "__main__":
    main()

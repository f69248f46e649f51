"""The streams of run.py: the paper's data sets, generated ones, and some of several classes.

Each is a CSV file with a header, features as numbers and the label as the last column, 0 to K - 1, in the order of the
labels' values: of two classes, 1 is the one that plumbline calls positive.
"""

import csv
import gzip
import io
import itertools
import pathlib
import random

from support import output_of

DATA_SETS = ["landsat", "splice", "musk2", "krvskp", "waveform", "spambase", "mushroom", "weather", "electricity",
             "forest"]
# The words of `plumbline generate`; HALF is half of the rows.
HALF = object()
GENERATED = {
    "sea": ["sea"],
    "sea, drift": ["sea", "--drift-to", "sea:concept=3", "--position", HALF],
    "hyperplane": ["hyperplane"],
    "hyperplane, fast": ["hyperplane:magnitude=0.01"],
    "random_rbf": ["random_rbf"],
    "random_rbf, moving": ["random_rbf:speed=0.001"],
    "agrawal 1": ["agrawal"],
    "agrawal 5": ["agrawal:function=5"],
    "agrawal 9": ["agrawal:function=9"],
    "agrawal 1, then 4": ["agrawal", "--drift-to", "agrawal:function=4", "--position", HALF],
    "led": ["led"],
    "generated waveform": ["waveform"],
}
# Data sets with all their classes, in the order of their files.
CLASSES = {"landsat, 6 classes": "landsat", "waveform, 3 classes": "waveform", "splice, 3 classes": "splice",
           "forest, 7 classes": "forest"}
# Their files are sorted by class: the rows are shuffled.
SORTED = {"splice"}
SEGMENTS = ["1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111",
            "1111011"]


def led_digits(rng):
    """The digits 0 to 9 on a display whose segments fail one time in ten, beside 17 random columns (CART)."""
    while True:
        digit = rng.randrange(10)
        shown = [int(segment) ^ (rng.random() < 0.1) for segment in SEGMENTS[digit]]
        yield [*shown, *(rng.randrange(2) for _ in range(17)), digit]


def clouds(rng):
    """Five classes around 50 centroids in ten dimensions, as MOA's RandomRBFGenerator."""
    centroids = [([rng.random() for _ in range(10)], rng.random(), rng.randrange(5)) for _ in range(50)]
    weights = [rng.random() for _ in centroids]
    while True:
        (center, deviation, label), = rng.choices(centroids, weights)
        direction = [rng.uniform(-1, 1) for _ in center]
        length = rng.gauss(0, deviation) / sum(value * value for value in direction) ** 0.5
        yield [*(at + length * step for at, step in zip(center, direction)), label]


OWN = {"led, 10 classes": led_digits, "random_rbf, 5 classes": clouds}
NAMES = [*DATA_SETS, *GENERATED, *CLASSES, *OWN]


def numbered(rows):
    """The rows with the index of their label among all labels, and the number of classes."""
    def order(label):
        try:
            return (0, float(label), label)
        except ValueError:
            return (1, 0.0, label)

    index = {label: k for k, label in enumerate(sorted({row[-1] for row in rows}, key=order))}
    return [[*values, index[label]] for *values, label in rows], len(index)


class Streams:
    def __init__(self, plumbline, where, folder, *, seed, limit, generated):
        """`where` are options of `plumbline datasets`; `limit` rows at most, `generated` of generated streams."""
        self.plumbline, self.where, self.folder = plumbline, where, folder
        self.seed, self.limit, self.generated = seed, limit, generated
        folder.mkdir(parents=True, exist_ok=True)

    def text(self, name):
        """CSV with a header, not limited yet."""
        if name in DATA_SETS:
            return output_of(self.plumbline, "datasets", "task", name, *self.where, "--seed", self.seed)
        if name in GENERATED:
            words = [self.generated // 2 if word is HALF else word for word in GENERATED[name]]
            return output_of(self.plumbline, "generate", *words, "-n", self.generated, "--seed", self.seed)
        path = output_of(self.plumbline, "datasets", "path", CLASSES[name], *self.where).strip()
        with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
            return file.read()

    def rows(self, name):
        if name in OWN:
            return list(itertools.islice(OWN[name](random.Random(self.seed)), min(self.generated, self.limit)))
        lines = csv.reader(io.StringIO(self.text(name)))
        next(lines)
        if CLASSES.get(name) in SORTED:
            lines = list(lines)
            random.Random(self.seed).shuffle(lines)
        return list(itertools.islice(lines, self.limit))

    def path(self, name):
        """The file of a stream, written if it is not there."""
        size = self.limit if name in DATA_SETS or name in CLASSES else min(self.generated, self.limit)
        path = pathlib.Path(self.folder, f"{name.replace(', ', '-').replace(' ', '-')}-{size}-{self.seed}.csv")
        if not path.exists():
            rows, _ = numbered(self.rows(name))
            new = path.with_suffix(".new")
            with open(new, "w", newline="") as out:
                writer = csv.writer(out, lineterminator="\n")
                writer.writerow([*(f"x{i + 1}" for i in range(len(rows[0]) - 1)), "label"])
                writer.writerows(rows)
            new.rename(path)
        return path

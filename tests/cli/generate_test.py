"""`plumbline generate` as a user meets it. Usage: generate_test.py PATH_OF_PLUMBLINE."""

import csv
import io
import subprocess
import sys
import unittest

PLUMBLINE = sys.argv.pop()
GENERATORS = ["waveform", "sea", "hyperplane", "random_rbf", "agrawal", "led"]


def run(*arguments, **options):
    return subprocess.run(
        [PLUMBLINE, *arguments], capture_output=True, text=True, timeout=60, **options
    )


def rows_of(*arguments):
    done = run("generate", *arguments)
    assert done.returncode == 0, done.stderr
    return list(csv.reader(io.StringIO(done.stdout)))


class Generate(unittest.TestCase):
    def test_writes_a_header_and_as_many_rows_as_asked_for(self):
        for name in GENERATORS:
            rows = rows_of(name, "-n", "2500")
            self.assertEqual(len(rows), 2501, name)
            self.assertEqual({len(row) for row in rows}, {len(rows[0])}, name)
            self.assertEqual(len({row[-1] for row in rows[1:]}), 2, name)
            for row in rows[1:]:
                [float(value) for value in row[:-1]]

    def test_waveform_has_21_or_40_features(self):
        self.assertEqual(len(rows_of("waveform", "-n", "1")[0]), 41)
        self.assertEqual(len(rows_of("waveform:noise_features=0", "-n", "1")[0]), 22)

    def test_the_seed_decides(self):
        self.assertEqual(rows_of("sea", "-n", "50"), rows_of("sea", "-n", "50", "--seed", "1"))
        self.assertNotEqual(rows_of("sea", "-n", "50"), rows_of("sea", "-n", "50", "--seed", "2"))

    def test_an_abrupt_drift_joins_two_concepts(self):
        before = rows_of("sea:concept=1,noise=0", "-n", "3000")
        after = rows_of("sea:concept=3,noise=0", "-n", "3000")
        drift = ("--drift-to", "sea:concept=3,noise=0", "--position", "1200")
        both = rows_of("sea:concept=1,noise=0", "-n", "3000", *drift)
        self.assertEqual(both, before[:1201] + after[1201:])
        self.assertNotEqual(before, after)

    def test_a_wrong_name_or_value_gets_a_sentence_and_exit_code_2(self):
        for arguments, part in [
            (["wavform", "-n", "5"], "did you mean 'waveform'?"),
            (["sea:noise=2", "-n", "5"], "option 'noise' of generator 'sea' cannot be '2'"),
            (["sea", "-n", "5", "--drift-to", "led"], "the same features"),
            (["sea", "-n", "0"], "from 1 to 1000000000000"),
            (["sea"], "--examples is required"),
            (["sea", "-n", "5", "--width", "3"], "--drift-to"),
        ]:
            done = run("generate", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(part, done.stderr)
            self.assertEqual(done.stdout, "", arguments)

    def test_a_full_disk_is_an_io_error(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [PLUMBLINE, "generate", "sea", "-n", "5000"], stdout=full, stderr=subprocess.PIPE
            )
        self.assertEqual(done.returncode, 5)
        self.assertIn(b"No space left", done.stderr)

    def test_a_reader_that_closes_the_pipe_ends_it(self):
        command = f"'{PLUMBLINE}' generate sea -n 1000000000 | head -n 2 | wc -l"
        done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=20)
        self.assertEqual(done.stdout.strip(), b"2")
        self.assertEqual(done.stderr, b"")

    def test_help_lists_every_generator(self):
        text = run("generate", "--help").stdout
        for name in GENERATORS:
            self.assertIn(name, text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

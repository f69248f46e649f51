"""A stream of 400 MB through a pipe, in less than 200 MB of memory: every byte is read and learned. 2 GB if PLUMBLINE_FULL
is set."""

import json
import os
import subprocess
import unittest

from support import PLUMBLINE, environment, main

ROWS = 2_650_000 if os.environ.get("PLUMBLINE_FULL") else 530_000
BYTES_OF_A_ROW = 760  # at least, of the waveform generator's 40 features


class Large(unittest.TestCase):
    def test_a_stream_larger_than_memory_is_learned(self):
        # The limit is on the address space, which is more than the memory that is used.
        script = (
            f"set -o pipefail; '{PLUMBLINE}' generate waveform -n {ROWS} | tee >(wc -c >&2) |"
            f" (ulimit -v 200000; exec '{PLUMBLINE}' run - --json --progress none --preset literal"
            " --learners 1 --calibrator none --policy always_train --batch 1000)"
        )
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=900,
                              env=environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(int(done.stderr.split()[-1]), ROWS * BYTES_OF_A_ROW)
        self.assertEqual(json.loads(done.stdout)["examples"], ROWS)


if __name__ == "__main__":
    main()

"""A stream of 2 GB through a pipe, in less than 200 MB of memory: every byte is read and learned."""

import json
import subprocess
import unittest

from support import PLUMBLINE, environment, main

ROWS = 2_650_000  # of the waveform generator's 40 features: about 770 bytes each


class Large(unittest.TestCase):
    def test_two_gigabytes_fit_in_200_megabytes(self):
        # The limit is on the address space, which is more than the memory that is used.
        script = (
            f"set -o pipefail; '{PLUMBLINE}' generate waveform -n {ROWS} | tee >(wc -c >&2) |"
            f" (ulimit -v 200000; exec '{PLUMBLINE}' run - --json --progress none --learners 1"
            " --calibrator none --policy always_train --batch 1000)"
        )
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=900,
                              env=environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(int(done.stderr.split()[-1]), 2_000_000_000)
        self.assertEqual(json.loads(done.stdout)["examples"], ROWS)


if __name__ == "__main__":
    main()

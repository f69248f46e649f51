"""The paper's ten data sets all run. Skipped where they are not: `plumbline datasets list`."""

import json
import os
import shlex

from support import InFolder, environment, main, run

ENV = environment(**{k: os.environ[k] for k in ("PLUMBLINE_DATA", "HOME") if k in os.environ})
SETS = json.loads(run("datasets", "list", "--json", env=ENV).stdout)


class TenDataSets(InFolder):
    def test_they_are_what_they_should_be(self):
        if not all(entry["path"] for entry in SETS):
            self.skipTest("the data sets are not here")
        done = run("datasets", "verify", env=ENV, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("ok"), 10)

    def test_they_all_run(self):
        for entry in SETS:
            with self.subTest(entry["name"]):
                if not entry["path"]:
                    self.skipTest(f"{entry['name']} is not here")
                done = run("run", entry["path"], "--json", "--batch", entry["batch"],
                           *shlex.split(entry["options"]), timeout=600)
                self.assertEqual(done.returncode, 0, done.stderr)
                result = json.loads(done.stdout)
                self.assertEqual(result["examples"], entry["rows"])
                self.assertEqual(result["features"], entry["features"])
                self.assertTrue(0 < result["log_loss"] < 5)

    def test_more_than_two_classes_are_named(self):
        for entry in SETS:
            if entry["path"] and entry["classes"] > 2:
                done = run("run", entry["path"])
                self.assertEqual(done.returncode, 3)
                self.assertIn("--positive", done.stderr)


if __name__ == "__main__":
    if not any(entry["path"] for entry in SETS):
        print("SKIPPED: no data set is here; see 'plumbline datasets list'")
        raise SystemExit(77)
    main()

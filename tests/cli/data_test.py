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

    def test_more_than_two_classes_run_as_they_are(self):
        for entry in SETS:
            if not entry["path"] or entry["classes"] <= 2:
                continue
            for scheme in ("ovr", "ovo"):
                with self.subTest(entry["name"], scheme=scheme):
                    done = run("run", entry["path"], "--json", "--limit", 6000,
                               "--multiclass", scheme, timeout=600)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    result = json.loads(done.stdout)
                    self.assertEqual(len(result["classes"]), entry["classes"])
                    self.assertLess(result["log_loss"], result["base_rate"]["log_loss"])


if __name__ == "__main__":
    if not any(entry["path"] for entry in SETS):
        print("SKIPPED: no data set is here; see 'plumbline datasets list'")
        raise SystemExit(77)
    main()

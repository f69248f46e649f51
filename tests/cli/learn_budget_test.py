"""The learn budget: --learn-budget."""

import json

from support import InFolder, main, run


class LearnBudget(InFolder):
    def setUp(self):
        super().setUp()
        self.write("a.csv", self.ok("generate", "sea", "-n", 600).stdout)

    def fails(self, *arguments):
        done = run(*arguments, cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        return done.stderr

    def test_the_share_is_kept_and_reported(self):
        for preset in ("auto", "fast", "paper"):
            with self.subTest(preset=preset):
                result = json.loads(self.ok("run", "a.csv", "--preset", preset, "--batch", 6, "--learn-budget", 0.2,
                                            "--json").stdout)
                self.assertEqual(result["config"]["learn_budget"], 0.2)
                self.assertLessEqual(result["training_share"], 0.21)
        shown = self.ok("run", "a.csv", "--batch", 6, "--learn-budget", 0.2).stdout
        self.assertIn("minibatches of 6, learn budget 0.2;", shown)
        self.assertIn("trained      0.2000 of the minibatches (learn budget 0.2)", shown)

    def test_a_burst_trains_at_first(self):
        result = json.loads(self.ok("run", "a.csv", "--learn-budget", 0.1, "--learn-burst", 61, "--json").stdout)
        self.assertAlmostEqual(result["training_share"], 0.2, delta=0.002)
        self.assertIn("learn_burst", self.fails("run", "a.csv", "--learn-burst", 0))

    def test_1_is_the_default(self):
        self.ok("run", "a.csv", "--save", "one")
        self.ok("run", "a.csv", "--learn-budget", 1, "--save", "two")
        self.assertEqual((self.folder / "one").read_bytes(), (self.folder / "two").read_bytes())

    def test_a_run_resumes_exactly(self):
        for policy in ("always:action=both", "selective"):
            budget = ["--policy", policy, "--learn-budget", 0.3]
            self.ok("run", "a.csv", *budget, "--save", "whole")
            self.ok("run", "a.csv", *budget, "--limit", 170, "--save", "m")
            self.ok("run", "a.csv", "--load", "m", "--skip", 170, "--save", "m")
            self.assertEqual((self.folder / "m").read_bytes(), (self.folder / "whole").read_bytes())

    def test_a_file_may_set_it(self):
        config = self.ok("config", "--learn-budget", 0.25).stdout
        self.assertIn("learn_budget = 0.25", config)
        self.write("c.toml", config)
        result = json.loads(self.ok("run", "a.csv", "--config", "c.toml", "--json").stdout)
        self.assertLessEqual(result["training_share"], 0.252)
        self.assertIn("learn_budget = 1", self.ok("config").stdout)

    def test_inspect_shows_it(self):
        self.ok("run", "a.csv", "--learn-budget", 0.25, "--save", "m")
        self.assertIn("learn budget 0.25", self.ok("inspect", "m").stdout)

    def test_what_is_not_a_share_is_refused(self):
        for bad in ("0", "1.5", "-1", "nan", "x"):
            self.assertIn("--learn-budget", self.fails("run", "a.csv", f"--learn-budget={bad}"))
        self.assertIn("learn_budget", self.fails("run", "a.csv", "--set", "learn_budget=2"))
        self.assertIn("greedy", self.fails("run", "a.csv", "--policy", "greedy", "--learn-budget", 0.5))


if __name__ == "__main__":
    main()

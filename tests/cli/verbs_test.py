"""compare, inspect, config and datasets as a user meets them."""

import gzip
import json
import tomllib

from support import InFolder, environment, main, run


class Compare(InFolder):
    def setUp(self):
        super().setUp()
        self.generate("sea.csv", "sea", "-n", 1500)

    def results(self, *arguments):
        done = self.ok("compare", "sea.csv", "--json", *arguments)
        return json.loads(done.stdout)

    def test_every_combination_runs_and_the_best_is_marked(self):
        result = self.results("--policy", "ucb1", "fixed:every=4", "--learner",
                              "gaussian_nb,logistic:penalty=l1,alpha=0.01", "--runs", 3)
        titles = [row["configuration"] for row in result["results"]]
        self.assertEqual(titles, [
            "gaussian_nb + ucb1", "gaussian_nb + fixed:every=4",
            "logistic:penalty=l1,alpha=0.01 + ucb1", "logistic:penalty=l1,alpha=0.01 + fixed:every=4"])
        best = min(result["results"], key=lambda row: row["log_loss"])
        self.assertEqual(result["best"], best["configuration"])
        text = self.ok("compare", "sea.csv", "--policy", "ucb1", "fixed:every=4").stdout
        self.assertEqual(text.count("*"), 2)  # the best one, and what the mark means

    def test_each_is_what_run_would_have_measured(self):
        result = self.results("--policy", "ucb1", "thompson", "--seed", 5)
        for row in result["results"]:
            alone = json.loads(self.ok("run", "sea.csv", "--json", "--seed", 5, "--policy",
                                       row["configuration"]).stdout)
            self.assertEqual(row["log_loss"], alone["log_loss"])
            self.assertEqual(row["ece"], alone["ece"])

    def test_threads_change_nothing(self):
        def figures(threads):
            rows = self.results("--policy", "ucb1", "thompson", "always_train", "--runs", 2,
                                "--threads", threads)["results"]
            return [{k: v for k, v in row.items() if k != "examples_per_second"} for row in rows]

        self.assertEqual(figures(1), figures(4))

    def test_shuffled_runs_differ_and_have_intervals(self):
        rows = self.results("--learner", "logistic", "--policy", "fixed:every=4", "--runs", 4,
                            "--shuffle")["results"]
        self.assertGreater(rows[0]["log_loss_ci95"], 0)

    def test_the_report_has_tables_and_curves(self):
        self.ok("compare", "sea.csv", "--policy", "ucb1", "always_train", "--runs", 2, "--report",
                "r.html")
        html = (self.folder / "r.html").read_text()
        for part in ["Running log-loss", "ucb1", "always_train", "<table"]:
            self.assertIn(part, html)

    def test_names_are_checked_before_anything_runs(self):
        done = run("compare", "sea.csv", "--policy", "ucb1", "thomson", cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean 'thompson'", done.stderr)


class Inspect(InFolder):
    def test_shows_what_a_model_has_come_to(self):
        self.generate("sea.csv", "sea", "-n", 1000)
        self.ok("run", "sea.csv", "--save", "m", "--learners", 4, "--preset", "paper")
        text = self.ok("inspect", "m").stdout
        for part in ["1,000 examples in 20 minibatches", "3 numeric columns", "4 x gaussian_nb",
                     "ucb1", "calibrator", "probability", "mean reward", "last 20 minibatches"]:
            self.assertIn(part, text)
        result = json.loads(self.ok("inspect", "m", "--json").stdout)
        self.assertEqual(len(result["learners"]), 4)
        self.assertEqual(len(result["history"]), 20)
        self.assertEqual({arm["action"] for arm in result["arms"]}, {"train", "calibrate"})
        self.assertEqual(result["label"]["positive"], "1")

    def test_shows_the_context_where_one_is_kept(self):
        self.generate("sea.csv", "sea", "-n", 1000)
        names = ["since_calibration", "calibration_error", "loss_trend", "drift"]
        for options, kept in [(["--policy", "lin_ucb"], True), (["--policy", "ucb1"], False)]:
            self.ok("run", "sea.csv", "--save", "m", *options)
            text = self.ok("inspect", "m").stdout
            context = json.loads(self.ok("inspect", "m", "--json").stdout)["context"]
            if not kept:
                self.assertNotIn("context", text)
                self.assertIsNone(context)
                continue
            self.assertEqual(list(context), names)
            lines = text.split("context of the last round\n")[1].splitlines()[:4]
            self.assertEqual([line.split()[:2] for line in lines],
                             [[name, f"{context[name]:.4f}"] for name in names])
            self.assertTrue(0 < context["calibration_error"] < 1, context)

    def test_ascii_where_the_locale_is_not_unicode(self):
        self.generate("sea.csv", "sea", "-n", 200)
        self.ok("run", "sea.csv", "--save", "m", "--policy", "lin_ucb")
        text = self.ok("inspect", "m", env=environment(LC_ALL="C")).stdout
        self.assertTrue(text.isascii(), text)


class Config(InFolder):
    def test_prints_toml_with_every_option_and_its_meaning(self):
        text = self.ok("config").stdout
        config = tomllib.loads(text)
        self.assertEqual(set(config), {"seed", "batch", "label_delay", "learn_budget", "learn_burst",
                                       "label_budget", "label_choice", "actions",
                                       "first_round", "companions", "multiclass",
                                       "learner", "ensemble", "calibrator", "policy", "reward",
                                       "encoder"})
        self.assertIn("discounted_thompson", text)
        full = json.loads(self.ok("config", "--json").stdout)
        for family in ["learner", "ensemble", "calibrator", "policy", "reward", "encoder"]:
            given = {**config[family], **({"name": "online_boost"} if family == "ensemble" else {})}
            self.assertEqual(given, full[family], family)

    def test_what_it_prints_it_reads(self):
        for options in [["--learner", "logistic:penalty=l1"], ["--policy", "discounted_ucb1"],
                        ["--reward", "cost:false_negative=5"], ["--seed", "18446744073709551615"]]:
            self.write("c.toml", self.ok("config", *options).stdout)
            again = self.ok("config", "--config", "c.toml").stdout
            self.assertEqual(again, (self.folder / "c.toml").read_text())


class Datasets(InFolder):
    def test_lists_the_ten_and_where_to_get_them(self):
        text = self.ok("datasets", "list", "--data", "nowhere").stdout
        self.assertEqual(text.count("missing"), 10)
        self.assertEqual(text.count("https://"), 10)
        sets = json.loads(self.ok("datasets", "list", "--json").stdout)
        self.assertEqual(len(sets), 10)
        self.assertEqual(sum(entry["rows"] for entry in sets), 681612)

    def test_looks_where_it_is_told(self):
        for folder in ["given", "env", "data", "xdg/plumbline", "home/.local/share/plumbline"]:
            (self.folder / folder).mkdir(parents=True)
            self.write(f"{folder}/musk2.csv.gz", gzip.compress(b"x"))
        places = dict(HOME=str(self.folder / "home"))

        def path(*arguments, **env):
            done = self.ok("datasets", "path", "musk2", *arguments, env=environment(**places, **env))
            return done.stdout.strip()

        env = {"PLUMBLINE_DATA": str(self.folder / "env")}
        self.assertEqual(path("--data", "given", **env), "given/musk2.csv.gz")
        self.assertEqual(path(**env), f"{self.folder}/env/musk2.csv.gz")
        self.assertEqual(path(), "data/musk2.csv.gz")
        (self.folder / "data").rename(self.folder / "elsewhere")
        xdg = str(self.folder / "xdg")
        self.assertEqual(path(XDG_DATA_HOME=xdg), f"{xdg}/plumbline/musk2.csv.gz")
        self.assertEqual(path(), f"{self.folder}/home/.local/share/plumbline/musk2.csv.gz")

    def test_a_missing_one_is_explained(self):
        done = run("datasets", "path", "forest", "--data", "nowhere", cwd=self.folder)
        self.assertEqual(done.returncode, 5)
        for part in ["'forest' is not in 'nowhere'", "https://", "--data DIR"]:
            self.assertIn(part, done.stderr)

    def test_verifies_checksums_of_the_unpacked_file(self):
        self.write("musk2.csv.gz", gzip.compress(b"a,y\n1,0\n"))
        done = run("datasets", "verify", "musk2", "--data", ".", cwd=self.folder)
        self.assertEqual(done.returncode, 3)
        self.assertIn("DIFFERS", done.stdout)

    def test_a_task_has_the_rows_of_a_run_in_its_order(self):
        header = ",".join(f"f{i}" for i in range(21)) + ",label\n"
        rows = [(i, "1" if i % 3 == 0 else "0") for i in range(12)]  # 4 and 8
        self.write("mushroom.csv", header + "".join("0," * 20 + f"{i},{label}\n" for i, label in rows))

        def task(seed):
            text = self.ok("datasets", "task", "mushroom", "--data", ".", "--seed", seed).stdout
            head, *lines = text.splitlines()
            self.assertEqual(head, ",".join(f"x{i}" for i in range(1, 22)) + ",label")
            return [(int(line.split(",")[20]), line.split(",")[21]) for line in lines]

        first, second = task(1), task(2)
        # Balanced by the first rows of the larger class, shuffled.
        kept = sorted([row for row in rows if row[1] == "1"] + [row for row in rows if row[1] == "0"][:4])
        self.assertEqual(sorted(first), kept)
        self.assertEqual(sorted(second), kept)
        self.assertNotEqual(first, second)
        self.assertEqual(first, task(1))

    def test_a_run_over_a_task_is_a_run_of_the_paper(self):
        header = ",".join(f"f{i}" for i in range(8)) + ",label\n"
        rows = (",".join(str((i * j) % 7 / 8) for j in range(1, 9)) + f",{i % 5 % 2}\n" for i in range(300))
        self.write("weather.csv", header + "".join(rows))
        self.write("task.csv", self.ok("datasets", "task", "weather", "--data", ".").stdout)
        of_run = self.ok("run", "task.csv", "--batch", 100, "--learners", 25, "--set", "companions=", "--json")
        of_paper = self.ok("paper", "--preset", "auto", "--datasets", "weather", "--data", ".", "--runs", 1, "--json")
        self.assertEqual(json.loads(of_paper.stdout)[0]["log_loss"], json.loads(of_run.stdout)["log_loss"])

    def test_a_task_is_of_one_data_set(self):
        for names in [[], ["musk2", "forest"]]:
            done = run("datasets", "task", *names, cwd=self.folder)
            self.assertEqual(done.returncode, 2, names)


if __name__ == "__main__":
    main()

"""plumbline paper on made-up data in the shape of the paper's."""

import csv
import json
import math
import random
import re
import signal
import subprocess
import time

from support import PLUMBLINE, InFolder, environment, main, run

FIELDS = ["table", "learner", "T", "l1_lambda", "dataset", "policy", "runs", "log_loss", "ci95",
          "paper_log_loss", "paper_ci95", "ratio"]
COLUMNS = ["uncalibrated", "best_fixed", "worst_fixed", "ucb1", "ucb1_improved", "gts",
           "discounted_ucb1", "discounted_ucb1_improved", "discounted_gts"]
FEATURES = {"landsat": 36, "mushroom": 21, "weather": 8}
CLASSES = {"landsat": "03", "mushroom": "01", "weather": "01"}


class Paper(InFolder):
    def make_data(self, rows, *names):
        (self.folder / "data").mkdir(exist_ok=True)
        for name in names:
            generator = random.Random(name)
            with open(self.folder / "data" / f"{name}.csv", "w") as file:
                file.write(",".join(f"x{j}" for j in range(FEATURES[name])) + ",class\n")
                for _ in range(rows):
                    label = generator.choice(CLASSES[name])
                    shift = 1.0 if label == CLASSES[name][1] else 0.0
                    values = [f"{generator.gauss(shift if j < 3 else 0, 1):.3f}"
                              for j in range(FEATURES[name])]
                    file.write(",".join(values) + f",{label}\n")

    def results(self, out="out"):
        return json.loads((self.folder / out / "results.json").read_text())

    def test_everything_is_written(self):
        self.make_data(400, "landsat", "mushroom")
        done = self.ok("paper", "--tables", "NB10_stationary,LR10_stationary_lambda_0_1", "--datasets",
                       "landsat", "mushroom", "--runs", 3, "--data", "data", "--out", "out")
        results = self.results()
        self.assertEqual(len(results), 2 * 2 * (9 + 7))
        self.assertEqual([key for key in results[0] if key in FIELDS], FIELDS)
        by_policy = {(r["table"], r["dataset"], r["policy"]): r for r in results}
        one = by_policy["NB10_stationary", "landsat", "ucb1"]
        self.assertEqual((one["learner"], one["T"], one["l1_lambda"]), ("gaussian_nb", 10, None))
        self.assertEqual((one["runs"], one["paper_log_loss"], one["paper_ci95"]), (3, 0.072, 0.001))
        self.assertAlmostEqual(one["ratio"], one["log_loss"] / 0.072)
        other = by_policy["LR10_stationary_lambda_0_1", "mushroom", "fixed_6"]
        self.assertEqual((other["learner"], other["l1_lambda"]), ("logistic_l1", 0.1))
        self.assertIsNone(other["paper_log_loss"])
        for table, name in {(r["table"], r["dataset"]) for r in results}:
            fixed = [by_policy[table, name, f"fixed_{n}"]["log_loss"] for n in range(2, 15, 2)]
            self.assertEqual(by_policy[table, name, "best_fixed"]["log_loss"], min(fixed))
            self.assertEqual(by_policy[table, name, "worst_fixed"]["log_loss"], max(fixed))

        with open(self.folder / "out" / "tables.csv") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), "table learner T l1_lambda dataset policy log_loss ci95".split())
        self.assertEqual([row["policy"] for row in rows[:9]], COLUMNS)
        self.assertAlmostEqual(float(rows[3]["log_loss"]), one["log_loss"], places=5)

        page = (self.folder / "out" / "report.html").read_text()
        self.assertFalse(re.search(r"<script|https?://(?!www\.w3\.org)", page))
        self.assertFalse(re.search(r"\bnan\b", page))
        for part in ("What the paper claims", "Ours over theirs", "0.072", "figure 3", "plumbline paper"):
            self.assertTrue(part in page, part)
        figures = sorted(path.name for path in (self.folder / "out" / "figures").iterdir())
        self.assertIn("curve_NB10_stationary_landsat_ucb1_improved.svg", figures)
        self.assertIn("actions_NB10_stationary_mushroom.svg", figures)
        self.assertIn("worst fixed policy beats no calibration", done.stdout)
        self.assertIn("mean |ln(ours/published)| over 36 numbers", done.stdout)
        self.assertIn("100 %", done.stderr)

    def test_results_do_not_depend_on_threads(self):
        self.make_data(300, "mushroom")
        texts = []
        for threads in (1, 3):
            done = self.ok("paper", "--tables", "PERC10_stationary", "--datasets", "mushroom", "--runs", 2,
                           "--data", "data", "--out", f"out{threads}", "--threads", threads, "--json")
            texts.append(done.stdout)
            self.assertEqual(done.stdout, (self.folder / f"out{threads}" / "results.json").read_text())
        self.assertEqual(texts[0], texts[1])

    def test_an_interruption_loses_nothing(self):
        self.make_data(40000, "weather")
        arguments = ["paper", "--tables", "NB10_nonstationary", "--datasets", "weather", "--data",
                     "data", "--threads", "1", "--runs", "2"]
        self.ok(*arguments, "--out", "whole")
        process = subprocess.Popen([PLUMBLINE, *arguments, "--out", "cut"], cwd=self.folder,
                                   env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        journal = self.folder / "cut" / "runs.jsonl"
        deadline = time.monotonic() + 60
        while not (journal.exists() and journal.read_text().count("\n") >= 3):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("--resume", errors)
        before = journal.read_text().count("\n") - 1
        self.assertLess(before, 28)

        refused = run(*arguments, "--out", "cut", cwd=self.folder)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("has runs already", refused.stderr)
        self.ok(*arguments, "--out", "cut", "--resume")
        self.assertEqual(journal.read_text().count("\n") - 1, 28)
        self.assertEqual(self.results("cut"), self.results("whole"))
        self.ok(*arguments[:-1], "1", "--out", "cut", "--overwrite")
        self.assertEqual(self.results("cut")[0]["runs"], 1)

    def test_more_runs_can_be_added(self):
        self.make_data(200, "mushroom")
        arguments = ["paper", "--tables", "LR10_stationary", "--datasets", "mushroom", "--data", "data"]
        self.ok(*arguments, "--out", "a", "--runs", 3)
        self.ok(*arguments, "--out", "b", "--runs", 1)
        self.ok(*arguments, "--out", "b", "--runs", 3, "--resume")
        self.assertEqual(self.results("a"), self.results("b"))

    def test_a_preset_runs_by_itself_beside_the_papers_lowest(self):
        self.make_data(200, "landsat")
        self.ok("paper", "--tables", "NB10_stationary", "--datasets", "landsat", "--preset", "auto",
                "--runs", 2, "--data", "data", "--out", "out")
        [result] = self.results()
        self.assertEqual((result["policy"], result["paper_log_loss"]), ("auto", 0.071))

    def test_a_preset_is_asked_whether_it_is_calibrated(self):
        self.make_data(400, "landsat")
        arguments = ["paper", "--tables", "NB10_stationary", "--datasets", "landsat", "--preset", "auto",
                     "--data", "data"]
        self.ok(*arguments, "--runs", 2, "--out", "out")
        [result] = self.results()
        self.assertEqual(len(result["last_half"]), 2)
        for run in result["last_half"]:
            self.assertEqual(run["inside"], run["bins_outside"] == 0)
            self.assertTrue(1 <= run["bins"] <= 15 and 0 <= run["ece"] <= 1, run)
        page = (self.folder / "out" / "report.html").read_text()
        self.assertIn("Are the probabilities calibrated?", page)
        inside = sum(run["inside"] for run in result["last_half"])
        self.assertIn(f"{inside} of 2", page)
        self.assertTrue((self.folder / "out" / "figures" / "consistency_landsat.svg").exists())
        # The journal keeps what the figures and the table need.
        self.ok(*arguments, "--runs", 1, "--out", "again")
        self.ok(*arguments, "--runs", 2, "--out", "again", "--resume")
        self.assertEqual(self.results("again"), self.results())
        figure = "figures/consistency_landsat.svg"
        self.assertEqual((self.folder / "again" / figure).read_bytes(), (self.folder / "out" / figure).read_bytes())

    def test_a_preset_stands_beside_the_papers_best(self):
        self.make_data(400, "landsat", "mushroom", "weather")
        printed = self.ok("paper", "--tables", "NB10_stationary,LR10_stationary,NB10_nonstationary",
                          "--datasets", "landsat,mushroom,weather", "--preset", "auto", "--runs", 2,
                          "--data", "data", "--out", "out", "--no-figures").stdout
        lines = [re.split("  +", line) for line in printed.split("beside the paper's best")[1].splitlines()]
        printed = {line[0]: line[1:] for line in lines[1:] if len(line) > 1}
        results = self.results()
        self.assertEqual(len(results), 5)
        groups = {"all": results,
                  "stationary": [r for r in results if r["dataset"] != "weather"],
                  "streams that change": [r for r in results if r["dataset"] == "weather"]}
        for key in ("table", "dataset"):
            for name in {r[key] for r in results}:
                groups[name] = [r for r in results if r[key] == name]
        self.assertEqual(set(printed), set(groups))
        for name, rows in groups.items():
            worst = max(rows, key=lambda r: r["ratio"])
            inside = [sum(run["inside"] for run in r["last_half"]) for r in rows]
            self.assertEqual(printed[name], [
                f"{sum(r['ratio'] <= 1 for r in rows)} of {len(rows)}",
                f"{math.prod(r['ratio'] for r in rows) ** (1 / len(rows)):.3f}",
                f"{worst['ratio']:.2f} {worst['dataset']}",
                f"{sum(inside)} of {2 * len(rows)}",
                f"{inside.count(2)} of {len(rows)}"], name)

    def test_the_control_compares_bandits_with_the_best_fixed_policy(self):
        self.make_data(300, "landsat", "mushroom")
        arguments = ["paper", "--control", "--tables", "NB10_stationary,PERC10_stationary", "--datasets",
                     "landsat,mushroom", "--runs", 2, "--data", "data", "--out", "out"]
        printed = self.ok(*arguments).stdout
        text = (self.folder / "out" / "control.json").read_text()
        self.assertEqual(self.ok(*arguments, "--json", "--threads", 3).stdout, text)
        control = json.loads(text)
        self.assertEqual([c["condition"] for c in control["conditions"]],
                         ["baseline", "calibrate_first", "late_fixed", "bandits_fitted", "all_fitted", "memory", "both"])
        for condition in control["conditions"]:
            block = printed.split(f"{condition['condition']}: {condition['text']}")[1]
            self.assertEqual(len(condition["rows"]), 4)
            for policy in condition["policies"]:
                def ratios(rows):
                    return [row["log_loss"][policy["policy"]] / row["best_fixed"] for row in rows]

                def mean(rows):
                    return math.prod(ratios(rows)) ** (1 / len(rows))

                self.assertAlmostEqual(policy["to_best_fixed"], mean(condition["rows"]))
                self.assertEqual(policy["below"], sum(ratio < 1 for ratio in ratios(condition["rows"])))
                for name, value in policy["tables"].items():
                    self.assertAlmostEqual(value, mean([r for r in condition["rows"] if r["table"] == name]))
                self.assertIn(f"{policy['to_best_fixed']:.3f}", block)
            for row in condition["rows"]:
                self.assertEqual(row["best_fixed"],
                                 min(row["log_loss"][f"fixed_{n}"] for n in range(2, 15, 2)))
        page = (self.folder / "out" / "control.html").read_text()
        self.assertFalse(re.search(r"<script|https?://(?!www\.w3\.org)|\bnan\b", page))
        self.assertIn("plumbline paper --control --tables", page)
        self.assertIn("best fixed policy", (self.folder / "out" / "control.svg").read_text())

    def test_the_literal_reading_runs_the_papers_policies_too_and_no_table_runs_twice(self):
        self.make_data(150, "mushroom")
        for preset in ("literal", "paper"):
            self.ok("paper", "--tables", "PERC10_stationary,PERC10_stationary", "PERC10_stationary",
                    "--datasets", "mushroom", "--preset", preset, "--runs", 1, "--data", "data", "--out",
                    preset)
            self.assertEqual(len(self.results(preset)), 9 + 7)
        self.assertNotEqual(self.results("literal"), self.results("paper"))

    def test_no_figures(self):
        self.make_data(150, "mushroom")
        self.ok("paper", "--tables", "NB10_stationary", "--datasets", "mushroom", "--runs", 1, "--data",
                "data", "--out", "out", "--no-figures")
        self.assertFalse((self.folder / "out" / "figures").exists())
        self.assertNotIn("figure 3", (self.folder / "out" / "report.html").read_text())

    def test_bad_input_gets_a_sentence(self):
        self.make_data(50, "mushroom")
        self.write("file", "")
        cases = {
            "unknown table 'NB10'": (2, ["--tables", "NB10"]),
            "unknown data set 'mushrom'; did you mean 'mushroom'?": (2, ["--datasets", "mushrom"]),
            "none of the tables has a row for forest": (
                2, ["--tables", "NB10_stationary", "--datasets", "forest"]),
            "data sets are missing in 'data': krvskp, landsat": (5, ["--tables", "NB10_stationary"]),
            "cannot make the folder": (5, ["--datasets", "mushroom", "--out", "file/out"]),
            "--resume and --overwrite": (2, ["--resume", "--overwrite"]),
        }
        for part, (code, arguments) in cases.items():
            with self.subTest(part):
                done = run("paper", "--data", "data", *arguments, cwd=self.folder)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(part, done.stderr)


if __name__ == "__main__":
    main()

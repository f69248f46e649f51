"""Costs, decisions and shares of positives on the command line."""

import csv
import io
import json
import random

from support import InFolder, main, run


def table_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def payments(rows, seed=1, share=0.08):
    """Rows of two features, an amount and a label; fraud is rare, and amounts differ widely."""
    rng = random.Random(seed)
    text = "speed,distance,amount,fraud\n"
    for _ in range(rows):
        fraud = rng.random() < share
        speed, distance = rng.gauss(1.5 if fraud else 0, 1), rng.gauss(1 if fraud else 0, 1)
        text += f"{speed:.4f},{distance:.4f},{rng.lognormvariate(3, 1):.2f},{'yes' if fraud else 'no'}\n"
    return text


class Costs(InFolder):
    def setUp(self):
        super().setUp()
        self.write("pay.csv", payments(6000))

    def run_json(self, *arguments):
        return json.loads(self.ok("run", *arguments, "--json", "--progress", "none").stdout)

    def amounts(self):
        return [float(row["amount"]) for row in table_of((self.folder / "pay.csv").read_text())]

    def test_figures_are_those_of_the_predictions(self):
        result = self.run_json("pay.csv", "--cost-fp", 4, "--cost-fn-column", "amount",
                               "--predictions", "p.csv")
        rows = table_of((self.folder / "p.csv").read_text())
        self.assertEqual(list(rows[0]), ["row", "label", "score", "probability", "decision"])
        cost = never = always = half = 0
        for row, amount in zip(rows, self.amounts(), strict=True):
            p, y, decision = float(row["probability"]), int(row["label"]), int(row["decision"])
            self.assertEqual(decision, int(p * amount > (1 - p) * 4))
            wrong = amount if y else 4
            cost += wrong * (decision != y)
            half += wrong * ((p > 0.5) != y)
            never += wrong * y
            always += wrong * (1 - y)
        n = len(rows)
        costs = result["costs"]
        for key, total in [("cost", cost), ("at_half", half), ("always_no", never),
                           ("always_yes", always)]:
            self.assertAlmostEqual(costs[key], total / n, places=9)
        self.assertAlmostEqual(costs["savings"], 1 - cost / min(never, always), places=9)
        found = sum(row["decision"] == row["label"] == "1" for row in rows)
        alarms = sum(row["decision"] == "1" for row in rows)
        self.assertEqual(costs["true_positives"], found)
        self.assertAlmostEqual(costs["precision"], found / alarms, places=12)
        # What decisions are for.
        self.assertGreater(costs["savings"], 0)
        self.assertLess(costs["cost"], costs["at_half"])
        self.assertGreater(costs["auc"], 0.8)

    def test_a_column_of_costs_is_no_feature_unless_it_is_named_as_one(self):
        column = ["--cost-fn-column", "amount"]
        self.assertEqual(self.run_json("pay.csv", *column)["features"], 2)
        self.assertEqual(self.run_json("pay.csv", *column, "--numeric", "amount")["features"], 3)
        self.assertEqual(self.run_json("pay.csv", "--cost-fn", 5)["features"], 3)
        # The probabilities are those of a run without the column.
        with_costs = self.run_json("pay.csv", *column)
        self.assertEqual(with_costs["log_loss"],
                         self.run_json("pay.csv", "--ignore", "amount")["log_loss"])

    def test_without_costs_nothing_is_decided(self):
        result = self.run_json("pay.csv", "--predictions", "p.csv")
        self.assertNotIn("costs", result)
        self.assertEqual((self.folder / "p.csv").read_text().splitlines()[0],
                         "row,label,score,probability")
        self.assertNotIn("savings", self.ok("run", "pay.csv").stdout)

    def test_the_summary_and_the_report_tell_what_decisions_cost(self):
        done = self.ok("run", "pay.csv", "--cost-fn", 20, "--report", "r.html")
        for part in ["cost ", "always no:", "always yes:", "deciding at 1/2:", "savings",
                     "balanced accuracy", "AUC"]:
            self.assertIn(part, done.stdout)
        html = (self.folder / "r.html").read_text()
        for part in ["Cost of the decisions", "always no", "decided yes"]:
            self.assertIn(part, html)

    def test_one_class_alone_has_rates_without_value(self):
        self.write("one.csv", "a,y\n" + "1,0\n2,0\n" * 100)
        done = self.ok("run", "one.csv", "--cost-fn", 3)
        self.assertIn("recall -", done.stdout)
        self.assertNotIn("nan", done.stdout)
        costs = self.run_json("one.csv", "--cost-fn", 3)["costs"]
        self.assertIsNone(costs["recall"])
        self.assertIsNone(costs["savings"])

    def test_the_reward_is_paid_by_the_costs_of_the_rows(self):
        options = ["pay.csv", "--ignore", "amount", "--preset", "paper", "--reward"]
        scalar = self.run_json(*options, "cost:false_positive=2,false_negative=30")
        given = self.run_json(*options, "cost", "--cost-fp", 2, "--cost-fn", 30)
        self.assertEqual(given["log_loss"], scalar["log_loss"])
        self.assertEqual(given["actions"], scalar["actions"])
        by_row = self.run_json("pay.csv", "--preset", "paper", "--reward", "cost", "--cost-fp", 2,
                               "--cost-fn-column", "amount")
        self.assertNotEqual(by_row["log_loss"], scalar["log_loss"])

    def test_going_on_is_exact(self):
        costs = ["--cost-fp", 4, "--cost-fn-column", "amount", "--predictions", "p.csv"]
        policy = ["--preset", "paper", "--reward", "cost"]
        self.ok("run", "pay.csv", *costs, *policy, "--save", "whole")
        self.ok("run", "pay.csv", *costs, *policy, "--save", "half", "--limit", 3000)
        self.ok("run", "pay.csv", *costs, "--load", "half", "--save", "half", "--skip", 3000)
        self.assertEqual((self.folder / "half").read_bytes(), (self.folder / "whole").read_bytes())

    def test_a_stopped_run_tells_its_costs_to_go_on_with(self):
        self.write("bad.csv", payments(300) + "1,2,-5,yes\n")
        done = run("run", "bad.csv", "--cost-fp", 4, "--cost-fn-column", "amount", "--save", "m",
                   cwd=self.folder)
        self.assertEqual(done.returncode, 3)
        self.assertIn("bad.csv, line 302, column 3", done.stderr)
        self.assertIn("--load m --skip 300 --cost-fp 4 --cost-fn-column amount --save m", done.stderr)
        # The saved model goes on, with the bad row passed over.
        self.ok("run", "bad.csv", "--load", "m", "--save", "m", "--skip", 250, "--cost-fp", 4,
                "--cost-fn-column", "amount", "--on-bad-row", "skip")

    def test_compare_shows_costs(self):
        arguments = ["compare", "pay.csv", "--policy", "always:action=both", "always_train", "--cost-fp", 4,
                     "--cost-fn-column", "amount"]
        text = self.ok(*arguments).stdout
        self.assertIn(" cost  savings", text)
        rows = json.loads(self.ok(*arguments, "--json").stdout)["results"]
        alone = self.run_json("pay.csv", "--cost-fp", 4, "--cost-fn-column", "amount")
        self.assertEqual(rows[0]["cost"], alone["costs"]["cost"])
        self.assertEqual(rows[0]["savings"], alone["costs"]["savings"])
        self.ok(*arguments, "--report", "r.html")
        self.assertIn("savings", (self.folder / "r.html").read_text())
        shuffled = json.loads(self.ok(*arguments, "--json", "--shuffle", "--runs", 2).stdout)
        self.assertGreater(shuffled["results"][0]["savings"], 0)

    def test_predict_decides(self):
        self.ok("run", "pay.csv", "--cost-fn-column", "amount", "--save", "m")
        plain = table_of(self.ok("predict", "pay.csv", "-m", "m").stdout)
        rows = table_of(self.ok("predict", "pay.csv", "-m", "m", "--cost-fp", 4, "--cost-fn-column",
                                "amount").stdout)
        for row, amount in zip(rows, self.amounts(), strict=True):
            p = float(row["probability"])
            self.assertEqual(row["decision"], str(int(p * amount > (1 - p) * 4)))
        self.assertEqual([{k: row[k] for k in plain[0]} for row in rows], plain)
        # The column need not be one that the model knows.
        self.ok("run", "pay.csv", "--ignore", "amount", "--save", "m")
        self.write("new.csv", "speed,distance,loss\n1,1,100\n0,0,1\n")
        done = self.ok("predict", "new.csv", "-m", "m", "--cost-fn-column", "loss")
        self.assertEqual([row["decision"] for row in table_of(done.stdout)], ["1", "0"])


class Priors(InFolder):
    def setUp(self):
        super().setUp()
        self.write("learn.csv", payments(20000, share=0.3))
        self.ok("run", "learn.csv", "--ignore", "amount", "--save", "m")
        self.write("new.csv", payments(20000, seed=2, share=0.02))

    def probabilities(self, *arguments, file="new.csv"):
        done = self.ok("predict", file, "-m", "m", "--ignore", "amount", *arguments)
        return [float(row["probability"]) for row in table_of(done.stdout)], done.stderr

    def learned_share(self):
        labels = [row["fraud"] == "yes" for row in table_of((self.folder / "learn.csv").read_text())]
        return sum(labels) / len(labels)

    def test_a_known_share_corrects_the_odds(self):
        plain, _ = self.probabilities()
        corrected, _ = self.probabilities("--prior", 0.02)
        learned = self.learned_share()
        factor = 0.02 / 0.98 / (learned / (1 - learned))
        for p, q in zip(plain, corrected, strict=True):
            self.assertAlmostEqual(q, factor * p / (factor * p + 1 - p), places=12)
        # Probabilities that mean what they say have the mean of what happens.
        self.assertGreater(sum(plain) / len(plain), 0.06)
        self.assertLess(abs(sum(corrected) / len(corrected) - 0.02), 0.01)

    def test_the_share_is_estimated_from_rows_without_labels(self):
        text = (self.folder / "new.csv").read_text()
        self.write("bare.csv", "\n".join(line.rsplit(",", 1)[0] for line in text.splitlines()))
        plain, _ = self.probabilities(file="bare.csv")
        estimated, told = self.probabilities("--prior", "estimate", file="bare.csv")
        self.assertIn("from 20000 rows", told)
        share = float(told.split("estimated at ")[1].split()[0])
        # As Saerens et al. find it, from the same probabilities.
        learned = self.learned_share()
        prior = learned
        for _ in range(300):
            factor = prior / (1 - prior) / (learned / (1 - learned))
            prior = sum(factor * p / (factor * p + 1 - p) for p in plain) / len(plain)
        self.assertLess(abs(share - prior), 1e-3 * prior)  # it is told with four digits
        factor = prior / (1 - prior) / (learned / (1 - learned))
        for p, q in zip(plain, estimated, strict=True):
            self.assertLess(abs(q - factor * p / (factor * p + 1 - p)), 1e-3)
        # The labels say 0.02. How near it comes is the model's part, which learned with 0.3.
        self.assertLess(share, 0.1)

    def test_negatives_that_were_left_out_are_put_back(self):
        kept = 0.1
        rng = random.Random(5)
        lines = payments(30000, seed=3, share=0.05).splitlines()
        self.write("thinned.csv", "\n".join(line for line in lines
                                            if not line.endswith("no") or rng.random() < kept))
        done = self.ok("run", "thinned.csv", "--cost-fp", 2, "--cost-fn-column", "amount", "--json",
                       "--negatives-kept", kept, "--save", "m", "--predictions", "p.csv")
        costs = json.loads(done.stdout)["costs"]
        rows = table_of((self.folder / "p.csv").read_text())
        amounts = [float(row["amount"]) for row in table_of((self.folder / "thinned.csv").read_text())]
        whole = cost = never = always = half = alarms = found = 0
        for row, amount in zip(rows, amounts, strict=True):
            p, y, decision = float(row["probability"]), int(row["label"]), int(row["decision"])
            if abs(p * amount - (1 - p) * 2) > 1e-9:  # the rule is the same, its rounding is not
                self.assertEqual(decision, int(p * amount > (1 - p) * 2))
            stands_for = 1 if y else 1 / kept
            wrong = stands_for * (amount if y else 2)
            whole += stands_for
            cost += wrong * (decision != y)
            half += wrong * ((p > 0.5) != y)
            never += wrong * y
            always += wrong * (1 - y)
            alarms += stands_for * decision
            found += decision * y
        for key, total in [("cost", cost), ("at_half", half), ("always_no", never),
                           ("always_yes", always)]:
            self.assertAlmostEqual(costs[key], total / whole, places=8)
        self.assertAlmostEqual(costs["precision"], found / alarms, places=10)
        # The probabilities are for all rows, whose share of positives is 0.05, not for those kept.
        self.write("whole.csv", "\n".join(lines))
        plain, _ = self.probabilities(file="whole.csv")
        corrected, _ = self.probabilities("--negatives-kept", kept, file="whole.csv")
        self.assertGreater(sum(plain) / len(plain), 0.1)
        self.assertLess(abs(sum(corrected) / len(corrected) - 0.05), 0.02)


if __name__ == "__main__":
    main()

"""Model files of earlier versions load, predict and go on learning as they did (tests/model_files)."""

from support import HERE, InFolder, main

FOLDER = HERE.parent / "model_files"
ROWS = {"binary_auto": ("mixed.csv", 200), "binary_paper": ("mixed.csv", 200),
        "binary_literal_logistic": ("mixed.csv", 200), "binary_lin_ucb": ("mixed.csv", 200),
        "binary_forest": ("mixed.csv", 200), "multiclass_forest": ("trees.csv", 200),
        "multiclass_ovr": ("trees.csv", 200), "multiclass_ovo": ("trees.csv", 200),
        "named_libsvm": ("named.svm", 200), "named_vw": ("mail.vw", 150),
        "numbers_only": ("sea.csv", 0), "numbers_only_multiclass": ("abc.csv", 0)}

# Calibrators of scores, with 200 rows of these files learned.
SCORES = {"calibrator_two": "scores.csv", "calibrator_three": "classes.csv"}


class ModelFiles(InFolder):
    def test_there_is_a_test_for_each(self):
        self.assertEqual({path.stem for path in FOLDER.glob("*.safetensors")}, {*ROWS, *SCORES})

    def test_they_say_what_they_said(self):
        for name, (rows, learned) in ROWS.items():
            with self.subTest(name):
                model = FOLDER / f"{name}.safetensors"
                said = self.ok("predict", FOLDER / rows, "-m", model, "--skip", 20, "--limit", 30).stdout
                self.assertEqual(said, (FOLDER / f"{name}.predicted.csv").read_text())
                self.ok("run", FOLDER / rows, "--load", model, "--skip", learned, "--limit", 40,
                        "--predictions", "p.csv", "--save", "m", "--progress", "none")
                self.assertEqual((self.folder / "p.csv").read_text(),
                                 (FOLDER / f"{name}.learned.csv").read_text())
                self.ok("inspect", model, "--json")

    def test_calibrators_go_on_as_they_did(self):
        for name, rows in SCORES.items():
            with self.subTest(name):
                file = FOLDER / f"{name}.safetensors"
                self.ok("calibrate", FOLDER / rows, "--load", file, "--skip", 200, "--predictions", "p.csv", "--save", "c")
                self.assertEqual((self.folder / "p.csv").read_text(), (FOLDER / f"{name}.learned.csv").read_text())
                self.ok("inspect", file, "--json")


if __name__ == "__main__":
    main()

"""Models that are made and removed by requests."""

import csv
import io
import os
import subprocess
import threading
import unittest

from support import SERVER, InFolder, example, wait_until


class Models(InFolder):
    def put(self, server, name, body=None):
        return server.request("PUT", f"/v1/models/{name}", body if body is not None else {})

    def names(self, server):
        return [model["name"] for model in server.request("GET", "/v1/models")[1]["models"]]

    def teach(self, server, name, count=50):
        items = [{"row": {"x": i % 2}, "label": i % 2} for i in range(count)]
        self.assertEqual(server.lines("learn", items, name)[0], 200)
        self.assertTrue(server.wait_until_learned(name))

    def test_a_model_is_made_used_and_removed(self):
        server = self.serve()
        status, model = self.put(server, "clicks", {"preset": "fast", "config": {"batch": 1, "seed": 5}, "classes": ["no", "yes"],
                                                    "costs": {"false_positive": 1, "false_negative": 20}})
        self.assertEqual((status, model["name"], model["classes"]), (201, "clicks", ["no", "yes"]))
        self.assertEqual((model["config"]["seed"], model["batch"], model["costs"]["false_negative"]), (5, 1, 20))
        self.assertEqual(self.names(server), ["clicks", "default"])
        self.assertTrue(server.wait_until_ready())
        self.assertEqual(server.post("predict", {"row": {"x": 1}}, model="clicks")[1]["decision"], "yes")
        self.assertEqual(server.post("learn", {"id": "a", "row": {"x": 1}, "label": "yes"}, model="clicks")[0], 200)
        # The same again is the same; another one is not.
        same = {"preset": "fast", "config": {"batch": 1, "seed": 5}, "classes": ["no", "yes"],
                "costs": {"false_positive": 1, "false_negative": 20}}
        self.assertEqual(self.put(server, "clicks", same)[0], 200)
        status, answer = self.put(server, "clicks", {})
        self.assertEqual(status, 409)
        self.assertIn("with other options", answer["detail"])
        self.assertTrue(server.wait_until_learned("clicks"))
        file = server.file("clicks")[1]
        # It is there after a crash and after a stop.
        server.kill()
        server = self.serve()
        self.assertEqual(server.file("clicks")[1], file)
        self.assertEqual(server.stop(), 0)
        server = self.serve()
        self.assertEqual(server.post("learn", {"id": "a", "row": {"x": 1}, "label": "yes"}, model="clicks")[1]["status"],
                         "duplicate")
        # It goes, with its listeners, and can be made anew.
        listener = server.connect()
        listener.request("GET", "/v1/models/clicks/events")
        events = listener.getresponse()
        events.readline()
        self.assertEqual(server.request("DELETE", "/v1/models/clicks"), (200, {"removed": "clicks"}))
        self.assertFalse((self.folder / "data" / "clicks").exists())
        events.read()  # it ends
        listener.close()
        self.assertEqual(self.names(server), ["default"])
        for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/predict"), ("GET", "/events")):
            body = {"row": {}} if method == "POST" else None
            self.assertEqual(server.request(method, "/v1/models/clicks" + path, body)[0], 404, path)
        self.assertEqual(self.put(server, "clicks")[0], 201)
        self.assertTrue(server.wait_until_ready())
        self.assertEqual(server.model("clicks")["counts"]["labels"]["logged"], 0)
        self.assertEqual(server.request("DELETE", "/v1/models/default")[0], 200)
        server.kill()
        server = self.serve()
        self.assertEqual(self.names(server), ["clicks"], "the default model is not made again beside others")

    def test_columns_and_model_files(self):
        server = self.serve()
        generator = self.generator()
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(["x", "y", "place", "new", "label"])
        for _ in range(200):
            row, label = example(generator)
            writer.writerow([row["x"], row["y"], row["place"], int(row["new"]), ["no", "yes"][label]])
        status, model = self.put(server, "columns", {"columns": {"csv": text.getvalue(), "ignore": ["y"]}})
        self.assertEqual(status, 201, model)
        self.assertEqual(model["columns"], {"x": "numeric", "place": "categorical", "new": "numeric", "y": "ignored"}
                         if "y" in model["columns"] else {"x": "numeric", "place": "categorical", "new": "numeric"})
        self.assertEqual(model["classes"], ["no", "yes"])
        self.assertTrue(server.wait_until_ready())
        self.assertEqual(server.post("predict", {"row": {"z": 1}}, model="columns")[0], 422)
        # A model of another server, or of `plumbline run --save`.
        self.teach(server, "default")
        file = server.file()[1]
        self.assertEqual(server.request("PUT", "/v1/models/copy", file, {"Content-Type": "application/octet-stream"})[0], 201)
        self.assertTrue(server.wait_until_ready())
        row = {"row": {"x": 1}}
        self.assertEqual(server.post("predict", row, model="copy")[1]["probability"], server.post("predict", row)[1]["probability"])

    def test_mistakes_make_nothing(self):
        server = self.serve("--max-models", "2")
        for expected, name, body, part in [
            (400, "m", b"{", "malformed JSON"), (422, "m", b"[]", "not an object"), (422, "m", b'{"x": 1}', "unknown key 'x'"),
            (422, "m", b'{"preset": "nothing"}', "nothing"), (422, "m", b'{"preset": 1}', "wrong type"),
            (422, "m", b'{"config": {"batch": -1}}', "batch"), (422, "m", b'{"config": {"nothing": 1}}', "nothing"),
            (422, "m", b'{"config": {"label_delay": 5}}', "delay"),
            (422, "m", b'{"classes": ["a"]}', "two classes"), (422, "m", b'{"classes": ["a", "a"]}', "twice"),
            (422, "m", b'{"classes": "ab"}', "wrong type"), (422, "m", b'{"costs": {"false_positive": -1}}', "above 0"),
            (422, "m", b'{"costs": {"miss": 1}}', "unknown key"), (422, "m", b'{"columns": {}}', "needs 'csv'"),
            (422, "m", b'{"columns": {"csv": "x,label\\n"}}', ""), (422, "m", b'{"columns": {"csv": "x\\n1\\n", "y": 1}}', "unknown"),
            (422, ".m", b"{}", "letters"), (422, "m.new", b"{}", ".new"), (422, "lock", b"{}", "lock"), (422, "m" * 65, b"{}", "64"),
            (422, "%2e%2e", b"{}", "letters"), (400, "m", b"{" * 1000, "malformed"), (422, "m", b'{"config": 1}', ""),
        ]:
            status, answer = self.put(server, name, body)
            self.assertEqual(status, expected, (name, body, answer))
            self.assertIn(part, answer["detail"], body)
        status, answer = server.request("PUT", "/v1/models/m", b"nonsense", {"Content-Type": "application/octet-stream"})
        self.assertEqual(status, 422)
        self.assertEqual(server.request("PUT", "/v1/models/m", b"{}", {"Content-Type": "text/plain"})[0], 415)
        self.assertEqual(sorted(os.listdir(self.folder / "data")), ["default", "lock"])
        self.assertEqual(self.put(server, "second")[0], 201)
        status, answer = self.put(server, "third")
        self.assertEqual(status, 429)
        self.assertIn("--max-models", answer["detail"])
        self.assertEqual(self.names(server), ["default", "second"])
        # What a killed server left of one that it made or removed.
        server.kill()
        os.mkdir(self.folder / "data" / "half.new")
        os.rename(self.folder / "data" / "second", self.folder / "data" / "second.removed")
        server = self.serve()
        self.assertEqual(self.names(server), ["default"])
        self.assertEqual(sorted(os.listdir(self.folder / "data")), ["default", "lock"])

    def test_removing_under_load(self):
        server = self.serve()
        stop, wrong = threading.Event(), []

        def load(kind):
            connection = server.connect()
            i = 0
            while not stop.is_set():
                i += 1
                item = {"id": f"{kind}{i}", "row": {"x": i % 3}}
                if kind == "learn":
                    item["label"] = i % 2
                status, _ = server.post(kind, item, connection, "busy")
                if status not in (200, 404, 503):
                    wrong.append(status)
            connection.close()

        threads = [threading.Thread(target=load, args=(kind,)) for kind in ("learn", "predict", "learn")]
        for thread in threads:
            thread.start()
        for _ in range(15):
            self.assertEqual(self.put(server, "busy", {"preset": "fast"})[0], 201)
            self.assertTrue(wait_until(lambda: server.model("busy")["counts"]["labels"]["logged"] > 3))
            self.assertEqual(server.request("DELETE", "/v1/models/busy")[0], 200)
        stop.set()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertEqual(os.listdir(self.folder / "data" / "default").count("log.sqlite"), 1)
        self.assertEqual(server.stop(), 0)

    def test_of_two_at_once_one_is_made(self):
        server = self.serve()
        answers = []
        threads = [threading.Thread(target=lambda seed=seed: answers.append(self.put(server, "m", {"config": {"seed": seed}})[0]))
                   for seed in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(answers), [201] + [409] * 5)

    def test_only_admins(self):
        import hashlib

        tokens = self.folder / "tokens"
        tokens.write_text("".join(f"{scope} {scope} {hashlib.sha256(scope.encode()).hexdigest()}\n" for scope in ("learn", "admin")))
        server = self.serve("--tokens", tokens)
        for token, expected in (("learn", 403), ("admin", 201)):
            headers = {"Authorization": f"Bearer {token}"}
            self.assertEqual(server.request("PUT", "/v1/models/m", {}, headers)[0], expected)
        self.assertEqual(server.request("DELETE", "/v1/models/m", headers={"Authorization": "Bearer learn"})[0], 403)
        self.assertEqual(server.request("GET", "/v1/models/m/export", headers={"Authorization": "Bearer learn"})[0], 403)


class Export(InFolder):
    """What is exported gives `plumbline run` the same model."""

    def tool(self, *arguments):
        done = subprocess.run([os.path.join(os.path.dirname(SERVER), "plumbline"), *map(str, arguments)], capture_output=True,
                              text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def export(self, to, name="default"):
        done = subprocess.run([SERVER, "--data", str(self.folder / "data"), "--name", name, "--export", str(to)],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_rows_with_columns(self):
        generator = self.generator()
        sample = self.folder / "sample.csv"
        with open(sample, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["x", "y", "place, \"quoted\"", "new", "time", "label"])
            for i in range(200):
                row, label = example(generator)
                writer.writerow([row["x"], row["y"], row["place"], str(row["new"]).lower(), f"2024-01-01 00:{i // 60:02}:{i % 60:02}",
                                 ["no", "yes"][label]])
        server = self.serve("--schema", sample)
        items = []
        for i in range(900):
            row, label = example(generator)
            place = row.pop("place")
            row["place, \"quoted\""] = place if i % 9 else "a \"text\", quoted"
            row["time"] = f"2024-01-02 00:{i // 60:02}:{i % 60:02}"
            if i % 7 == 0:
                del row["x"]
            if i % 11 == 0:
                row["y"] = None
            items.append({"row": row, "label": ["no", "yes"][label]})
        self.assertEqual({answer.get("status") for answer in server.lines("learn", items)[1]}, {"accepted"})
        self.assertTrue(server.wait_until_learned())
        self.assertEqual(server.model()["counts"]["labels"]["refused"], 0)
        file = server.file()[1]
        log, saved = self.folder / "log.csv", self.folder / "saved"
        self.export(log)
        self.tool("run", log, "--load", self.folder / "data" / "default" / "initial.safetensors", "--save", saved)
        self.assertEqual(saved.read_bytes(), file)
        self.assertEqual(self.export("-"), log.read_text())
        status, content = server.request("GET", "/v1/models/default/export")
        self.assertEqual((status, content.decode()), (200, log.read_text()))
        with open(log, newline="") as lines:
            rows = list(csv.DictReader(lines))
        self.assertEqual(len(rows), 900)
        self.assertEqual(rows[0]["place, \"quoted\""], "a \"text\", quoted")
        self.assertEqual(server.request("GET", "/v1/models/default/export?format=xml")[0], 400)
        self.assertEqual(server.request("GET", "/v1/models/default/export?format=vw")[0], 422)

    def test_rows_that_name_their_features(self):
        server = self.serve("--preset", "fast", "--batch", "1")
        generator = self.generator()
        items = []
        for i in range(600):
            row, label = example(generator)
            items.append({"row": {**row, "count": 1e-7 * i} if i % 3 else row, "label": label})
        self.assertEqual(server.lines("learn", items)[0], 200)
        self.assertTrue(server.wait_until_learned())
        log, saved = self.folder / "log.vw", self.folder / "saved"
        self.export(log)
        self.tool("run", log, "--preset", "fast", "--batch", "1", "--sample", "1", "--positive", "1", "--save", saved)
        # But for the names of the classes, of which the tool knows one, the file is the same, to the bit.
        learned = lambda file: file[8 + int.from_bytes(file[:8], "little"):]
        self.assertGreater(len(learned(saved.read_bytes())), 1000)
        self.assertEqual(learned(saved.read_bytes()), learned(server.file()[1]))
        # As CSV, with a column for each name.
        text = self.export("-")
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual(len(rows), 600)
        self.assertEqual(set(rows[0]), {"x", "y", "place", "new", "count", "label"})
        for item, row in zip(items, rows):
            self.assertEqual((float(row["x"]), row["place"], row["new"], row["label"]),
                             (item["row"]["x"], item["row"]["place"], str(item["row"]["new"]).lower(), str(item["label"])))
        (self.folder / "log.csv").write_text(text)
        self.assertIn("600 examples", self.tool("run", self.folder / "log.csv"))
        # A name that the format cannot write.
        server.post("learn", {"row": {"two words": 1}, "label": 1})
        done = subprocess.run([SERVER, "--data", str(self.folder / "data"), "--export", str(log)], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("'two words'", done.stderr)
        self.assertEqual(server.request("GET", "/v1/models/default/export")[0], 200)

    def test_an_empty_log(self):
        server = self.serve()
        self.assertEqual(self.export("-"), "label\n")
        self.assertEqual(server.request("GET", "/v1/models/default/export")[0], 200)


if __name__ == "__main__":
    unittest.main()

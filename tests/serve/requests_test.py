"""The requests of the server: each case of docs/serve.md, batches, streams of lines, and the documents."""

import csv
import json
import unittest

from support import InFolder, example


class PredictAndLearn(InFolder):
    def test_each_case_of_predict_and_learn(self):
        server = self.serve()
        row = {"amount": 12.5, "country": "NL"}
        other = {"amount": 13, "country": "NL"}

        status, first = server.post("predict", {"row": row})
        self.assertEqual((status, first), (200, {"probability": 0.5, "learned": 0}))
        status, first = server.post("predict", {"id": "a", "row": row})
        self.assertEqual((status, first["status"], first["probability"]), (200, "remembered", 0.5))
        self.assertEqual(server.post("learn", {"row": other, "label": 1})[1], {"status": "accepted", "number": 1})
        self.assertTrue(server.wait_until_learned())
        # What was given first is given again, though the model has learned meanwhile.
        status, again = server.post("predict", {"id": "a", "row": row})
        self.assertEqual((status, again), (200, {**first, "status": "repeated"}))
        self.assertNotEqual(server.post("predict", {"row": row})[1]["probability"], 0.5)
        self.assertEqual(server.post("predict", {"id": "a", "row": other})[0], 409)

        status, answer = server.post("learn", {"id": "a", "label": 1})
        self.assertEqual((status, answer), (200, {"id": "a", "status": "accepted", "number": 2}))
        for same in (1, "1", 1.0, "+1", True):
            status, answer = server.post("learn", {"id": "a", "label": same})
            self.assertEqual((status, answer), (200, {"id": "a", "status": "duplicate", "number": 2}))
        status, answer = server.post("learn", {"id": "a", "label": 0})
        self.assertEqual(status, 409)
        self.assertIn("label '1' already", answer["detail"])
        self.assertEqual(server.post("predict", {"id": "a", "row": row})[1]["status"], "labelled")

        status, answer = server.post("learn", {"id": "unknown", "label": 1})
        self.assertEqual(status, 404)
        self.assertIn("send the row with the label", answer["detail"])
        self.assertEqual(server.post("learn", {"id": "early", "row": row, "label": 0})[1]["number"], 3)
        self.assertEqual(server.post("predict", {"id": "early", "row": row})[1]["status"], "labelled")
        server.post("predict", {"id": "b", "row": row})
        self.assertEqual(server.post("learn", {"id": "b", "row": other, "label": 1})[0], 409)
        self.assertEqual(server.post("learn", {"id": "b", "row": row, "label": 1})[0], 200)
        # Without an id, the same row twice is two rows.
        numbers = [server.post("learn", {"row": row, "label": 1})[1]["number"] for _ in range(2)]
        self.assertEqual(numbers, [5, 6])

        counts = server.model()["counts"]
        self.assertEqual(counts["labels"]["logged"], 6)
        self.assertEqual(counts["predictions"]["pending"], 0)
        status, known = server.request("GET", "/v1/models/default/ids/a")
        self.assertEqual((known["label"], known["row"], known["probabilities"]), ("1", row, {"0": 0.5, "1": 0.5}))
        self.assertEqual(server.request("GET", "/v1/models/default/ids/nobody")[0], 404)

    def test_batches_and_lines_answer_each_item_on_its_own(self):
        server = self.serve("--preset", "fast", "--batch", "1")
        generator = self.generator()
        items = []
        for i in range(3000):
            row, label = example(generator)
            items.append({"id": f"n{i}", "row": row, "label": label})
        items[5] = {"id": "n5", "row": {"x": "1"}, "label": "oops"}
        items[7] = {"id": "n4", "row": items[4]["row"], "label": items[4]["label"]}
        status, results = server.lines("learn", items)
        self.assertEqual(status, 200)
        self.assertEqual(len(results), 3000)
        self.assertEqual(results[5]["error"]["status"], 422)
        self.assertEqual(results[7]["status"], "duplicate")
        self.assertEqual([r.get("number") for r in results[:9]], [1, 2, 3, 4, 5, None, 6, 5, 7])
        self.assertTrue(server.wait_until_learned())

        rows = [{"row": example(generator)[0]} for _ in range(600)]
        status, lines = server.lines("predict", rows)
        status, batch = server.post("predict", {"items": rows})
        single = [server.post("predict", row)[1] for row in rows[:20]]
        self.assertEqual(lines, batch["results"])
        self.assertEqual(lines[:20], single)
        self.assertTrue(all(0 < one["probability"] < 1 for one in lines))
        # Bad lines have their own errors, and blank lines no answer.
        body = b'{"row":{"x":1}}\n\nnonsense\n{"row":{"x":[1]}}\n{"items":[]}\r\n{"row":{}}'
        status, content = server.request("POST", "/v1/models/default/predict", body,
                                         {"Content-Type": "application/x-ndjson"})
        answers = [json.loads(line) for line in content.splitlines()]
        self.assertEqual([a["error"]["status"] if "error" in a else 200 for a in answers], [200, 400, 422, 422, 200])
        summary = server.model()["all"]
        self.assertLess(summary["log_loss"], 0.5)
        self.assertEqual(summary["labels"], 2998)

    def test_metrics_use_the_probability_that_was_given(self):
        server = self.serve()
        for i in range(4):
            server.post("predict", {"id": f"p{i}", "row": {"x": i % 2}})
        for _ in range(3):
            for i in range(20):
                server.post("learn", {"row": {"x": i % 2}, "label": i % 2})
        self.assertTrue(server.wait_until_learned())
        before = server.model()["all"]
        for i in range(4):
            server.post("learn", {"id": f"p{i}", "label": i % 2})
        self.assertTrue(server.wait_until_learned())
        after = server.model()["all"]
        # Each of the four was given 0.5, whose loss is ln 2, although the model knows better now.
        added = after["log_loss"] * after["labels"] - before["log_loss"] * before["labels"]
        self.assertAlmostEqual(added / 4, 0.6931471805599453, places=9)
        metrics = server.request("GET", "/v1/models/default/metrics")[1]
        self.assertEqual(sum(metrics["delay"]["counts"]), 4)
        self.assertEqual(metrics["counts"]["labels"]["predicted"], 4)
        self.assertEqual(metrics["last"][0]["id"], "p3")
        self.assertEqual(metrics["last"][0]["probability"], 0.5)
        self.assertEqual(sum(bin["count"] for bin in metrics["reliability"]), 64)
        self.assertEqual(sum(sum(part["actions"].values()) for part in metrics["curve"]), 64)

    def test_columns_of_a_file(self):
        generator = self.generator()
        with open(self.folder / "sample.csv", "w") as file:
            writer = csv.writer(file)
            writer.writerow(["x", "y", "place", "new", "label"])
            for _ in range(200):
                row, label = example(generator)
                writer.writerow([row["x"], row["y"], row["place"], int(row["new"]), "yes" if label else "no"])
        server = self.serve("--schema", self.folder / "sample.csv", "--cost-fp", "1", "--cost-fn", "9")
        model = server.model()
        self.assertEqual(model["classes"], ["no", "yes"])
        self.assertEqual(model["columns"], {"x": "numeric", "y": "numeric", "place": "categorical", "new": "numeric"})
        row = {"x": 1, "y": "2.5", "place": "NL", "new": True}
        status, answer = server.post("predict", {"row": row})
        self.assertEqual(status, 200)
        self.assertIn(answer["decision"], ("no", "yes"))
        self.assertEqual(server.post("predict", {"row": {"x": None, "place": "somewhere new"}})[0], 200)
        status, answer = server.post("predict", {"row": {"z": 1}})
        self.assertEqual((status, answer["detail"]), (422, "the model has no column 'z'"))
        status, answer = server.post("predict", {"row": {"x": "word"}})
        self.assertEqual(status, 422)
        self.assertIn("'word' in 'x' is not a number", answer["detail"])
        self.assertEqual(server.post("learn", {"row": row, "label": "yes"})[0], 200)
        self.assertEqual(server.post("learn", {"row": row, "label": "maybe"})[0], 422)
        # The same command again finds its model; another one is refused.
        self.assertEqual(server.stop(), 0)
        server = self.serve("--schema", self.folder / "sample.csv", "--cost-fp", "1", "--cost-fn", "9")
        self.assertEqual(server.model()["counts"]["labels"]["learned"], 1)
        self.assertEqual(server.stop(), 0)
        with self.assertRaisesRegex(RuntimeError, "made with other options"):
            self.serve("--preset", "fast")
        server = self.serve("--preset", "fast", "--name", "second")
        self.assertEqual([m["name"] for m in server.request("GET", "/v1/models")[1]["models"]], ["default", "second"])

    def test_several_classes(self):
        server = self.serve("--classes", "red,green,blue")
        self.assertEqual(server.post("predict", {"row": {"x": 1}})[1]["probabilities"],
                         {"red": 1 / 3, "green": 1 / 3, "blue": 1 / 3})
        for i in range(60):
            self.assertEqual(server.post("learn", {"row": {"x": i % 3}, "label": ["red", "green", "blue"][i % 3]})[0], 200)
        self.assertTrue(server.wait_until_learned())
        status, answer = server.post("predict", {"id": "g", "row": {"x": 1}})
        self.assertEqual(answer["class"], "green")
        self.assertAlmostEqual(sum(answer["probabilities"].values()), 1)
        self.assertEqual(server.post("learn", {"id": "g", "label": "green"})[0], 200)


class Documents(InFolder):
    def test_open_inference_protocol(self):
        server = self.serve()
        self.assertEqual(server.request("GET", "/v2/health/live")[0], 200)
        self.assertEqual(server.request("GET", "/v2/models/default/ready")[0], 200)
        self.assertEqual(server.request("GET", "/v2")[1]["name"], "plumbline")
        for i in range(30):
            server.post("learn", {"row": {"x": i % 2, "s": "ab"[i % 2]}, "label": i % 2})
        self.assertTrue(server.wait_until_learned())
        inputs = [{"name": "x", "shape": [2], "datatype": "FP64", "data": [0, 1]},
                  {"name": "s", "shape": [2, 1], "datatype": "BYTES", "data": ["a", "b"]}]
        status, answer = server.request("POST", "/v2/models/default/infer", {"id": "r", "inputs": inputs})
        self.assertEqual((status, answer["id"], answer["outputs"][0]["shape"]), (200, "r", [2]))
        low, high = answer["outputs"][0]["data"]
        self.assertLess(low, high)
        direct = [server.post("predict", {"row": {"x": i, "s": "ab"[i]}})[1]["probability"] for i in range(2)]
        self.assertEqual([low, direct[1]], [direct[0], high])
        # One row with an id is remembered.
        one = [{"name": "x", "shape": [1], "datatype": "INT64", "data": [1]}]
        self.assertEqual(server.request("POST", "/v2/models/default/infer", {"id": "one", "inputs": one})[0], 200)
        self.assertEqual(server.post("learn", {"id": "one", "label": 1})[0], 200)
        for wrong in ({}, {"inputs": []}, {"inputs": [{"name": "x", "shape": [2], "datatype": "FP64", "data": [1]}]},
                      {"inputs": [{"name": "x", "shape": [1, 2], "datatype": "FP64", "data": [1, 2]}]}, [1], "x"):
            self.assertEqual(server.request("POST", "/v2/models/default/infer", wrong)[0], 400, wrong)

    def test_openapi_names_what_the_server_answers(self):
        server = self.serve()
        api = server.request("GET", "/openapi.json")[1]
        for path, methods in api["paths"].items():
            concrete = path.replace("{model}", "default").replace("{id}", "x")
            for method in methods:
                if path.endswith("/events") or method == "delete":
                    continue
                status, answer = server.request(method.upper(), concrete)
                self.assertIn(str(status), methods[method]["responses"], f"{method} {path}: {answer}")
            wrong = "PATCH"
            self.assertEqual(server.request(wrong, concrete)[0], 405, path)
        self.assertEqual(server.request("GET", "/nowhere")[0], 404)
        self.assertEqual(server.request("GET", "/v1/models/nobody")[0], 404)
        self.assertEqual(server.request("GET", "/")[0], 200)

    def test_prometheus_text(self):
        server = self.serve()
        server.post("predict", {"id": "a", "row": {"x": 1}})
        server.post("learn", {"id": "a", "label": 1})
        self.assertTrue(server.wait_until_learned())
        text = server.request("GET", "/metrics")[1].decode()
        values = {}
        for line in text.splitlines():
            if not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                self.assertNotIn(name, values)
                values[name] = float(value)
        self.assertEqual(values['plumbline_predictions_total{model="default"}'], 1)
        self.assertEqual(values['plumbline_labels_total{model="default",outcome="accepted"}'], 1)
        self.assertEqual(values['plumbline_model_applied_sequence{model="default"}'], 1)
        self.assertEqual(values['plumbline_label_delay_seconds_count{model="default"}'], 1)
        self.assertEqual(values['plumbline_http_requests_total{route="predict",status="200"}'], 1)

    def test_events_follow_the_model(self):
        server = self.serve()
        connection = server.connect()
        connection.request("GET", "/v1/models/default/events")
        stream = connection.getresponse()
        self.assertEqual(stream.headers["Content-Type"], "text/event-stream")

        def next_event():
            while True:
                line = stream.readline().decode()
                if line.startswith("data: "):
                    return json.loads(line[6:])

        self.assertEqual(next_event()["counts"]["labels"]["learned"], 0)
        for i in range(10):
            server.post("learn", {"row": {"x": i}, "label": i % 2})
        learned = 0
        while learned < 10:
            learned = next_event()["counts"]["labels"]["learned"]
        self.assertEqual(learned, 10)
        connection.close()

    def test_replay_tries_another_configuration(self):
        from support import replay

        server = self.serve("--preset", "fast", "--batch", "1")
        generator = self.generator()
        items = []
        for _ in range(500):
            row, label = example(generator)
            items.append({"row": row, "label": label})
        server.lines("learn", items)
        self.assertTrue(server.wait_until_learned())
        same, file = replay(self.folder / "data")
        self.assertEqual(file, server.file()[1])
        self.assertEqual(same["all"], server.model()["all"])
        other, _ = replay(self.folder / "data", "--preset", "auto")
        self.assertEqual(other["learned"], 500)
        self.assertNotEqual(other["all"]["log_loss"], same["all"]["log_loss"])


if __name__ == "__main__":
    unittest.main()

"""Input that is wrong, hostile or slow: the right status, a sentence, and no effect on others."""

import json
import os
import re
import socket
import threading
import time
import unittest

from support import InFolder, wait_until


class Bodies(InFolder):
    def test_wrong_json_and_wrong_types(self):
        server = self.serve("--max-items", "3")
        cases = [
            (400, b""), (400, b"{"), (400, b"nonsense"), (400, b'{"row":{"x":1}} {}'), (400, b'{"row":{"x":01}}'),
            (400, b'{"row":{"x":NaN}}'), (400, b'{"row":{"x":"\xff"}}'), (400, b'\xef\xbb{"row":{}}'),
            (400, b'{"row":{"x":"\\ud800"}}'), (422, b'{"row":{"x":1e999}}'),
            (422, b"[]"), (422, b"1"), (422, b'"x"'), (422, b"null"), (422, b"{}"), (422, b'{"row":1}'),
            (422, b'{"row":null}'), (422, b'{"row":[]}'), (422, b'{"row":{"x":{}}}'), (422, b'{"row":{"x":[1]}}'),
            (422, b'{"row":{"x":1},"label":1}'), (422, b'{"row":{"x":1},"what":1}'), (422, b'{"id":1,"row":{}}'),
            (422, b'{"id":"","row":{}}'), (422, b'{"id":"a\\u0000b","row":{}}'), (422, b'{"id":"' + b"x" * 257 + b'","row":{}}'),
            (422, b'{"row":{"x":1},"row":{"x":2}}'), (422, b'{"row":{"x":1,"x":2}}'),
            (422, b'{"items":[],"id":"x"}'), (422, b'{"id":"x","items":[]}'), (422, b'{"items":{}}'), (422, b'{"items":"x"}'),
            (422, b'{"items":[[]]}'), (422, b'{"items":[{"items":[]}]}'), (422, b'{"items":[],"items":[]}'),
            (413, b'{"items":[' + b",".join([b'{"row":{"x":1}}'] * 4) + b"]}"),
            (422, b'{"' + b"a" * 63 + "é".encode() + b'":1}'), (422, b"[" * 100_000), (422, b'{"row":' + b'{"x":' * 100_000), (422, b'{"a":' * 100_000),
        ]
        connection = server.connect()
        for expected, body in cases:
            status, answer = server.request("POST", "/v1/models/default/predict", body, connection=connection)
            self.assertEqual(status, expected, (body[:60], answer))
            self.assertEqual(answer["status"], expected)
            self.assertTrue(answer["detail"], body[:60])
        for expected, item in [(422, {"label": 1}), (422, {"row": {"x": 1}}), (422, {"id": "x"}), (422, {"row": {}, "label": 1}),
                               (422, {"row": {"x": 1}, "label": 2}), (422, {"row": {"x": 1}, "label": ""}),
                               (422, {"row": {"x": 1}, "label": None}), (422, {"row": {"x": 1}, "label": [1]}),
                               (422, {"row": {"x": 1}, "label": "NaN"})]:
            self.assertEqual(server.post("learn", item, connection)[0], expected, item)
        self.assertEqual(server.model()["counts"]["labels"]["logged"], 0)
        self.assertEqual(server.post("predict", {"items": []}, connection), (200, {"results": []}))
        # Deep nesting in the other protocol.
        deep = b'{"inputs":' + b"[" * 100_000
        self.assertEqual(server.request("POST", "/v2/models/default/infer", deep)[0], 400)
        # The content type of a form, which a page may send without asking.
        status, answer = server.request("POST", "/v1/models/default/predict", "{}", {"Content-Type": "text/plain"})
        self.assertEqual(status, 415)
        self.assertIn("curl: --json", answer["detail"])

    def test_values_at_the_edge(self):
        server = self.serve()
        self.assertEqual(server.post("learn", {"row": {"x": 1}, "label": 1})[0], 200)
        self.assertTrue(server.wait_until_learned())
        self.assertEqual(server.post("predict", {"row": {"x": 1e150}})[0], 200)
        self.assertEqual(server.post("predict", {"row": {"x": 1e151}})[0], 422)
        self.assertEqual(server.post("learn", {"row": {"x": -1e200}, "label": 1})[0], 422)
        self.assertEqual(server.post("predict", {"row": {"x": 123456789012345678901234567890}})[0], 200)
        self.assertEqual(server.post("predict", {"row": {"": 1, "\u0000": 2, "é\n\"": "ü\\"}})[0], 200)
        id = "ü/\"\\ \n?&%"
        self.assertEqual(server.post("predict", {"id": id, "row": {"é\n\"": "ü\\\u0001"}})[0], 200)
        self.assertEqual(server.post("learn", {"id": id, "label": 0})[0], 200)
        from urllib.parse import quote

        known = server.request("GET", "/v1/models/default/ids/" + quote(id, safe=""))[1]
        self.assertEqual((known["id"], known["row"]), (id, {"é\n\"": "ü\\\u0001"}))
        self.assertTrue(server.wait_until_learned())
        self.assertEqual(server.model()["counts"]["labels"]["refused"], 0)

    def test_bodies_beyond_the_limit(self):
        server = self.serve("--max-body", "1")
        big = b'{"row":{"x":"' + b"a" * (1 << 21) + b'"}}'
        head = b"POST /v1/models/default/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        # Refused by its length alone, before it is sent.
        answer = server.raw(head + b"Content-Length: 99999999999\r\n\r\n")
        self.assertIn(b" 413 ", answer.split(b"\r\n")[0])
        answer = server.raw(head + b"Content-Length: 99999999999999999999999999\r\n\r\n")
        self.assertIn(b" 400 ", answer.split(b"\r\n")[0])
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (big[i:i + 65536] for i in range(0, len(big), 65536)))
        answer = server.raw(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n")
        self.assertIn(b" 413 ", answer.split(b"\r\n")[0])
        # A chunked body within the limit is a body.
        small = b'{"row":{"x":1}}'
        answer = server.raw(head + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(small), small))
        self.assertIn(b" 200 ", answer.split(b"\r\n")[0])
        # curl waits for leave to send.
        answer = server.raw(head + b"Connection: close\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(small) + small)
        self.assertTrue(answer.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 "), answer)


class Connections(InFolder):
    def test_requests_that_are_not_http(self):
        server = self.serve()
        predict = b"POST /v1/models/default/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        for data in (
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", b"nonsense\r\n\r\n", b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
            b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
            b"GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: localhost\r\nBad Header: x\r\n\r\n", b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n",
            # Two lengths: a proxy might take the other one, and see another request in the body.
            predict + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            predict + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
            predict + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\n1234",
            predict + b"Content-Length: 4\r\nContent-Length: 4\r\n\r\n1234",
            predict + b"Content-Length: +4\r\n\r\n1234", predict + b"Content-Length: 0x4\r\n\r\n1234",
            predict + b"Content-Length: -1\r\n\r\n1234", predict + b"Content-Length: 4, 4\r\n\r\n1234",
            predict + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", predict + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
            predict + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n", predict + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
        ):
            answer = server.raw(data, seconds=5)
            self.assertTrue(answer.startswith(b"HTTP/1.1 400 "), (data, answer[:200]))
            self.assertEqual(answer.count(b"HTTP/1.1 "), 1, (data, answer))
        answer = server.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 20_000 + b"\r\n\r\n")
        self.assertTrue(answer.startswith(b"HTTP/1.1 431 "), answer[:200])
        self.assertEqual(server.post("predict", {"row": {"x": 1}})[0], 200)

    def test_a_malformed_request_is_counted_as_what_it_is(self):
        server = self.serve()
        # On a new connection, and after a request without fault.
        server.raw(b"nonsense\r\n\r\n")
        answer = server.raw(b"HEAD /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense\r\n\r\n")
        self.assertIn(b"malformed request", answer)  # the body, which an answer to HEAD lacks
        text = server.request("GET", "/metrics")[1].decode()
        self.assertIn('plumbline_http_requests_total{route="none",status="400"} 2\n', text)
        seconds = re.search(r'plumbline_http_request_duration_seconds_sum{route="none"} (.*)', text)
        # Not the time since the machine started.
        self.assertLess(float(seconds[1]), 10)

    def test_two_requests_at_once_have_two_answers_in_order(self):
        server = self.serve()
        one = b"GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
        two = b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        answer = server.raw(one + two)
        self.assertLess(answer.index(b"HTTP/1.1 200 "), answer.index(b"HTTP/1.1 404 "))

    def test_slow_writers_and_idle_connections_do_not_hold_others(self):
        server = self.serve("--request-timeout", "1", "--idle-timeout", "2", "--threads", "1")
        slow = []
        for data in (b"GET / HT", b"POST /v1/models/default/predict HTTP/1.1\r\nHost: localhost\r\n"
                     b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{", b""):
            for _ in range(50):
                connection = socket.create_connection(("127.0.0.1", server.port))
                connection.sendall(data)
                slow.append((data, connection))
        begin = time.monotonic()
        for _ in range(20):
            self.assertEqual(server.post("predict", {"row": {"x": 1}})[0], 200)
        self.assertLess(time.monotonic() - begin, 1)
        for data, connection in slow:
            connection.settimeout(10)
            answer = b""
            while chunk := connection.recv(4096):
                answer += chunk
            self.assertEqual(answer.startswith(b"HTTP/1.1 408 "), data != b"", (data, answer))
            connection.close()
        self.assertTrue(wait_until(lambda: b"http_connections 1\n" in server.request("GET", "/metrics")[1]))

    def test_clients_that_go_away(self):
        server = self.serve()
        for data in (b"", b"GET /", b"POST /v1/models/default/predict HTTP/1.1\r\nHost: localhost\r\n"
                     b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
                     b"GET /v1/models/default/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
                     b"GET /v1/models/default/events HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            for _ in range(20):
                with socket.create_connection(("127.0.0.1", server.port)) as connection:
                    connection.sendall(data)
        server.post("learn", {"row": {"x": 1}, "label": 1})
        self.assertTrue(wait_until(lambda: b"http_connections 1\n" in server.request("GET", "/metrics")[1]))

    def test_too_many_connections_are_told_so(self):
        server = self.serve("--max-connections", "10")
        held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(10)]
        self.assertTrue(wait_until(lambda: server.raw(b"").startswith(b"HTTP/1.1 503 ")))
        for connection in held:
            connection.close()
        self.assertTrue(wait_until(lambda: server.request("GET", "/v2/health/live")[0] == 200))

    def test_many_idle_connections(self):
        count = 2000
        server = self.serve()
        held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(count)]
        with open(f"/proc/{server.process.pid}/statm") as file:
            before = int(file.read().split()[1])
        begin = time.monotonic()
        for _ in range(20):
            self.assertEqual(server.post("predict", {"row": {"x": 1}})[0], 200)
        self.assertLess(time.monotonic() - begin, 2)
        self.assertLess(before * os.sysconf("SC_PAGESIZE"), 200 << 20)
        for connection in held:
            connection.close()
        self.assertTrue(wait_until(lambda: b"http_connections 1\n" in server.request("GET", "/metrics")[1]))

    def test_a_reader_that_does_not_read_is_dropped_not_waited_for(self):
        server = self.serve()
        connection = socket.create_connection(("127.0.0.1", server.port))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(b"GET /v1/models/default/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        begin = time.monotonic()
        for i in range(30):
            self.assertEqual(server.post("learn", {"row": {"x": i}, "label": i % 2})[0], 200)
        self.assertLess(time.monotonic() - begin, 5)
        connection.close()


class Limits(InFolder):
    def test_too_many_pending_predictions(self):
        server = self.serve("--max-pending", "2")
        self.assertEqual([server.post("predict", {"id": str(i), "row": {"x": 1}})[0] for i in range(3)], [200, 200, 429])
        self.assertEqual(server.post("learn", {"id": "0", "label": 1})[0], 200)
        self.assertEqual(server.post("predict", {"id": "3", "row": {"x": 1}})[0], 200)

    def test_predictions_go_on_while_others_learn(self):
        server = self.serve("--preset", "fast")
        stop = threading.Event()

        def learn():
            items = [{"row": {"x": i % 7, "y": str(i % 3)}, "label": i % 2} for i in range(500)]
            while not stop.is_set():
                server.lines("learn", items)

        threads = [threading.Thread(target=learn) for _ in range(2)]
        for thread in threads:
            thread.start()
        connection = server.connect()
        slowest = 0
        for i in range(200):
            begin = time.monotonic()
            self.assertEqual(server.post("predict", {"row": {"x": i % 7, "y": "1"}}, connection)[0], 200)
            slowest = max(slowest, time.monotonic() - begin)
        stop.set()
        for thread in threads:
            thread.join()
        connection.close()
        self.assertLess(slowest, 2)


if __name__ == "__main__":
    unittest.main()

"""Streams of lines: of any length, in constant memory, answered while they come."""

import json
import os
import socket
import threading
import time
import unittest

from support import InFolder, wait_until

HEAD = (b"POST /v1/models/default/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n")


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


class Stream:
    """A connection that sends chunks and reads the lines of a chunked answer."""

    def __init__(self, server, what="predict"):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        self.socket.sendall(HEAD % what.encode())
        self.file = self.socket.makefile("rb")
        self.rest = b""
        self.head = None

    def send(self, *lines):
        self.socket.sendall(chunk("".join(json.dumps(line) + "\n" for line in lines).encode()))

    def end(self):
        self.socket.sendall(b"0\r\n\r\n")

    def line(self):
        """The next line, or nothing at the end of the answer."""
        if self.head is None:
            self.head = self.file.readline()
            while self.file.readline() not in (b"\r\n", b""):
                pass
        while b"\n" not in self.rest:
            size = int(self.file.readline() or b"0", 16)
            self.rest += self.file.read(size)
            self.file.readline()
            if size == 0:
                return None
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def close(self):
        self.file.close()
        self.socket.close()


class Lines(InFolder):
    def memory(self, server):
        with open(f"/proc/{server.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def stream(self, server, what="predict"):
        stream = Stream(server, what)
        self.addCleanup(stream.close)
        return stream

    def test_each_line_is_answered_while_the_stream_is_open(self):
        server = self.serve()
        stream = self.stream(server, "learn")
        for i in range(3):
            stream.send({"id": f"a{i}", "row": {"x": i}, "label": i % 2})
            self.assertEqual(stream.line(), {"id": f"a{i}", "status": "accepted", "number": i + 1})
        self.assertEqual(server.model()["counts"]["labels"]["logged"], 3)
        # A line that comes in pieces is one line.
        for piece in (b'{"id":"b","ro', b'w":{"x":1},"label', b'":1}', b"\n"):
            stream.socket.sendall(chunk(piece))
            time.sleep(0.02)
        self.assertEqual(stream.line()["number"], 4)
        stream.send({"row": 1}, {"id": "a0", "label": 0})
        self.assertEqual(stream.line()["error"]["status"], 422)
        self.assertEqual(stream.line()["status"], "duplicate")
        # The last line needs no end, and the connection goes on.
        stream.socket.sendall(chunk(b'{"row":{"x":1},"label":1}'))
        stream.end()
        self.assertEqual(stream.line()["number"], 5)
        self.assertIsNone(stream.line())
        stream.socket.sendall(b"GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.assertEqual(stream.file.readline(), b"HTTP/1.1 200 OK\r\n")

    def test_a_stream_beyond_every_limit_takes_little_memory(self):
        # AddressSanitizer would keep 256 MB of what has been freed.
        server = self.serve("--max-body", "1", "--max-items", "10", "--preset", "fast",
                            environment={**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1"})
        self.assertEqual(server.post("learn", {"row": {"x": 1, "y": 2}, "label": 1})[0], 200)
        rows = 1_000_000
        lines = b"".join(b'{"row":{"x":%d,"y":%d}}\n' % (i % 7, i % 11) for i in range(2000))
        before = self.memory(server)
        connection = socket.create_connection(("127.0.0.1", server.port), timeout=60)
        self.addCleanup(connection.close)
        size = len(lines) * (rows // 2000)
        received = []

        def read():
            with connection.makefile("rb") as file:
                while file.readline() != b"\r\n":
                    pass
                count = 0
                while length := int(file.readline(), 16):
                    count += file.read(length).count(b"\n")
                    file.readline()
                received.append(count)

        reader = threading.Thread(target=read)
        reader.start()
        connection.sendall(b"POST /v1/models/default/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                           b"application/x-ndjson\r\nContent-Length: %d\r\n\r\n" % size)
        most = 0
        for _ in range(rows // 2000):
            connection.sendall(lines)
            most = max(most, self.memory(server))
        reader.join(120)
        self.assertEqual(received, [rows])
        # Answers of 1 MiB may wait for the client, and a few parts are worked on; 24 MB are sent, and more come back.
        self.assertLess(most - before, 32 << 20)

    def test_a_client_that_does_not_read_is_waited_for_and_then_left(self):
        server = self.serve("--max-body", "1", "--request-timeout", "2")
        connection = socket.create_connection(("127.0.0.1", server.port))
        self.addCleanup(connection.close)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(1)
        connection.sendall(HEAD % b"predict")
        lines = chunk(b'{"row":{}}\n' * 5000)
        sent, blocked = 0, False
        try:
            for _ in range(2000):
                connection.sendall(lines)
                sent += len(lines)
        except TimeoutError:
            blocked = True
        except (ConnectionResetError, BrokenPipeError):
            pass
        self.assertTrue(blocked, "the server reads on though nobody reads its answers")
        self.assertLess(self.memory(server), 200 << 20)
        self.assertTrue(wait_until(lambda: b"http_connections 1\n" in server.request("GET", "/metrics")[1]))

    def test_a_client_may_send_all_before_it_reads(self):
        server = self.serve()
        status, answers = server.lines("predict", [{"row": {"x": i}} for i in range(120_000)])
        self.assertEqual((status, len(answers)), (200, 120_000))

    def test_mistakes_in_the_middle(self):
        server = self.serve("--max-body", "1", "--request-timeout", "1")
        # Too long a line, first and later.
        long = b'{"row":{"x":"' + b"a" * (1 << 20) + b"b" * (1 << 19)
        answer = server.raw(HEAD % b"predict" + chunk(long))
        self.assertIn(b" 413 ", answer.split(b"\r\n")[0])
        self.assertIn(b"a line exceeds 1048576 bytes", answer)
        stream = self.stream(server)
        stream.send({"row": {}})
        self.assertEqual(stream.line()["probability"], 0.5)
        stream.socket.sendall(chunk(long))
        self.assertEqual(stream.line()["error"]["status"], 413)
        self.assertIsNone(stream.line())
        # A client that stops to send.
        stream = self.stream(server)
        stream.send({"row": {}})
        self.assertEqual(stream.line()["probability"], 0.5)
        self.assertEqual(stream.line()["error"]["status"], 408)
        self.assertIsNone(stream.line())
        # Chunks that are none.
        stream = self.stream(server)
        stream.send({"row": {}})
        self.assertEqual(stream.line()["probability"], 0.5)
        stream.socket.sendall(b"zz\r\n")
        self.assertEqual(stream.line()["error"]["status"], 400)
        # A client that goes away has no effect.
        stream = self.stream(server, "learn")
        stream.send({"row": {"x": 1}, "label": 1})
        self.assertEqual(stream.line()["number"], 1)
        stream.socket.sendall(b"ff\r\n{")
        stream.close()
        self.assertEqual(server.lines("learn", [{"row": {"x": 1}, "label": 1}])[1][0]["number"], 2)
        self.assertTrue(wait_until(lambda: b"http_connections 1\n" in server.request("GET", "/metrics")[1]))
        # HTTP/1.0 knows no chunks: its answer ends with the connection.
        body = b'{"row":{}}\n' * 60_000
        answer = server.raw(b"POST /v1/models/default/predict HTTP/1.0\r\nHost: localhost\r\nContent-Type: "
                            b"application/x-ndjson\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        head, lines = answer.split(b"\r\n\r\n", 1)
        self.assertNotIn(b"chunked", head)
        self.assertEqual(lines.count(b"\n"), 60_000)

    def test_a_stream_waits_until_the_model_has_learned_enough(self):
        server = self.serve("--max-backlog", "500")
        rows = 6000
        begin = [{"row": {"x": i % 5, "y": str(i % 3)}, "label": i % 2} for i in range(rows)]
        worst, done = [0], threading.Event()

        def watch():
            while not done.is_set():
                labels = server.model()["counts"]["labels"]
                worst[0] = max(worst[0], labels["logged"] - labels["learned"])

        watcher = threading.Thread(target=watch)
        watcher.start()
        stream = self.stream(server, "learn")
        answers = []
        for first in range(0, rows, 100):
            stream.send(*begin[first:first + 100])
            answers += [stream.line() for _ in range(100)]
        stream.end()
        self.assertIsNone(stream.line())
        done.set()
        watcher.join()
        self.assertEqual([answer["number"] for answer in answers], list(range(1, rows + 1)))
        self.assertLessEqual(worst[0], 500 + 100, "one part beyond the limit at most")

    def test_an_open_stream_does_not_keep_the_server_from_stopping(self):
        server = self.serve()
        stream = self.stream(server, "learn")
        stream.send({"row": {"x": 1}, "label": 1})
        self.assertEqual(stream.line()["number"], 1)
        begin = time.monotonic()
        self.assertEqual(server.stop(), 0)
        self.assertLess(time.monotonic() - begin, 10)
        self.assertEqual(stream.line()["error"]["status"], 503)


if __name__ == "__main__":
    unittest.main()

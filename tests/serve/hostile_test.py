"""Ten thousand connections that do nothing or too little, and requests that a proxy might end elsewhere.

The number of connections is PLUMBLINE_CONNECTIONS, 2000 by default; each needs a descriptor here and one in the server.
"""

import http.client
import json
import os
import re
import resource
import socket
import statistics
import time
import unittest

from support import InFolder, wait_until

COUNT = int(os.environ.get("PLUMBLINE_CONNECTIONS", 2000))
HEAD = b"POST /v1/models/default/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
BODY = b'{"row":{"x":1}}'
SMUGGLED = b"GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


class ManyConnections(InFolder):
    def descriptors(self, server):
        return len(os.listdir(f"/proc/{server.process.pid}/fd"))

    def memory(self, server):
        with open(f"/proc/{server.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def open_all(self, server):
        """A quarter each: silent, stopped in the header, stopped in the body, and closed for sending in the body."""
        connections = []
        for i in range(COUNT):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=60)
            connections.append(connection)
            if i % 4 > 0:
                connection.sendall(b"GET / HT" if i % 4 == 1 else HEAD + b"Content-Length: 100\r\n\r\n{")
            if i % 4 == 3:
                connection.shutdown(socket.SHUT_WR)
        return connections

    def predict(self, server, connection):
        """Milliseconds."""
        times = []
        for _ in range(100):
            begin = time.monotonic()
            self.assertEqual(server.post("predict", {"row": {"x": 1}}, connection)[0], 200)
            times.append((time.monotonic() - begin) * 1e3)
        return statistics.median(times)

    def test_they_neither_leak_nor_hold_others(self):
        needed = COUNT + 200
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        if most != resource.RLIM_INFINITY and most < needed:
            self.skipTest(f"{needed} descriptors are needed, and {most} allowed")
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        server = self.serve("--request-timeout", "10", "--idle-timeout", "10")
        connection = server.connect()
        alone = self.predict(server, connection)
        descriptors, memory, beside = self.descriptors(server), [], []
        for _ in range(3):
            held = self.open_all(server)
            beside.append(self.predict(server, connection))
            memory.append(self.memory(server))
            for i, one in enumerate(held):
                answer = b""
                try:
                    while part := one.recv(4096):
                        answer += part
                except ConnectionResetError:
                    pass
                # What stopped within a request is told so. A silent one is closed, or told so if the wait for its first
                # byte ended early; one that has ended is, if the time is over when the server sees it.
                if i % 4 in (1, 2):
                    self.assertTrue(answer.startswith(b"HTTP/1.1 408 "), (i, answer))
                self.assertTrue(answer == b"" or answer.startswith(b"HTTP/1.1 408 "), (i, answer))
                one.close()
            # The keep-alive connection may have been idle for too long meanwhile.
            connection.close()
            connection = server.connect()
            self.predict(server, connection)
            self.assertTrue(wait_until(lambda: self.descriptors(server) <= descriptors), self.descriptors(server))
            self.assertTrue(wait_until(lambda: b"http_connections 2\n" in server.request("GET", "/metrics")[1]))
        print(f"{COUNT} connections: {memory[0] >> 20}, {memory[1] >> 20}, {memory[2] >> 20} MiB; predictions in "
              f"{alone:.2f} ms alone, {', '.join(f'{t:.2f}' for t in beside)} ms beside them")
        # What two rounds have taken is used again; the allocator may need some more for other threads.
        self.assertLess(memory[2], memory[1] + (16 << 20))
        connection.close()


class Smuggling(InFolder):
    def statuses(self, server, data):
        return [int(status) for status in re.findall(rb"HTTP/1.1 (\d+) ", server.raw(data, seconds=5))]

    def test_a_body_whose_end_is_in_doubt_is_refused_with_all_that_follows(self):
        server = self.serve("--request-timeout", "2")
        sized = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)
        for data in (
            HEAD + b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n", HEAD + b'Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n',
            HEAD + b"Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n", HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            HEAD + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
            HEAD + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            HEAD + b"Transfer-Encoding:\r\nContent-Length: 15\r\n\r\n" + BODY,
            HEAD + b"Transfer-Encoding: identity\r\nContent-Length: 15\r\n\r\n" + BODY,
            HEAD.replace(b"1.1", b"1.0") + b"Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" + sized,
            HEAD + b"Content-Length: 1 5\r\n\r\n" + BODY, HEAD + b"Content-Length:\r\n\r\n" + BODY,
            HEAD + b"Content-Length: \xa015\r\n\r\n" + BODY, HEAD + b"Content-Length: 15\nX: y\r\n\r\n" + BODY,
            HEAD + b"Content-Length: 15\r\nX: a\rb\r\n\r\n" + BODY, HEAD + b"Content-Length: 15\r\nX: a\0b\r\n\r\n" + BODY,
            HEAD.replace(b"\r\n", b"\n") + b"Content-Length: 15\n\n" + BODY,
            CHUNKED + b"f;a\nb\r\n" + BODY + b"\r\n0\r\n\r\n", CHUNKED + b"f \r\n" + BODY + b"\r\n0\r\n\r\n",
            CHUNKED + b" f\r\n" + BODY + b"\r\n0\r\n\r\n", CHUNKED + b"0xf\r\n" + BODY + b"\r\n0\r\n\r\n",
            CHUNKED + b"+f\r\n" + BODY + b"\r\n0\r\n\r\n", CHUNKED + b"-f\r\n" + BODY + b"\r\n0\r\n\r\n",
            CHUNKED + b"f\n" + BODY + b"\n0\n\n", CHUNKED + b"f\r\n" + BODY + b"XX0\r\n\r\n", CHUNKED + b"\r\n" + BODY + b"\r\n0\r\n\r\n",
            CHUNKED + b"1000000000000000f\r\n" + BODY + b"\r\n0\r\n\r\n",
            CHUNKED + b"f\r\n" + BODY + b"\r\n0\r\nContent-Length: 3\r\n\r\n",
            CHUNKED + b"f\r\n" + BODY + b"\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n",
        ):
            self.assertEqual(self.statuses(server, data + SMUGGLED), [400], data)
        for data in (CHUNKED + b"f;a=" + b"b" * 100_000 + b"\r\n" + BODY + b"\r\n0\r\n\r\n",
                     CHUNKED + b"f\r\n" + BODY + b"\r\n0\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
                     b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\r\n" * 3000 + b"\r\n",
                     b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            self.assertEqual(self.statuses(server, data + SMUGGLED), [431], data[:100])

    def test_a_body_is_never_read_as_a_request(self):
        server = self.serve("--request-timeout", "2")
        length = b"Content-Length: %d\r\n\r\n" % len(SMUGGLED)
        chunks = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(SMUGGLED), SMUGGLED)
        for head, status in ((b"GET /v2/health/ready", 200), (b"POST /nowhere/at/all", 405), (b"DELETE /v2", 405),
                             (b"POST /v1/models/other/predict", 404), (b"POST /v1/models/default/predict", 415)):
            for rest in (length + SMUGGLED, chunks):
                data = head + b" HTTP/1.1\r\nHost: localhost\r\n" + rest
                self.assertEqual(self.statuses(server, data), [status], data)

    def test_unusual_forms_with_one_meaning_are_understood(self):
        server = self.serve()
        close = HEAD + b"Connection: close\r\n"
        for data in (close + b"Content-Length: 0015\r\n\r\n" + BODY, close + b"Transfer-Encoding:\tChunked \r\n\r\nf\r\n" + BODY + b"\r\n0\r\n\r\n",
                     close + b"Transfer-Encoding: chunked\r\n\r\nf;a=b\r\n" + BODY + b'\r\n0;c="d;e"\r\n\r\n',
                     close + b"Transfer-Encoding: chunked\r\n\r\n00000f\r\n" + BODY + b"\r\n0\r\nTrailer: x\r\n\r\n",
                     close + b"X: folded\r\n line\r\nContent-Length: 15\r\n\r\n" + BODY):
            self.assertEqual(self.statuses(server, data), [200], data)
        # And one request after the other.
        keep = HEAD + b"Content-Length: 15\r\n\r\n" + BODY
        self.assertEqual(self.statuses(server, keep * 3 + close + b"Content-Length: 15\r\n\r\n" + BODY), [200] * 4)


class Texts(InFolder):
    def test_what_is_quoted_is_always_json(self):
        server = self.serve()
        for path, host in ((b"/v1/models/\xff\xc3(", b"localhost"), (b"/v1/models/%ff%c3", b"localhost"), (b"/", b"\xe2\x82")):
            answer = server.raw(b"GET " + path + b" HTTP/1.1\r\nConnection: close\r\nHost: " + host + b"\r\n\r\n")
            problem = json.loads(answer.split(b"\r\n\r\n", 1)[1])
            self.assertIn(problem["status"], (404, 421))
            self.assertIn("\ufffd", problem["detail"])


class Giants(InFolder):
    def test_giant_bodies_leave_nothing_behind(self):
        server = self.serve("--max-body", "4")

        def memory():
            with open(f"/proc/{server.process.pid}/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

        bodies = [b'{"row":' + b'{"x":' * 400_000, b"[" * (4 << 20), b'{"row":{"x":"' + b"a" * (3 << 20) + b'"}}',
                  b'{"row":{' + b",".join(b'"f%d":1' % i for i in range(200_000)) + b"}}", b'"' + b"\\u0041" * 600_000]
        used = []
        for _ in range(4):
            for body in bodies:
                status, answer = server.request("POST", "/v1/models/default/predict", body)
                self.assertIn(status, (200, 400, 422), answer)
            for _ in range(5):
                try:
                    self.assertEqual(server.request("POST", "/v1/models/default/predict", b" " * (5 << 20))[0], 413)
                except (BrokenPipeError, ConnectionResetError, http.client.HTTPException):
                    pass  # refused while it was still being sent
            used.append(memory())
        print("resident after rounds of giant bodies:", ", ".join(f"{one >> 20} MiB" for one in used))
        self.assertLess(used[3], used[1] + (16 << 20))


if __name__ == "__main__":
    unittest.main()

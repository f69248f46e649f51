"""What the tests of the server share. Each is called as TEST.py PATH_OF_PLUMBLINE_SERVE."""

import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

SERVER = os.path.abspath(sys.argv.pop())


def wait_until(condition, seconds=60):
    """Waits for an event instead of a time; false if it never comes."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def example(generator):
    """A row and a label that depends on it."""
    x, y = generator.gauss(0, 1), generator.uniform(0, 10)
    place = generator.choice(["NL", "DE", "FR", "IT"])
    return {"x": x, "y": y, "place": place, "new": generator.random() < 0.5}, int(
        x + (place == "NL") + generator.gauss(0, 0.5) > 0.5
    )


class Server:
    """A running server."""

    def __init__(self, data, *options, port=0, limit=None, environment=None):
        self.data = pathlib.Path(data)
        self.log = open(f"{data}.log", "a+")
        begin = self.log.seek(0, os.SEEK_END)

        def prepare():
            if limit is not None:
                limit()

        self.process = subprocess.Popen(
            [SERVER, "--data", str(data), "--listen", f"127.0.0.1:{port}", *map(str, options)],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, preexec_fn=prepare, env=environment,
        )
        self.port = None

        def listens():
            self.log.seek(begin)
            for line in self.log.read().splitlines():
                if '"event":"listening"' in line:
                    self.port = json.loads(line)["port"]
            return self.port is not None or self.process.poll() is not None

        wait_until(listens)
        if self.port is None:
            messages = self.messages()
            self.log.close()
            raise RuntimeError(f"the server did not start: {messages}")

    def messages(self):
        self.log.seek(0)
        return self.log.read()

    def wait_until_ready(self, seconds=60):
        return wait_until(lambda: self.request("GET", "/v2/health/ready")[0] == 200, seconds)

    def connect(self, timeout=30):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def request(self, method, path, body=None, headers=None, connection=None):
        """(status, body): parsed if it is JSON."""
        own = connection or self.connect()
        try:
            data = body if body is None or isinstance(body, (bytes, str)) else json.dumps(body)
            all_headers = {"Content-Type": "application/json"} if data is not None else {}
            own.request(method, path, data, {**all_headers, **(headers or {})})
            answer = own.getresponse()
            content = answer.read()
            if "json" in answer.headers.get("Content-Type", "") and "ndjson" not in answer.headers["Content-Type"]:
                content = json.loads(content)
            return answer.status, content
        finally:
            if connection is None:
                own.close()

    def post(self, what, body, connection=None, model="default"):
        return self.request("POST", f"/v1/models/{model}/{what}", body, connection=connection)

    def lines(self, what, items, model="default"):
        body = "\n".join(json.dumps(item) for item in items)
        status, content = self.request("POST", f"/v1/models/{model}/{what}", body,
                                       {"Content-Type": "application/x-ndjson"})
        return status, [json.loads(line) for line in content.splitlines()] if status == 200 else content

    def model(self, name="default"):
        return self.request("GET", f"/v1/models/{name}")[1]

    def wait_until_learned(self, model="default"):
        def learned():
            labels, batch = self.model(model)["counts"]["labels"], self.model(model)["batch"]
            return labels["logged"] - labels["learned"] < batch

        return wait_until(learned)

    def file(self, model="default"):
        return self.request("GET", f"/v1/models/{model}/file")

    def raw(self, data, seconds=10):
        """Sends bytes and returns all that comes back until the server closes, or the time is over."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as connection:
            connection.sendall(data)
            received = b""
            try:
                while chunk := connection.recv(65536):
                    received += chunk
            except (TimeoutError, ConnectionResetError):
                pass
            return received

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.end_log()

    def stop(self, seconds=60):
        """The exit code after SIGTERM."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(seconds)
        self.end_log()
        return code

    def end_log(self):
        """A race that ThreadSanitizer sees is only a message."""
        messages = self.messages()
        self.log.close()
        if "Sanitizer" in messages:
            raise AssertionError(messages[messages.index("Sanitizer") - 40:][:10_000])


def replay(data, *options, save=None, name="default"):
    """The metrics of a replay, and the bytes of its model."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "model"
        done = subprocess.run(
            [SERVER, "--data", str(data), "--name", name, "--replay", "--save", str(file), *map(str, options)],
            capture_output=True, text=True, timeout=300, check=True,
        )
        return json.loads(done.stdout), file.read_bytes()


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.servers = []
        self.addCleanup(self.end_servers)

    def end_servers(self):
        for server in self.servers:
            if server.process.poll() is None:
                server.kill()
            server.log.close()

    def serve(self, *options, data="data", ready=True, **more):
        server = Server(self.folder / data, *options, **more)
        self.servers.append(server)
        if ready:
            self.assertTrue(server.wait_until_ready(), server.messages())
        return server

    def generator(self, seed=1):
        return random.Random(seed)

"""A server for the tests of the clients, and things that go wrong between them."""

import http.server
import json
import os
import pathlib
import socket
import subprocess
import threading
import time

import pytest


def program():
    """The server, beside the command line tool that PLUMBLINE names."""
    tool = os.environ.get("PLUMBLINE", "")
    found = pathlib.Path(tool).parent / "plumbline-serve"
    if not tool or not found.exists():
        pytest.skip("plumbline-serve is not beside the command line tool that PLUMBLINE names")
    return str(found)


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


class Server:
    """A running server in a folder."""

    def __init__(self, folder, *options, port=0):
        log = folder / "serve.log"
        begin = log.stat().st_size if log.exists() else 0
        with open(log, "a") as to:
            self.process = subprocess.Popen(
                [program(), "--data", str(folder / "data"), "--listen", f"127.0.0.1:{port}", *map(str, options)],
                stdin=subprocess.DEVNULL, stdout=to, stderr=to)

        def listening():
            return [json.loads(line) for line in log.read_text()[begin:].splitlines() if '"event":"listening"' in line]

        assert wait_until(lambda: listening() or self.process.poll() is not None)
        assert listening(), log.read_text()
        self.port = listening()[0]["port"]
        self.url = f"http://127.0.0.1:{self.port}"

    def stop(self):
        self.process.kill()
        self.process.wait()


class Proxy:
    """Passes connections on. The next `cuts` answers are read from the server, and dropped with their connections."""

    def __init__(self, port):
        self.to, self.cuts, self.connections, self.answers = port, 0, 0, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.pass_on, args=(client,), daemon=True).start()

    def pass_on(self, client):
        server = socket.create_connection(("127.0.0.1", self.to))
        threading.Thread(target=self.copy, args=(client, server), daemon=True).start()
        with client, server:
            while answer := server.recv(1 << 20):
                self.answers += 1
                if self.cuts > 0:
                    self.cuts -= 1
                    client.shutdown(socket.SHUT_RDWR)
                    return
                client.sendall(answer)

    @staticmethod
    def copy(source, target):
        try:
            while part := source.recv(1 << 20):
                target.sendall(part)
            target.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self):
        self.listener.close()


class Script:
    """A server that gives the answers of a list, (status, headers, body), and keeps the requests and their times."""

    def __init__(self, *answers):
        left, self.requests, self.times = list(answers), [], []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(handler):
                body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
                self.requests.append((handler.path, dict(handler.headers), body))
                self.times.append(time.time())
                status, headers, text = left.pop(0)
                handler.send_response(status)
                for name, value in headers.items():
                    handler.send_header(name, value)
                handler.send_header("Content-Length", str(len(text)))
                handler.end_headers()
                handler.wfile.write(text.encode())

            do_GET = do_POST = answer

            def log_message(handler, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

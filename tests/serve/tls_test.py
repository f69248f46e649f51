"""TLS, with real clients: curl, openssl s_client, and Python's."""

import signal
import socket
import ssl
import subprocess
import unittest

from support import SERVER, InFolder, wait_until


class Tls(InFolder):
    def certificate(self, name, host="localhost"):
        files = self.folder / f"{name}.pem", self.folder / f"{name}.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-days", "2", "-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host},IP:127.0.0.1",
                        "-out", files[0], "-keyout", files[1]], check=True, capture_output=True)
        return files

    def secure(self, files, *options, **more):
        server = self.serve("--tls-cert", files[0], "--tls-key", files[1], *options, ready=False, **more)
        self.files = files
        self.assertTrue(wait_until(lambda: b"true" in self.curl(server, "/v2/health/ready").stdout))
        return server

    def curl(self, server, path, *options, scheme="https"):
        return subprocess.run(["curl", "-sS", "--max-time", "120", "--cacert", self.files[0], *options,
                               f"{scheme}://localhost:{server.port}{path}"], capture_output=True)

    def openssl(self, server, *options, text=b""):
        return subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", *options], input=text,
                              capture_output=True, timeout=20)

    def test_requests(self):
        server = self.secure(self.certificate("one"))
        row = '{"id": "a", "row": {"x": 1}}'
        self.assertIn(b'"remembered"', self.curl(server, "/v1/models/default/predict", "--json", row).stdout)
        self.assertIn(b'"accepted"', self.curl(server, "/v1/models/default/learn", "--json", '{"id": "a", "label": 1}').stdout)
        # Several requests of a connection, and a stream of lines longer than any buffer.
        twice = self.curl(server, "/v2/health/live", "-v", f"https://localhost:{server.port}/v2/health/live")
        self.assertEqual(twice.stdout.count(b'"live":true'), 2)
        self.assertIn(b"Re-using existing connection", twice.stderr)
        (self.folder / "rows").write_text('{"row": {"x": 1, "y": "some text"}}\n' * 100_000)
        lines = self.curl(server, "/v1/models/default/predict", "-H", "Content-Type: application/x-ndjson",
                          "-T", str(self.folder / "rows"), "-X", "POST")
        self.assertEqual((lines.returncode, lines.stdout.count(b'"probability"')), (0, 100_000), lines.stderr)
        # The end of a connection that the server closes is a proper one.
        answer = self.openssl(server, "-quiet", text=b"GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        self.assertIn(b'"live":true', answer.stdout)
        self.assertNotIn(b"unexpected eof", answer.stderr)
        context = ssl.create_default_context(cafile=self.files[0])
        with socket.create_connection(("127.0.0.1", server.port)) as raw:
            with context.wrap_socket(raw, server_hostname="localhost") as connection:
                connection.sendall(b"nonsense\r\n\r\n")
                received = b""
                while part := connection.recv(4096):
                    received += part
                self.assertTrue(received.startswith(b"HTTP/1.1 400 "))
        self.assertEqual(server.stop(), 0)

    def test_versions_and_ciphers(self):
        server = self.secure(self.certificate("one"))
        for version in ("-tls1_2", "-tls1_3"):
            self.assertIn(b"Verify return code", self.openssl(server, version).stdout, version)
        for old in ("-tls1", "-tls1_1"):
            self.assertIn(b"alert protocol version", self.openssl(server, old, "-cipher", "DEFAULT@SECLEVEL=0").stderr, old)
        weak = self.openssl(server, "-tls1_2", "-cipher", "AES128-SHA:ECDHE-ECDSA-AES128-SHA")
        self.assertIn(b"handshake failure", weak.stderr)

    def test_the_wrong_protocol_is_told_so(self):
        server = self.secure(self.certificate("one"))
        answer = self.curl(server, "/v2/health/live", "-i", scheme="http")
        self.assertIn(b"HTTP/1.1 400 ", answer.stdout)
        self.assertIn(b"this port speaks TLS: use https://", answer.stdout)
        plain = self.serve(data="plain")
        begun = self.curl(plain, "/v2/health/live")
        self.assertEqual(begun.returncode, 35, "curl: not TLS")
        # Clients that do not finish, or never begin, are closed in time and harm nobody.
        slow = self.secure(self.certificate("two"), "--request-timeout", "1", data="slow")
        held = []
        for data in (b"", b"\x16", b"\x16\x03\x01\x02\x00\x01"):
            connection = socket.create_connection(("127.0.0.1", slow.port), timeout=10)
            connection.sendall(data)
            held.append(connection)
        self.assertIn(b"true", self.curl(slow, "/v2/health/live").stdout)
        for connection in held:
            try:
                self.assertEqual(connection.recv(4096), b"")
            except ConnectionResetError:
                pass
            connection.close()

    def test_the_certificate_is_read_again(self):
        files = self.certificate("one")
        server = self.secure(files)
        serial = lambda: [line for line in self.openssl(server, "-showcerts").stdout.splitlines() if b"-----" not in line][:12]
        before = serial()
        files[1].write_text("nonsense")
        server.process.send_signal(signal.SIGHUP)
        self.assertTrue(wait_until(lambda: "certificate not read" in server.messages()))
        self.assertEqual(serial(), before)
        self.certificate("one")
        server.process.send_signal(signal.SIGHUP)
        self.assertTrue(wait_until(lambda: '"certificate read"' in server.messages()))
        self.assertNotEqual(serial(), before)
        self.assertIn(b"true", self.curl(server, "/v2/health/live").stdout)

    def test_mistakes_are_told_at_the_start(self):
        one, two = self.certificate("one"), self.certificate("two")
        locked = self.folder / "locked.key"
        subprocess.run(["openssl", "ec", "-in", one[1], "-aes128", "-passout", "pass:secret", "-out", locked], check=True,
                       capture_output=True)

        def refused(*options):
            done = subprocess.run([SERVER, "--data", str(self.folder / "other"), "--listen", "127.0.0.1:0", *map(str, options)],
                                  capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL)
            self.assertNotEqual(done.returncode, 0)
            return done.stderr

        self.assertIn("--tls-key", refused("--tls-cert", one[0]))
        self.assertIn("key values mismatch", refused("--tls-cert", one[0], "--tls-key", two[1]))
        self.assertFalse((self.folder / "other" / "default").exists(), "nothing is made")
        self.assertIn("cannot use the certificate", refused("--tls-cert", self.folder / "none", "--tls-key", one[1]))
        self.assertIn("cannot use the key", refused("--tls-cert", one[0], "--tls-key", one[0]))
        self.assertIn("cannot use the key", refused("--tls-cert", one[0], "--tls-key", locked))


if __name__ == "__main__":
    unittest.main()

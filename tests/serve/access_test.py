"""Who may do what: tokens and their scopes, and servers without tokens."""

import hashlib
import signal
import subprocess
import unittest

from support import SERVER, InFolder, wait_until


def line(name, scopes, token):
    return f"{name} {scopes} {hashlib.sha256(token.encode()).hexdigest()}\n"


class Access(InFolder):
    def test_scopes(self):
        tokens = self.folder / "tokens"
        tokens.write_text("# of the test\n" + line("web", "predict", "p" * 32) + line("jobs", "learn,predict", "l" * 32) +
                          line("ops", "admin", "a" * 32))
        server = self.serve("--tokens", tokens)

        def status(method, path, token, body=None):
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            return server.request(method, path, body, headers)[0]

        predict, learn = "/v1/models/default/predict", "/v1/models/default/learn"
        row, label = {"row": {"x": 1}}, {"row": {"x": 1}, "label": 1}
        web, jobs, ops = "p" * 32, "l" * 32, "a" * 32
        for token, expected in ((None, 401), ("wrong", 401), (web, 200), (jobs, 200), (ops, 403)):
            self.assertEqual(status("POST", predict, token, row), expected, token)
        for token, expected in ((None, 401), (web, 403), (jobs, 200), (ops, 403)):
            self.assertEqual(status("POST", learn, token, label), expected, token)
        for token, expected in ((None, 401), (web, 403), (jobs, 403), (ops, 200)):
            self.assertEqual(status("POST", "/v1/models/default/snapshot", token), expected, token)
            self.assertEqual(status("GET", "/v1/models/default/file", token), expected, token)
        for path in ("/v1/models", "/v1/models/default", "/v1/models/default/metrics", "/metrics", "/v2",
                     "/v1/models/default/events", "/v1/models/nobody"):
            self.assertEqual(status("GET", path, None), 401, path)
        for path in ("/v2/health/live", "/v2/health/ready", "/openapi.json", "/"):
            self.assertEqual(status("GET", path, None), 200, path)
        for wrong in ("", "Basic " + web, "Bearer", "Bearer ", "Bearer " + web + "x", hashlib.sha256(web.encode()).hexdigest()):
            self.assertEqual(server.request("GET", "/v1/models", headers={"Authorization": wrong})[0], 401, wrong)
        self.assertEqual(server.request("GET", "/v1/models", headers={"Authorization": "bearer " + web})[0], 200)
        # Without a token, a body is refused before it is sent.
        answer = server.raw(b"POST /v1/models/default/predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                            b"Content-Length: 10000000\r\n\r\n")
        self.assertTrue(answer.startswith(b"HTTP/1.1 401 "), answer)
        # A new file is read on SIGHUP; a wrong one changes nothing.
        tokens.write_text("nonsense")
        server.process.send_signal(signal.SIGHUP)
        self.assertTrue(wait_until(lambda: "tokens not read" in server.messages()))
        self.assertEqual(status("GET", "/v1/models", web), 200)
        tokens.write_text(line("web", "predict", "n" * 32))
        server.process.send_signal(signal.SIGHUP)
        self.assertTrue(wait_until(lambda: status("GET", "/v1/models", "n" * 32) == 200))
        self.assertEqual(status("GET", "/v1/models", web), 401)
        self.assertNotIn(web, server.messages())

    def test_without_tokens_only_this_machine_is_served(self):
        server = self.serve()
        for host in ("localhost", "127.0.0.1:1234", "[::1]:80"):
            self.assertEqual(server.request("GET", "/v1/models", headers={"Host": host})[0], 200, host)
        for host in ("example.com", "localhost.example.com", "127.0.0.1.example.com:80", "[::1", ""):
            self.assertIn(server.request("GET", "/v1/models", headers={"Host": host})[0], (400, 421), host)

        def refused(*options):
            done = subprocess.run([SERVER, "--data", str(self.folder / "other"), *map(str, options)], capture_output=True,
                                  text=True, timeout=30)
            self.assertNotEqual(done.returncode, 0)
            return done.stderr

        self.assertIn("needs --tokens", refused("--listen", "0.0.0.0:0"))
        self.assertIn("needs --tokens", refused("--listen", "[::]:0"))
        self.assertIn("is not ADDRESS:PORT", refused("--listen", "127.0.0.1"))
        self.assertIn("is not ADDRESS:PORT", refused("--listen", "127.0.0.1:99999"))
        for text in ("", "web predict 123\n", "web all " + "0" * 64, "predict " + "0" * 64, "web predict " + "0" * 64 + " x"):
            (self.folder / "tokens").write_text(text)
            self.assertIn("tokens", refused("--tokens", self.folder / "tokens"), text)
        self.assertIn("name", refused("--name", "../x"))
        self.assertIn("label delay", refused("--label-delay", "5"))
        self.assertIn("need --schema", refused("--label", "x"))


if __name__ == "__main__":
    unittest.main()

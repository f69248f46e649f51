"""The files of serve/deploy pass their linters, and say what the server understands."""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SERVER = os.path.abspath(sys.argv.pop())
DEPLOY = pathlib.Path(__file__).parents[2] / "serve" / "deploy"


def run(*command, **more):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=60, **more)


def has(module):
    return importlib.util.find_spec(module) is not None


class Deploy(unittest.TestCase):
    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze is not there: apt-get install systemd")
    def test_systemd_unit(self):
        with tempfile.TemporaryDirectory() as folder:
            unit = pathlib.Path(folder) / "plumbline-serve.service"
            text = (DEPLOY / "plumbline-serve.service").read_text()
            self.assertIn("ExecStart=/usr/bin/plumbline-serve ", text)
            unit.write_text(text.replace("/usr/bin/plumbline-serve", SERVER))
            done = run("systemd-analyze", "verify", "--man=no", unit)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))
            # A mistake is seen.
            unit.write_text(text.replace("ProtectSystem=strict", "ProtectSystem=perhaps"))
            self.assertIn("Failed to parse", run("systemd-analyze", "verify", "--man=no", unit).stderr)
            unit.write_text(text.replace("/usr/bin/plumbline-serve", SERVER))
            done = run("systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", unit)
            self.assertEqual(done.returncode, 0, done.stdout[-300:])

    @unittest.skipUnless(shutil.which("systemd-analyze") and shutil.which("strace"), "needs systemd-analyze and strace")
    def test_the_unit_allows_the_system_calls_of_the_server(self):
        filters = re.findall(r"^SystemCallFilter=(.*)$", (DEPLOY / "plumbline-serve.service").read_text(), re.MULTILINE)

        def calls(names):
            found, pending = set(), list(names)
            while pending:
                name = pending.pop()
                if not name.startswith("@"):
                    found.add(name)
                    continue
                lines = run("systemd-analyze", "syscall-filter", "--no-pager", name).stdout.splitlines()
                pending += [line.strip() for line in lines[1:] if line.strip() and not line.strip().startswith("#")]
            return found

        allowed = set()
        for text in filters:
            allowed = allowed - calls(text[1:].split()) if text.startswith("~") else allowed | calls(text.split())
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "trace"
            process = subprocess.Popen(["strace", "-f", "-qq", "-o", trace, SERVER, "--data", f"{folder}/data", "--listen", "127.0.0.1:0"],
                                       stderr=subprocess.PIPE, text=True)
            for line in process.stderr:
                if '"listening"' in line:
                    port = re.search(r'"port":(\d+)', line)[1]
                    break
            url = f"http://127.0.0.1:{port}/v1/models/default/"
            import json
            import urllib.request

            for path, body in (("learn", {"row": {"x": 1}, "label": 1}), ("predict", {"id": "a", "row": {"x": 1}}), ("snapshot", {})):
                request = urllib.request.Request(url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
                self.assertEqual(urllib.request.urlopen(request, timeout=30).status, 200)
            server = int(run("pgrep", "-P", process.pid).stdout.split()[0])
            os.kill(server, 15)
            process.communicate(timeout=60)
            used = set(re.findall(r"^\d+\s+(\w+)\(", trace.read_text(), re.MULTILINE))
        self.assertIn("fsync" if "fsync" in used else "fdatasync", used)
        # The number of descriptors is the unit's, and is refused without harm. As root, which the unit is not, SQLite gives
        # its files to the owner of the database.
        self.assertLessEqual(used - allowed, {"prlimit64", "setrlimit", "execve", *(["fchown"] if os.getuid() == 0 else [])})

    @unittest.skipUnless(has("check_jsonschema"), "check-jsonschema is not there: pip install check-jsonschema")
    def test_compose_file(self):
        command = (sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec")
        done = run(*command, DEPLOY / "compose.yaml")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with tempfile.TemporaryDirectory() as folder:
            wrong = pathlib.Path(folder) / "compose.yaml"
            wrong.write_text((DEPLOY / "compose.yaml").read_text().replace("read_only: true", "readonly: true"))
            self.assertNotEqual(run(*command, wrong).returncode, 0)

    @unittest.skipUnless(has("kubernetes_validate"), "kubernetes-validate is not there: pip install kubernetes-validate")
    def test_kubernetes_manifest(self):
        import kubernetes_validate
        import yaml

        documents = list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text()))
        self.assertEqual([document["kind"] for document in documents], ["StatefulSet", "Service"])
        for document in documents:
            kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)
        pod = documents[0]["spec"]["template"]
        self.assertEqual(documents[1]["spec"]["selector"], pod["metadata"]["labels"])
        self.assertEqual(documents[0]["spec"]["replicas"], 1, "two servers cannot share a folder")
        pod["spec"]["containers"][0]["readinessProb"] = {}
        with self.assertRaises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate(documents[0], kubernetes_validate.latest_version(), strict=True)

    def test_the_server_knows_the_options_and_paths(self):
        known = set(re.findall(r"--[a-z-]+", run(SERVER, "serve", "--help").stdout))
        self.assertIn("--keep-days", known)
        api = (DEPLOY.parent / "openapi.json").read_text()
        for file in DEPLOY.iterdir():
            text = file.read_text()
            if file.name.endswith("yaml"):
                self.assertLessEqual(set(re.findall(r"^ *- (--[a-z-]+)$", text, re.MULTILINE)), known, file.name)
            for path in re.findall(r"path: (/v\S+)", text):
                self.assertIn(f'"{path}"', api)
        for line in re.findall(r"^(?:ExecStart|ENTRYPOINT|CMD).*$", "".join(f.read_text() for f in DEPLOY.iterdir()), re.MULTILINE):
            self.assertLessEqual(set(re.findall(r"--[a-z-]+", line)), known)


if __name__ == "__main__":
    unittest.main()

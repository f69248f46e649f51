"""Other servers of models under the same load, for `bench/serve/run.py --peers`.

MLServer serves a scaled LogisticRegression of scikit-learn, in its own process; it does not learn. chantilly serves and
learns the same of river, and keeps the model in a file without flushing it. Each is installed from PyPI into a virtual
environment of its own below build/peers, by a Python that MLServer supports (below 3.13).
"""

import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import run

ENVIRONMENTS = pathlib.Path(__file__).resolve().parents[2] / "build" / "peers"
PACKAGES = {"mlserver": ["mlserver==1.7.1", "mlserver-sklearn==1.7.1"], "chantilly": ["chantilly==0.3.0", "river==0.26.1"]}

TRAIN = """
import joblib, numpy
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
g = numpy.random.default_rng(1)
X = g.random((2000, 8))
y = X[:, 0] + X[:, 1] + 0.3 * g.random(2000) > 1.15
joblib.dump(make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y), "model.joblib")
"""

# chantilly uses a name that river has moved since.
CHANTILLY = """
import sys, river.metrics, river.metrics.base
river.metrics.Metric = river.metrics.base.Metric
import chantilly
chantilly.create_app().run(port=int(sys.argv[1]), threaded=True)
"""

UPLOAD = """
import sys, dill, urllib.request
from river.compose import SelectType
from river.linear_model import LogisticRegression
from river.preprocessing import OneHotEncoder, StandardScaler
model = (SelectType(str) | OneHotEncoder()) + (SelectType(float) | StandardScaler()) | LogisticRegression()
urllib.request.urlopen(urllib.request.Request(sys.argv[1] + "/api/model", dill.dumps(model)))
"""


def python_of(name):
    folder = ENVIRONMENTS / name
    python = folder / "bin" / "python"
    wanted = "\n".join(PACKAGES[name])
    installed = folder / "installed.txt"
    if not installed.exists() or installed.read_text() != wanted:
        if sys.version_info >= (3, 13):
            sys.exit("MLServer needs a Python below 3.13: run this command with one")
        print(f"installing {', '.join(PACKAGES[name])} …", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *PACKAGES[name]], check=True)
        installed.write_text(wanted)
    return str(python)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    return urllib.request.urlopen(request).read()


class Peer:
    def __init__(self, name, command, folder, port, probe):
        self.name, self.url = name, f"http://127.0.0.1:{port}"
        environment = {**os.environ, "FLASK_ENV": "production", "SHELVE_PATH": f"{folder}/store"}
        self.process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 120
        while True:
            try:
                urllib.request.urlopen(self.url + probe).read()
                return
            except urllib.error.HTTPError as error:
                if error.code != 503:
                    return
            except OSError:
                pass
            if time.monotonic() > end or self.process.poll() is not None:
                self.stop()
                sys.exit(f"{name} does not start")
            time.sleep(0.1)

    def stop(self):
        self.process.kill()
        self.process.wait()


def mlserver(folder):
    python, port = python_of("mlserver"), free_port()
    subprocess.run([python, "-c", TRAIN], cwd=folder, check=True)
    ports = {"http_port": port, "grpc_port": free_port(), "metrics_port": free_port()}
    settings = {**ports, "host": "127.0.0.1", "parallel_workers": 0, "debug": False}
    model = {"name": "default", "implementation": "mlserver_sklearn.SKLearnModel", "parameters": {"uri": "./model.joblib"}}
    pathlib.Path(folder, "settings.json").write_text(json.dumps(settings))
    pathlib.Path(folder, "model-settings.json").write_text(json.dumps(model))
    return Peer("mlserver", [str(pathlib.Path(python).with_name("mlserver")), "start", "."], folder, port, "/v2/health/ready")


def chantilly(folder):
    python, port = python_of("chantilly"), free_port()
    peer = Peer("chantilly", [python, "-c", CHANTILLY, str(port)], folder, port, "/api/models")
    post(peer.url + "/api/init", {"flavor": "binary"})
    subprocess.run([python, "-c", UPLOAD, peer.url], check=True)
    return peer


def compare(options):
    kinds = ("predict", "learn")
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        server = run.Server(options.server, f"{folder}/data", "--preset", options.preset)
        run.teach(server, 2000)
        results["plumbline"] = {kind: run.load(server.url, kind, options.seconds, options.connections) for kind in kinds}
        server.process.kill()
        server.process.wait()
    for make, able in ((mlserver, ("predict",)), (chantilly, kinds)):
        with tempfile.TemporaryDirectory() as folder:
            peer = make(folder)
            try:
                results[peer.name] = {
                    kind: run.load(peer.url, kind, options.seconds, options.connections, server=peer.name) for kind in able}
            finally:
                peer.stop()
    if options.json:
        return print(json.dumps(results))
    print(f"plumbline: preset {options.preset}, labels on disk before they are acknowledged")
    for name, packages in PACKAGES.items():
        print(f"{name}: {', '.join(re.sub('==', ' ', package) for package in packages)}")
    print(f"{options.connections} connections, single rows, {options.seconds} s each, "
          f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(f"{'':12}{'predictions/s':>14}{'p50 ms':>9}{'p99 ms':>9}{'ratio':>7}{'labels/s':>12}{'p50 ms':>9}{'p99 ms':>9}{'ratio':>7}"
          f"{'errors':>8}")
    ours = results["plumbline"]
    for name, of in results.items():
        line, errors = f"{name:12}", 0
        for kind, width in (("predict", 14), ("learn", 12)):
            one = of.get(kind)
            if one is None:
                line += f"{'cannot':>{width}}{'':25}"
                continue
            ratio = f"{ours[kind]['per_second'] / one['per_second']:.0f}x" if name != "plumbline" else ""
            line += f"{one['per_second']:{width},.0f}{one['p50_ms']:9.1f}{one['p99_ms']:9.1f}{ratio:>7}"
            errors += one["errors"]
        print(f"{line}{errors:8}")

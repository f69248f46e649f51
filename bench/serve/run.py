#!/usr/bin/env python3
"""The speed of `plumbline serve` on this machine: predictions, durable labels, lines, and the time to be ready again.

    bench/serve/run.py [--server build/release/plumbline-serve] [--seconds 5] [--preset auto] [--connections 64] [--json]
    bench/serve/run.py --peers        beside MLServer and chantilly, which are installed from PyPI (bench/serve/peers.py)

The load comes from wrk (Debian: wrk) on the same processors. Rows have seven numbers and a category.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).parent


class Server:
    def __init__(self, program, data, *options):
        self.log = open(f"{data}.log", "w+")
        begin = time.monotonic()
        self.process = subprocess.Popen([program, "--data", data, "--listen", "127.0.0.1:0", *options],
                                        stdout=self.log, stderr=self.log)
        self.port = None
        while self.port is None:
            time.sleep(0.002)
            self.log.seek(0)
            found = re.search(r'"port":(\d+)', self.log.read())
            if self.process.poll() is not None:
                sys.exit(pathlib.Path(f"{data}.log").read_text())
            self.port = found and int(found[1])
        while not self.is_ready():
            time.sleep(0.002)
        self.seconds_to_ready = time.monotonic() - begin

    def is_ready(self):
        try:
            return urllib.request.urlopen(f"{self.url}/v2/health/ready").status == 200
        except urllib.error.HTTPError:
            return False

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def counts(self):
        with urllib.request.urlopen(f"{self.url}/v1/models/default") as answer:
            return json.load(answer)["counts"]

    def processor_seconds(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def teach(server, rows):
    generator = random.Random(1)
    lines = []
    for _ in range(rows):
        row = {f"x{j}": round(generator.random(), 6) for j in range(1, 8)}
        label = int(row["x1"] + row["x2"] + 0.3 * generator.random() > 1.15)
        lines.append(json.dumps({"row": {**row, "place": f"p{generator.randrange(1, 9)}"}, "label": label}))
    request = urllib.request.Request(f"{server.url}/v1/models/default/learn", "\n".join(lines).encode(),
                                     {"Content-Type": "application/x-ndjson"})
    urllib.request.urlopen(request).read()
    while server.counts()["labels"]["logged"] - server.counts()["labels"]["learned"] >= 10:
        time.sleep(0.05)


def load(url, kind, seconds, connections, rows=1, rate=0, server="plumbline"):
    """Requests of one kind for so long, at most `rate` a second if it is given."""
    environment = {**os.environ, "LUA_KIND": kind, "LUA_ROWS": str(rows), "LUA_PREFIX": f"{kind}{time.time_ns()}",
                   "LUA_RATE": str(rate), "LUA_SERVER": server}
    done = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s", HERE / "load.lua", url],
                          capture_output=True, text=True, env=environment)
    found = re.search(r"RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)", done.stdout)
    if not found:
        sys.exit(done.stdout + done.stderr)
    requests, microseconds, errors, middle, high, most = map(int, found.groups())
    return {"kind": kind, "items": requests * rows, "per_second": requests * rows / (microseconds / 1e6),
            "p50_ms": middle / 1e3, "p99_ms": high / 1e3, "max_ms": most / 1e3, "errors": errors}


def measured(server, kind, seconds, connections, rows=1):
    before = server.processor_seconds()
    result = load(server.url, kind, seconds, connections, rows)
    used = server.processor_seconds() - before
    return {**result, "microseconds_of_processor": used / max(result["items"], 1) * 1e6}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default="build/release/plumbline-serve")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--preset", default="fast")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--peers", action="store_true", help="compare with other servers instead")
    options = parser.parse_args()
    if not shutil.which("wrk"):
        sys.exit("bench/serve needs wrk: apt-get install wrk")
    if options.peers:
        import peers

        return peers.compare(options)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data")
        server = Server(options.server, data, "--preset", options.preset)
        teach(server, 2000)
        for kind in ("predict", "remember", "learn"):
            results.append(measured(server, kind, options.seconds, options.connections))
        for kind in ("predict_lines", "learn_lines"):
            results.append(measured(server, kind, options.seconds, 4, 1000))
        begin, counts = time.monotonic(), server.counts()
        while server.counts()["labels"]["logged"] - server.counts()["labels"]["learned"] >= 10:
            time.sleep(0.1)
        waited = time.monotonic() - begin
        labels = server.counts()["labels"]["logged"]
        events = labels + server.counts()["predictions"]["remembered"]
        server.process.kill()
        server.process.wait()
        server = Server(options.server, data)
        ready = {"events": events, "seconds": server.seconds_to_ready,
                 "seconds_per_100000": server.seconds_to_ready / events * 1e5}
        server.process.kill()
        server.process.wait()
    if options.json:
        print(json.dumps({"preset": options.preset, "results": results, "ready": ready}))
        return
    print(f"preset {options.preset}, {options.connections} connections (lines: 4 connections, 1000 rows a request), "
          f"{options.seconds} s each, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(f"{'':16}{'per second':>12}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}{'errors':>8}{'us of processor':>17}")
    for result in results:
        print(f"{result['kind']:16}{result['per_second']:12,.0f}{result['p50_ms']:9.2f}{result['p99_ms']:9.2f}"
              f"{result['max_ms']:9.1f}{result['errors']:8}{result['microseconds_of_processor']:17.1f}")
    print(f"learning the rest of {counts['labels']['logged']:,} labels took {waited:.1f} s")
    print(f"ready {ready['seconds']:.2f} s after a kill with {events:,} events in the log "
          f"({ready['seconds_per_100000']:.2f} s per 100,000)")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""A steady load on `plumbline serve`: do its memory and its times to answer stay what they are?

    bench/serve/soak.py [--minutes 30] [--predictions 5000] [--labels 1500] [--svg soak.svg] [--json soak.json]

The defaults are half of what the server must reach: 5000 predictions and 1500 durable labels a second at the same time,
sent by wrk on the same processors, on 64 connections each. For each minute: memory and open files of the server, times
to answer, and the size of the log.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import sys
import tempfile

from run import Server, load, teach

COLUMNS = (("minute", "", "{:.0f}"), ("rss_mb", "memory MB", "{:.1f}"), ("files", "files", "{}"),
           ("predictions_per_second", "predictions/s", "{:.0f}"), ("predict_p50_ms", "p50 ms", "{:.2f}"),
           ("predict_p99_ms", "p99 ms", "{:.2f}"), ("labels_per_second", "labels/s", "{:.0f}"),
           ("learn_p50_ms", "p50 ms", "{:.2f}"), ("learn_p99_ms", "p99 ms", "{:.2f}"), ("errors", "errors", "{}"),
           ("log_mb", "log MB", "{:.0f}"), ("bytes_per_label", "bytes/label", "{:.0f}"), ("backlog", "backlog", "{}"),
           ("load_average", "load", "{:.1f}"))


def state(server, data):
    folder = pathlib.Path(data) / "default"
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    labels = server.counts()["labels"]
    log = sum(file.stat().st_size for file in folder.glob("log.sqlite*"))
    return {"rss_mb": int(status.split("VmRSS:")[1].split()[0]) / 1024,
            "files": len(os.listdir(f"/proc/{server.process.pid}/fd")), "log_mb": log / 2**20,
            "bytes_per_label": log / labels["logged"], "backlog": labels["logged"] - labels["learned"],
            "load_average": os.getloadavg()[0]}


def minute(server, data, options):
    with concurrent.futures.ThreadPoolExecutor() as pool:
        predict = pool.submit(load, server.url, "predict", options.seconds, 64, rate=options.predictions)
        learn = pool.submit(load, server.url, "learn", options.seconds, 64, rate=options.labels)
        predict, learn = predict.result(), learn.result()
    return {"predictions_per_second": predict["per_second"], "predict_p50_ms": predict["p50_ms"],
            "predict_p99_ms": predict["p99_ms"], "labels_per_second": learn["per_second"], "learn_p50_ms": learn["p50_ms"],
            "learn_p99_ms": learn["p99_ms"], "errors": predict["errors"] + learn["errors"], **state(server, data)}


def panel(title, series, rows, y, width=720, height=150):
    """One chart: a line for each (name, key, colour), from 0 up."""
    left, right, top = 56, 130, 26
    inner, tall = width - left - right, height - top - 24
    most = max(row[key] for _, key, _ in series for row in rows) * 1.1 or 1
    step = next(s for e in range(-3, 7) for s in (10**e, 2 * 10**e, 5 * 10**e) if most / s <= 4)
    last = max(rows[-1]["minute"], 1)
    across = lambda m: left + inner * m / last  # noqa: E731
    up = lambda v: top + tall * (1 - v / most)  # noqa: E731
    parts = [f'<g transform="translate(0 {y})"><text class="title" x="{left}" y="14">{title}</text>']
    for k in range(int(most / step) + 1):
        parts.append(f'<path class="grid" d="M{left} {up(k * step):.1f}H{left + inner}"/>'
                     f'<text x="{left - 6}" y="{up(k * step) + 4:.1f}" text-anchor="end">{k * step:g}</text>')
    for m in range(0, int(last) + 1, max(5, int(last) // 60 * 10)):
        parts.append(f'<text x="{across(m):.1f}" y="{top + tall + 16}" text-anchor="middle">{m}</text>')
    ends = []
    for name, key, colour in series:
        points = " ".join(f"{across(row['minute']):.1f},{up(row[key]):.1f}" for row in rows)
        parts.append(f'<polyline points="{points}" stroke="{colour}"/>')
        ends.append([up(rows[-1][key]) + 4, name, colour])
    ends.sort()
    for lower, upper in zip(ends[1:], ends):  # names must not cover each other
        lower[0] = max(lower[0], upper[0] + 13)
    parts += [f'<text x="{left + inner + 6}" y="{place:.1f}" fill="{colour}">{name}</text>' for place, name, colour in ends]
    return "".join(parts) + "</g>"


def drawing(rows):
    panels = [("memory of the server, MB", [("resident", "rss_mb", "#0a6ebd")]),
              ("time to answer a prediction, ms", [("p50", "predict_p50_ms", "#0a6ebd"), ("p99", "predict_p99_ms", "#c2410c")]),
              ("time to answer a durable label, ms", [("p50", "learn_p50_ms", "#0a6ebd"), ("p99", "learn_p99_ms", "#c2410c")]),
              ("bytes of the log per label", [("log", "bytes_per_label", "#0a6ebd")]),
              ("load average of the machine", [("load", "load_average", "#6b7280")])]
    body = "".join(panel(title, series, rows, 10 + 158 * i) for i, (title, series) in enumerate(panels))
    height = 10 + 158 * len(panels) + 22
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}" font-family="sans-serif" font-size="11" '
            'fill="#444"><style>.title{font-weight:bold;font-size:12px}'
            ".grid{stroke:#ddd}polyline{fill:none;stroke-width:1.5}</style>"
            f'<rect width="720" height="{height}" fill="white"/>{body}'
            f'<text x="323" y="{height - 8}" text-anchor="middle">minutes</text></svg>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default="build/release/plumbline-serve")
    parser.add_argument("--minutes", type=int, default=30)
    parser.add_argument("--seconds", type=int, default=60, help="of a minute, to try the command")
    parser.add_argument("--predictions", type=int, default=5000, help="a second")
    parser.add_argument("--labels", type=int, default=1500, help="a second")
    parser.add_argument("--preset", default="fast")
    parser.add_argument("--svg")
    parser.add_argument("--json")
    parser.add_argument("--draw", metavar="JSON", help="only draw what --json has written")
    options = parser.parse_args()
    if options.draw:
        pathlib.Path(options.svg).write_text(drawing(json.loads(pathlib.Path(options.draw).read_text())))
        return
    if not shutil.which("wrk"):
        sys.exit("bench/serve needs wrk: apt-get install wrk")
    print("  ".join(f"{title:>{max(len(title), 7)}}" for _, title, _ in COLUMNS), flush=True)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data")
        server = Server(options.server, data, "--preset", options.preset)
        try:
            teach(server, 2000)
            for number in range(1, options.minutes + 1):
                rows.append({"minute": number * options.seconds / 60, **minute(server, data, options)})
                print("  ".join(f"{form.format(rows[-1][key]):>{max(len(title), 7)}}" for key, title, form in COLUMNS),
                      flush=True)
                if options.json:
                    pathlib.Path(options.json).write_text(json.dumps(rows))
        finally:
            server.process.kill()
            server.process.wait()
    if options.svg:
        pathlib.Path(options.svg).write_text(drawing(rows))


if __name__ == "__main__":
    main()

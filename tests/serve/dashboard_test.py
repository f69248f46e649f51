"""The dashboard: its files over HTTP and, where Chromium, node and playwright-core are there, the page itself.

PLUMBLINE_PLAYWRIGHT is the folder of playwright-core, build/node_modules/playwright-core by default:
npm install --prefix build playwright-core. PLUMBLINE_SCREENSHOTS is a folder for screenshots; none are taken without it.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from support import InFolder, example

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEB = ROOT / "serve" / "web"
PLAYWRIGHT = pathlib.Path(os.environ.get("PLUMBLINE_PLAYWRIGHT", ROOT / "build" / "node_modules" / "playwright-core"))
CHROMIUM, NODE = shutil.which("chromium"), shutil.which("node")
MISSING = [name for name, there in (("chromium", CHROMIUM), ("node", NODE), (str(PLAYWRIGHT), (PLAYWRIGHT / "index.js").exists()))
           if not there]
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def response(server, path):
    connection = server.connect()
    connection.request("GET", path)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer, content


class Files(InFolder):
    def test_every_file_is_served_as_it_is(self):
        server = self.serve()
        files = [path for path in WEB.rglob("*") if path.is_file()]
        self.assertGreater(len(files), 8)
        for path in files:
            answer, content = response(server, f"/{path.relative_to(WEB)}")
            self.assertEqual((answer.status, content), (200, path.read_bytes()), path)
            self.assertEqual(answer.headers["Content-Type"].split(";")[0], TYPES.get(path.suffix, "text/plain"), path)
        self.assertEqual(response(server, "/")[1], (WEB / "index.html").read_bytes())

    def test_what_the_files_refer_to_exists(self):
        server = self.serve()
        found = set()
        for path in WEB.rglob("*"):
            if path.suffix == ".html":
                found.update(re.findall(r'(?:src|href)="(/[^"]+)"', path.read_text()))
            elif path.suffix == ".js" and "vendor" not in path.parts:
                found.update(re.findall(r'from "(/[^"]+)"', path.read_text()))
        self.assertTrue({"/main.js", "/charts.js", "/vendor/uplot/uPlot.esm.js"} <= found, found)
        for path in found:
            self.assertEqual(response(server, path)[0].status, 200, path)

    def test_the_page_may_load_nothing_from_elsewhere(self):
        server = self.serve()
        for path in ("/", "/main.js"):
            headers = response(server, path)[0].headers
            policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
            self.assertEqual(policy, {
                "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self'",
                "connect-src": "'self'", "base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'"})
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(headers["Referrer-Policy"], "no-referrer")
        page = (WEB / "index.html").read_text()
        self.assertNotRegex(page, r"<style|style=|<script(?! type=\"module\" src=)| on[a-z]+=|https?://")


class Browser:
    def __init__(self):
        self.process = subprocess.Popen(
            [NODE, str(pathlib.Path(__file__).with_name("dashboard.mjs")), str(PLAYWRIGHT / "index.js"), CHROMIUM],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, name, **rest):
        self.process.stdin.write(json.dumps({"do": name, **rest}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise AssertionError(f"{name} {rest}: {answer['error']}")
        return answer["value"]

    def text(self, selector):
        return self("get", value=f"document.querySelector({json.dumps(selector)}).innerText")

    def wait(self, until):
        self("wait", until=until)

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()


# The number of pixels that a chart's canvas has drawn in colors, neither transparent nor gray.
COLORED = """[...document.querySelectorAll('.plot canvas')].map((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let colored = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] > 0 && Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 60) ++colored;
  }
  return colored;
})"""
LIVE = "document.querySelector('#status').dataset.state === 'live'"


@unittest.skipIf(MISSING, f"not here: {', '.join(MISSING)}")
class Page(InFolder):
    def setUp(self):
        super().setUp()
        self.browser = Browser()
        self.addCleanup(self.browser.close)

    def send(self, server, count, seed, flip=False):
        generator = self.generator(seed)
        examples = [(f"{seed}-{i}", *example(generator)) for i in range(count)]
        server.lines("predict", [{"id": name, "row": row} for name, row, _ in examples])
        server.lines("learn", [{"id": name, "label": int(label != flip)} for name, _, label in examples])
        self.assertTrue(server.wait_until_learned())

    def shows_labels(self, count):
        self.browser.wait(f"document.querySelector('#figures div:nth-child(5) .value').innerText === '{count:,}'")

    def screenshot(self, name):
        if folder := os.environ.get("PLUMBLINE_SCREENSHOTS"):
            self.browser("screenshot", path=str(pathlib.Path(folder) / f"{name}.png"))

    def fits(self):
        return self.browser("get", value="document.documentElement.scrollWidth <= innerWidth")

    def test_moves_as_rows_come(self):
        server = self.serve("--preset", "fast", "--batch", 1)
        browser = self.browser
        browser("open", url=f"http://127.0.0.1:{server.port}/")
        browser.wait(LIVE)
        # Without a label: a command that works.
        self.assertLess(max(browser("get", value=COLORED)), 100)  # the edges of letters
        self.screenshot("empty")
        command = browser.text("#command")
        done = subprocess.run(command.replace("curl ", "curl -sf ", 1), shell=True, capture_output=True, text=True)
        self.assertIn('"accepted"', done.stdout, command + done.stderr)
        self.shows_labels(1)
        self.assertTrue(browser("get", value="document.querySelector('#empty').hidden"))
        self.assertNotRegex(browser.text("body"), r"NaN|undefined|Infinity|null")

        begin = browser("get", value="performance.now()")
        self.send(server, 1500, 2)
        self.shows_labels(1501)
        before = browser.text("#figures")
        self.send(server, 500, 3)
        self.shows_labels(2001)
        browser.wait("document.querySelector('#last tr').cells[0].innerText === '2,001'")
        self.assertNotEqual(browser.text("#figures"), before)
        self.assertEqual(browser("get", value=f"window.shifts.filter((one) => one.time > {begin})"), [])  # nothing jumps
        for chart, pixels in enumerate(browser("get", value=COLORED)):
            self.assertGreater(pixels, 100, chart)
        self.assertIn("No drift now", browser.text("#drift-summary"))
        self.assertIn("over all 2,001", browser.text("#curve-summary"))
        metrics = server.request("GET", "/v1/models/default/metrics")[1]
        self.assertIn(f"{metrics['all']['log_loss']:.4f}", browser.text("#figures"))
        self.assertIn(f"{metrics['all']['calibration_error']:.4f}", browser.text("#reliability-summary"))
        self.assertEqual(browser("get", value="document.querySelectorAll('#last tr').length"), 20)
        self.assertNotRegex(browser.text("body"), r"NaN|undefined|Infinity|null")
        self.assertEqual(browser("complaints"), [])

        for scheme in ("light", "dark"):
            for name, width, height in (("wide", 1600, 1000), ("desktop", 1280, 900), ("phone", 390, 844), ("narrow", 320, 640)):
                browser("look", width=width, height=height, scheme=scheme)
                browser.wait("[...document.querySelectorAll('.plot')].every((plot) => "
                             "Math.abs(plot.querySelector('.uplot').offsetWidth - plot.clientWidth) <= 1)")
                self.assertTrue(self.fits(), (scheme, name))
                self.assertGreater(min(browser("get", value=COLORED)), 100)
                self.screenshot(f"{name}-{scheme}")
        self.assertEqual(browser("get", value="getComputedStyle(document.body).backgroundColor"), "rgb(20, 22, 26)")

        # Predicted before any of them is learned, 80 labels turn around, and it is seen.
        self.send(server, 80, 4, flip=True)
        self.shows_labels(2081)
        self.assertIn("Now worse", browser.text("#drift-summary"))
        self.assertEqual(browser("complaints"), [])

    def test_command_has_the_columns_of_the_model(self):
        file = self.folder / "it's.csv"
        file.write_text("size,color,kind\n1,red,it's\n2,blue,no\n3,red,no\n")
        server = self.serve("--schema", file, "--label", "kind", "--positive", "it's", "--batch", 2)
        self.browser("open", url=f"http://127.0.0.1:{server.port}/")
        self.browser.wait(LIVE)
        command = self.browser.text("#command")
        self.assertIn("size", command)
        for text in ("1 of a minibatch of 2 labels is there", None):
            done = subprocess.run(command.replace("curl ", "curl -s ", 1), shell=True, capture_output=True, text=True)
            self.assertIn('"accepted"', done.stdout, command + done.stderr)
            if text:
                self.browser.wait(f"document.querySelector('#waiting').innerText.includes('{text}')")
        self.shows_labels(2)

    def test_connection_is_lost_and_found(self):
        server = self.serve("--preset", "fast", "--batch", 1)
        self.send(server, 20, 1)
        self.browser("open", url=f"http://127.0.0.1:{server.port}/")
        self.shows_labels(20)
        port = server.port
        server.kill()
        self.browser.wait("document.querySelector('#status').innerText.startsWith('Connection lost')")
        self.screenshot("lost")
        server = self.serve("--preset", "fast", "--batch", 1, port=port)
        self.browser.wait(LIVE)
        self.send(server, 20, 2)
        self.shows_labels(40)

    def test_by_keyboard_with_two_models(self):
        self.serve("--preset", "fast", "--batch", 1, "--name", "other", "--classes", "red,green,blue").stop()
        server = self.serve("--preset", "fast", "--batch", 1)
        self.send(server, 30, 1)
        server.lines("learn", [{"row": {"x": i % 3}, "label": ("red", "green", "blue")[i % 3]} for i in range(60)], "other")
        server.wait_until_learned("other")
        browser = self.browser
        browser("open", url=f"http://127.0.0.1:{server.port}/")
        self.shows_labels(30)
        visited = []
        for _ in range(30):
            browser("press", key="Tab")
            visited.append(browser("get", value="document.activeElement.id || document.activeElement.tagName"))
            visible = browser("get", value="getComputedStyle(document.activeElement).outlineStyle")
            if visited[-1] == "model":
                self.assertNotEqual(visible, "none")
                browser("press", key="ArrowDown")
                self.shows_labels(60)
            if visited[-1] == "SUMMARY":
                browser("press", key="Enter")
                browser.wait("document.activeElement.parentElement.querySelector('tbody').rows.length > 0")
                break
        self.assertIn("model", visited)
        self.assertIn("SUMMARY", visited)
        self.assertEqual(browser("get", value="location.hash"), "#other")
        self.assertNotRegex(browser.text("body"), r"NaN|undefined|Infinity|null")
        self.screenshot("classes")
        unnamed = browser("get", value="[...document.querySelectorAll('[role=img]')].filter((one) => "
                                       "!document.getElementById(one.getAttribute('aria-labelledby')).innerText || "
                                       "!document.getElementById(one.getAttribute('aria-describedby')).innerText).length")
        self.assertEqual(unnamed, 0)
        self.assertEqual(browser("complaints"), [])

    def test_token(self):
        tokens = self.folder / "tokens"
        tokens.write_text(f"web predict {hashlib.sha256(b'p' * 32).hexdigest()}\n")
        server = self.serve("--tokens", tokens)
        browser = self.browser
        browser("open", url=f"http://127.0.0.1:{server.port}/")
        browser.wait("!document.querySelector('#access').hidden")
        for token, until in (("wrong", "document.querySelector('#denied').innerText.includes('does not know')"),
                             ("p" * 32, LIVE)):
            browser("fill", into="#token", text=token)
            browser("press", key="Enter")
            browser.wait(until)
        self.screenshot("token")
        self.assertTrue(browser("get", value="document.querySelector('#access').hidden"))
        self.assertNotIn("p" * 32, browser("get", value="document.documentElement.outerHTML"))


if __name__ == "__main__":
    unittest.main()

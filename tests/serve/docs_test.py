"""The commands of docs/serve.md run as they stand, in one shell, and print the lines shown below them."""

import os
import pathlib
import re
import socket
import subprocess
import unittest

from support import SERVER, InFolder

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "serve.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class Docs(InFolder):
    def test_commands_print_what_the_page_shows(self):
        port = free_port()
        script, shown = ["set -euo pipefail; trap 'kill $(jobs -p) 2>/dev/null || true' EXIT"], []
        blocks = BLOCK.findall(PAGE.read_text())
        for (language, text), (next_language, output) in zip(blocks, [*blocks[1:], ("", "")]):
            if language != "sh":
                continue
            text = text.replace("localhost:8080", f"localhost:{port}")
            script.append(text.replace("plumbline serve --data data 2>", f"plumbline serve --data data --listen 127.0.0.1:{port} 2>"))
            if next_language == "":
                shown += output.splitlines()
        self.assertGreater(len(script), 4)
        environment = {"PATH": f"{os.path.dirname(SERVER)}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(["bash", "-c", "\n".join(script)], cwd=self.folder, text=True, timeout=120,
                              stdin=subprocess.DEVNULL, capture_output=True, env=environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        printed = iter(done.stdout.splitlines())
        for line in shown:
            self.assertTrue(any(line in one for one in printed), f"{line}\nis not in\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    unittest.main()

"""Code shared by the benchmark scripts."""

import os
import pathlib
import platform
import re
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent


def say(*words):
    print(*words, file=sys.stderr, flush=True)


def output_of(*command):
    """The output of a command. A command that fails ends the script."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def data_options(folder):
    """For `plumbline datasets`: the given folder, else where plumbline looks, or where ./check does."""
    beside = REPOSITORY.parent / "shared" / "data"
    if folder is None and not os.environ.get("PLUMBLINE_DATA") and beside.is_dir():
        folder = beside
    return [] if folder is None else ["--data", folder]


def prepare_venv(folder, requirements):
    """Python with the pinned peers; made again when the pins change."""
    wanted = requirements.read_text()
    stamp = folder / "installed.txt"
    python = folder / "bin" / "python"
    if not stamp.exists() or stamp.read_text() != wanted:
        say("installing the peers …")
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*install, "-r", requirements], check=True)
        stamp.write_text(wanted)
    return python


def machine(build):
    """The machine and the commit that the numbers depend on."""
    def first(pattern, path, otherwise="unknown"):
        found = re.search(pattern, pathlib.Path(path).read_text(), re.MULTILINE)
        return found[1].strip() if found else otherwise

    compiler = first(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", build / "CMakeCache.txt")
    return {
        "processor": first(r"^model name\s*:(.*)$", "/proc/cpuinfo", platform.machine()),
        "cores": os.cpu_count(),
        "memory_kib": int(first(r"^MemTotal:\s+(\d+)", "/proc/meminfo", "0")),
        "compiler": output_of(compiler, "--version").splitlines()[0],
        "build_type": first(r"^CMAKE_BUILD_TYPE:\w+=(.*)$", build / "CMakeCache.txt"),
        "commit": output_of("git", "-C", REPOSITORY, "describe", "--always", "--dirty", "--abbrev=12").strip(),
    }

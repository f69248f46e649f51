"""Runs a program and measures it."""

import os
import pathlib
import resource
import subprocess
import tempfile
import time

TICKS = os.sysconf("SC_CLK_TCK")


class Stopped(Exception):
    """The program was ended because it needed more than the limits, or it failed by itself; says which."""

    def __init__(self, reason, by_limit):
        super().__init__(reason)
        self.by_limit = by_limit


def peak_and_seconds(pid):
    """The peak of resident memory in MiB and the processor time so far, or None if it has ended."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        # The second field, the name of the program, may contain blanks.
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    lines = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return (int(lines[0].split()[1]) / 1024, (int(fields[11]) + int(fields[12])) / TICKS) if lines else None


def measure(command, *, seconds, mib):
    """The output of a command, its processor time and its peak memory in MiB; Stopped beyond `seconds` or `mib`.

    The memory is read while it runs: what wait4 tells includes that of this process when it forked.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=errors)
        peak, pause, reason = 0.0, 0.005, None
        try:
            while process.poll() is None:
                now = peak_and_seconds(process.pid)
                if now:
                    peak = max(peak, now[0])
                    if now[0] > mib:
                        reason = f"more than {mib:.0f} MiB"
                    elif now[1] > seconds:
                        reason = f"more than {seconds:.0f} s"
                    if reason:
                        process.kill()
                time.sleep(pause)
                pause = min(0.2, pause * 1.2)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        out.seek(0), errors.seek(0)
        if reason:
            raise Stopped(reason, True)
        if process.returncode != 0:
            raise Stopped(f"failed: {' '.join(map(str, command))}\n{errors.read()[-2000:]}", False)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return out.read(), cpu, peak

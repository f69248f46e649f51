"""Dependencies point one way: a folder includes itself and the folders below it, nothing else.

Usage: include_graph.py SOURCE_DIR [--draw]. Prints each include that breaks the rule and exits 1; with --draw
it prints how many includes go from each folder to each other one.
"""

import collections
import pathlib
import re
import sys

# The folders that each folder may include besides itself. The families (learners, calibrators, policies, metrics) never
# include each other.
FOUNDATION = {"base", "data", "math"}
LIBRARY = {
    "base": set(),
    "data": {"base"},
    "math": {"base", "data"},
    "threads": {"base"},
    "decisions": FOUNDATION,
    "kernels": FOUNDATION,
    "learners": FOUNDATION | {"kernels"},  # for code shared by scalar and vector forms
    "companions": FOUNDATION | {"kernels"},
    "ensemble": FOUNDATION | {"companions", "kernels", "learners"},
    "calibrators": FOUNDATION | {"kernels"},
    "policies": FOUNDATION | {"decisions"},
    "metrics": FOUNDATION | {"decisions"},
    "json": set(),
    "io": {"base", "data"},
    "generators": FOUNDATION | {"io"},
    "encoding": FOUNDATION | {"io", "json"},
    "model": FOUNDATION | {"calibrators", "companions", "encoding", "ensemble", "io", "json", "learners",
                           "policies", "threads"},
    "sqlite": set(),
    "keyed": FOUNDATION | {"encoding", "io", "json", "model", "sqlite"},
    "evaluation": FOUNDATION | {"decisions", "encoding", "generators", "io", "metrics", "model", "policies"},
}
AROUND = {
    "report": set(),
    "paper": {"report"} | set(LIBRARY),
    "cli": {"report", "paper"} | set(LIBRARY),
    "serve": {"cli"} | set(LIBRARY),
    "kafka": {"cli", "report"} | set(LIBRARY),
}
# The folder to which each public header (include/plumbline) belongs: that of the code behind it.
PUBLIC = {
    "api.h": "base",
    "archive.h": "base",
    "batch.h": "data",
    "calibrator.h": "calibrators",
    "columns.h": "encoding",
    "components.h": "model",
    "config.h": "model",
    "decisions.h": "decisions",
    "ensemble.h": "ensemble",
    "error.h": "base",
    "keyed_model.h": "keyed",
    "learner.h": "learners",
    "metrics.h": "metrics",
    "model.h": "model",
    "online_calibrator.h": "model",
    "options.h": "base",
    "policy.h": "policies",
    "registry.h": "base",
    "schema.h": "data",
    "score_input.h": "data",
    "session.h": "model",
    "stream.h": "io",
    "threads.h": "threads",
    "version.h": "base",
}
# Headers without a .cpp that include nothing of the project, and so may be included from any folder.
SHARED = {"plumbline/base/utf8.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]')


def folder_of(path: pathlib.PurePath) -> str | None:
    """The folder of the tables above that a file, or an include, belongs to."""
    parts = path.parts
    if parts[0] == "plumbline":
        return parts[1] if len(parts) > 2 else PUBLIC.get(path.name.removesuffix(".in"), "plumbline")
    return parts[0] if parts[0] in AROUND else None


def includes(root: pathlib.Path):
    """(file, line, folder of the file, what it includes, folder of that), of all sources."""
    library = ((root / name, root / name) for name in ("include", "src"))
    for top, base in (*library, *((root / name, root) for name in AROUND)):
        for path in sorted(top.rglob("*")):
            if path.suffix not in (".h", ".cpp", ".in"):
                continue
            of = folder_of(path.relative_to(base))
            for number, line in enumerate(path.read_text().splitlines(), start=1):
                match = INCLUDE.match(line)
                to = folder_of(pathlib.PurePosixPath(match[1])) if match else None
                if to is not None:
                    yield path.relative_to(root), number, of, match[1], to


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    allowed = LIBRARY | AROUND
    complaints, counts = [], collections.Counter()
    for path, number, of, included, to in includes(root):
        counts[of, to] += 1
        if "/".join(path.parts[1:] if path.parts[0] in ("include", "src") else path.parts) in SHARED:
            complaints.append(f"{path}:{number}: any folder may include this file, so it must include none")
        if path.parts[0] == "include" and included.removeprefix("plumbline/") not in PUBLIC:
            complaints.append(f"{path}:{number}: a public header must not include {included}, which is not installed")
        if of == "plumbline":
            continue  # plumbline.h includes them all
        if of not in allowed:
            complaints.append(f"{path}: the folder '{of}' is not in the table of layers")
        elif to != of and to not in allowed[of] and included not in SHARED:
            complaints.append(f"{path}:{number}: {of} must not include {to}")
    if "--draw" in sys.argv:
        names = list(allowed)
        print("from \\ to".ljust(12) + "".join(name[:5].rjust(6) for name in names))
        for of in names:
            print(of.ljust(12) + "".join(str(counts[of, to] or "").rjust(6) for to in names))
    print("\n".join(complaints) or "the include graph points one way")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

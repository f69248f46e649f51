"""Dependencies point one way: a layer includes itself and the layers below it, nothing else.

Usage: include_graph.py SOURCE_DIR. Prints each include that breaks the rule and exits 1.
"""

import pathlib
import re
import sys

# What each folder may include besides itself. Families never include each other.
MAY_INCLUDE = {
    "core": set(),
    "kernels": {"core"},
    "learners": {"core", "kernels"},  # for what twins of the same bits share
    "calibrators": {"core"},
    "policies": {"core"},
    "rewards": {"core"},
    "metrics": {"core"},
    "streams": {"core"},
    "ensemble": {"core", "kernels", "learners"},
    "model": {
        "core", "learners", "calibrators", "policies", "rewards", "metrics", "streams", "ensemble",
    },
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]plumbline/([^/]+)/')


def broken_includes(library: pathlib.Path) -> list[str]:
    complaints = []
    for path in sorted(library.rglob("*")):
        if path.suffix not in (".h", ".cpp", ".in") or path.parent == library:
            continue  # plumbline.h, which includes them all, is nobody's layer
        layer = path.relative_to(library).parts[0]
        if layer not in MAY_INCLUDE:
            complaints.append(f"{path}: the folder '{layer}' is not in the table of layers")
            continue
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            match = INCLUDE.match(line)
            if match and match[1] != layer and match[1] not in MAY_INCLUDE[layer]:
                complaints.append(f"{path}:{number}: {layer} must not include {match[1]}")
    return complaints


def main() -> int:
    library = pathlib.Path(sys.argv[1]) / "src" / "plumbline"
    complaints = broken_includes(library)
    print("\n".join(complaints) or f"the include graph of {library.name} points one way")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

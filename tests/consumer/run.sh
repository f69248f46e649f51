#!/usr/bin/env bash
# Installs the library into an empty folder, cuts the C++ example out of the README, and builds and
# runs it against the installed package as a user would.
set -euo pipefail
source_dir=$1 build_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed -n '/^```cpp$/,/^```$/p' "$source_dir/README.md" | sed '/^```/d' >"$work/example.cpp"
[ -s "$work/example.cpp" ] || { echo "README.md has no C++ example" >&2; exit 1; }
cmake --install "$build_dir" --prefix "$work/prefix" >/dev/null
cmake -S "$source_dir/tests/consumer" -B "$work/build" -G Ninja \
  -DCMAKE_PREFIX_PATH="$work/prefix" -DEXAMPLE="$work/example.cpp" >/dev/null
cmake --build "$work/build" -- --quiet
cd "$work"
"$work/build/example" | tee "$work/output"
# What the README promises of its example.
grep -Eq '^log-loss 0\.[0-9]+ on 10000 examples$' "$work/output"
"$work/prefix/bin/plumbline" --version

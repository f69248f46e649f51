#!/usr/bin/env bash
# Installs the library into an empty folder, cuts the C++ programs out of README.md and docs/cpp.md, and builds and
# runs them against the installed package as a user would.
set -euo pipefail
source_dir=$1 build_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*" >&2
  exit 1
}

mkdir "$work/programs"
sed -n '/^```cpp$/,/^```$/p' "$source_dir/README.md" | sed '/^```/d' >"$work/programs/readme.cpp"
# Each block of docs/cpp.md begins with its file's name.
awk -v folder="$work/programs/" '
  /^```cpp$/ { block = 1; next }
  /^```$/ { block = 0; file = "" }
  block && file == "" { file = folder $2; next }
  block { print > file }' "$source_dir/docs/cpp.md"
for program in readme own_rows file scores own_learner; do
  [ -s "$work/programs/$program.cpp" ] || fail "the documentation has no program $program"
done

cmake --install "$build_dir" --prefix "$work/prefix" >/dev/null
# The front door, and nothing else.
diff <(cd "$source_dir/include/plumbline" && printf '%s\n' *.h version.h | sort) \
  <(cd "$work/prefix/include/plumbline" && printf '%s\n' * | sort) || fail "other headers are installed"
grep -Eq "VERSION \"$("$work/prefix/bin/plumbline" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -1)\"" \
  "$work/prefix/include/plumbline/version.h" || fail "version.h and the tool are of other versions"
cmake -S "$source_dir/tests/consumer" -B "$work/build" -G Ninja \
  -DCMAKE_PREFIX_PATH="$work/prefix" -DPROGRAMS="$work/programs" >/dev/null
cmake --build "$work/build" -- --quiet
cd "$work"

build/readme | tee output
grep -Eq '^log-loss 0\.[0-9]+ on 10000 examples$' output

build/own_rows >plain
build/own_rows_fast >fast
[ "$(wc -l <plain)" = 10 ] || fail "own_rows prints $(wc -l <plain) probabilities"
cmp plain fast || fail "-ffast-math in a program changes the bits"

prefix/bin/plumbline generate sea -n 3000 >sea.csv
build/file sea.csv | tee output
grep -Eq '^3000 rows, log-loss 0\.[0-9]+$' output
if build/file nowhere.csv 2>output; then fail "a file that is not there is no error"; fi
grep -q 'nowhere.csv' output

[ "$(build/scores)" = "0.5, 100 rows wait for their labels" ] || fail "scores prints $(build/scores)"

build/own_learner | tee output
expected=$(grep "^    own_learner.safetensors: it needs" "$source_dir/docs/cpp.md" | sed 's/^ *//')
[ "$(tail -1 output)" = "$expected" ] || fail "docs/cpp.md has another last line than own_learner"

if [ -x build/own_learner_shared ]; then
  library=$(ldd build/own_learner_shared | grep -o 'libplumbline\.so\.[0-9]*' | head -1)
  [ "$library" = libplumbline.so.0 ] || fail "the shared library is called '$library'"
  build/own_learner_shared | cmp - output || fail "the shared library gives other results"
  # Nothing of the inside is exported.
  path=$(find prefix -name libplumbline.so)
  if nm -DC --defined-only "$path" | grep -E 'plumbline::v0::(kernels::|BinaryModel|Encoder::|OnlineBoost)'; then
    fail "the shared library exports more than its headers"
  fi
else
  echo "no shared library was built: BUILD_SHARED_LIBS is off"
fi
prefix/bin/plumbline --version

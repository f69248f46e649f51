#!/usr/bin/env bash
# Runs the oracle tests with the Python of build/oracle-venv, which ./check prepares; exits 77, which
# ctest counts as skipped, where that is not to be had.
set -euo pipefail
source_dir=$1 driver=$2
python=$source_dir/build/oracle-venv/bin/python
if ! "$python" -c 'import sklearn, scipy, safetensors, xxhash, pytest' 2>/dev/null; then
  echo "skipped: scikit-learn is not in build/oracle-venv; ./check installs it"
  exit 77
fi
PLUMBLINE_ORACLE_DRIVER=$driver exec "$python" -B -m pytest -q -p no:cacheprovider \
  "$source_dir/tests/oracle"

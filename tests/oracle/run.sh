#!/usr/bin/env bash
# Runs the oracle tests with the Python of PLUMBLINE_ORACLE_PYTHON or of build/python-venv, which ./check prepares. Exits
# with 77, which ctest counts as skipped, if scikit-learn is missing there.
set -euo pipefail
source_dir=$1 driver=$2
python=${PLUMBLINE_ORACLE_PYTHON:-$source_dir/build/python-venv/bin/python}
if ! "$python" -c 'import sklearn, scipy, river, safetensors, xxhash, pytest' 2>/dev/null; then
  echo "skipped: scikit-learn is not in build/python-venv; ./check installs it"
  exit 77
fi
PLUMBLINE_ORACLE_DRIVER=$driver exec "$python" -B -m pytest -q -p no:cacheprovider \
  "$source_dir/tests/oracle"

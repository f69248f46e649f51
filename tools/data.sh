# Sourced by ./demo and ./check: where the paper's data sets are, if they lie beside this repository.
if [ -z "${PLUMBLINE_DATA:-}" ] && [ -d ../shared/data ]; then
  PLUMBLINE_DATA=$(cd ../shared/data && pwd)
  export PLUMBLINE_DATA
fi

# Sourced by ./demo and ./check: installs Debian packages that are missing, and only those.

# need_packages NAME…: returns at once if all are there.
need_packages() {
  local missing=() name
  for name in "$@"; do
    dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed ||
      missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return 0

  local apt=(apt-get)
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Missing packages: ${missing[*]}" >&2
      echo "Install them as root: apt-get install ${missing[*]}" >&2
      return 1
    fi
    apt=(sudo apt-get)
  fi
  echo "Installing ${missing[*]} …"
  local log
  log=$(mktemp)
  if ! { "${apt[@]}" update && DEBIAN_FRONTEND=noninteractive "${apt[@]}" install -y \
    --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    rm -f "$log"
    echo "Could not install: ${missing[*]}" >&2
    echo "Is there a network? Once there is: apt-get install ${missing[*]}" >&2
    return 1
  fi
  rm -f "$log"
}

# What it takes to build the library and the command line tool.
BUILD_PACKAGES=(g++ cmake ninja-build libfmt-dev nlohmann-json3-dev libxxhash-dev
  zlib1g-dev libbz2-dev liblzma-dev libzstd-dev libsqlite3-dev libhwy-dev libfast-float-dev
  libtomlplusplus-dev libmd-dev)
# The server needs these besides.
SERVE_PACKAGES=(libboost1.81-dev libssl-dev)
# The reader of Kafka topics needs this one.
KAFKA_PACKAGES=(librdkafka-dev)

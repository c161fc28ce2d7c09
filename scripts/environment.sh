# Sourced by scripts/exact and scripts/test with $root set: `environment NAME EXTRAS` makes sure that .venv is ready.
# The quick path runs no program at all: the stamp of a finished set-up is the folder's path and a copy of pyproject.toml,
# so that a moved checkout or a changed dependency list sets up again.

environment() {
    local stamp=$root/.venv/ready-$1
    if [[ -x $root/.venv/bin/python && -f $stamp && $(<"$stamp") == "$root"$'\n'"$(<"$root/pyproject.toml")" ]]; then
        return
    fi
    local python
    python=$(find_python) || exit 1
    "$python" "$root/scripts/setup.py" "$root" "$1" "$2" >&2 || exit 1
}

# The first Python 3.11+ that can make an environment. Links are followed, so that an upgraded system leaves a dangling
# .venv/bin/python, which is rebuilt, and not a new Python that sees no packages.
find_python() {
    local name path
    for name in python3.13 python3.12 python3.11 python3; do
        path=$(command -v "$name") && path=$(readlink -f "$path") || continue
        if "$path" -c "$usable" 2>/dev/null; then
            echo "$path"
            return
        fi
    done
    echo "exact: no usable Python found: python3.13, python3.12, python3.11 or python3 (3.11 or newer) with pip is needed" >&2
    return 1
}

usable='
import sys
from importlib.util import find_spec
sys.exit(sys.version_info < (3, 11) or not find_spec("venv") or not (find_spec("pip") or find_spec("ensurepip")))
'

#!/bin/sh
# Make .venv hold what requirements.txt locks, by uv where there is one, else by pip. Where it already does, nothing is
# done; where an earlier run was interrupted, or the lock has changed, .venv is made anew.
#
#   PYTHON=path/to/python sh setup.sh    another interpreter; .python-version says of which version
set -eu
cd "$(dirname "$0")"

version=$(cat .python-version)
built=requirements-build.txt
locked() { cat requirements.txt; if [ -f "$built" ]; then cat "$built"; fi; }

if locked | cmp -s - .venv/locked; then
    echo "setup: .venv holds what is locked"
    exit 0
fi

if [ -L .venv ]; then
    echo "setup: .venv is a link, as compatsolver sync makes it, and is left alone; sync changes it" >&2
    exit 1
fi
rm -rf .venv
if command -v uv >/dev/null 2>&1; then
    uv venv --quiet --python "${PYTHON:-$version}" .venv
    # Hashes, not the order of indexes, say which file is meant; uv alone has to be told so.
    add() { uv pip install --python .venv/bin/python --index-strategy unsafe-best-match "$@"; }
else
    "${PYTHON:-python$version}" -m venv .venv
    add() { .venv/bin/python -m pip install --disable-pip-version-check "$@"; }
fi

add --require-hashes -r requirements.txt
if [ -f "$built" ]; then
    # These are compiled against the torch that is installed now, which isolation would hide from them.
    add setuptools wheel packaging ninja
    add --require-hashes --no-deps --no-build-isolation -r "$built"
fi
locked >.venv/locked
echo "setup: .venv is ready"

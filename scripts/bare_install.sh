#!/bin/sh
# Builds the wheels of recollect and its catalogues, installs them alone in an empty environment, and runs them offline.
set -eu
python="${1:-python3}"
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check build
for package in "$root/catalogues" "$root"; do
  "$work/venv/bin/python" -m build -q --wheel --outdir "$work/dist" "$package"
done
"$python" -m venv --clear "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check "$work"/dist/*.whl
cd "$work"
"$work/venv/bin/recollect" --help >/dev/null
"$work/venv/bin/recollect" list
"$work/venv/bin/recollect" run memoryagentbench --memory bm25 --limit 8 --name bare
test -s runs/bare/report/index.html
echo "the two wheels alone run offline"

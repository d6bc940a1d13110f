#!/usr/bin/env bash
# Every check on this machine's GPU, once: writes report.json, messages.txt and, where all passed,
# attestation.json to a folder.
#
#   benchmarks/gpu/run_all.sh OUT [PYTHON]
#
# OUT is created. PYTHON is the interpreter of the environment that is validated; compatsolver need not be installed in
# it, because the checks are plain files that it runs. All of it takes less than eight minutes: what has not begun by
# then is reported as skipped.
set -uo pipefail

out=${1:?name a folder for the report}
python=${2:-python3}
root=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${SECONDS_FOR_ALL:-420}
mkdir -p "$out"

tool=${COMPATSOLVER:-"$root/.venv/bin/compatsolver"}
if [ ! -x "$tool" ]; then
  echo "there is no $tool: python3 -m venv .venv && .venv/bin/pip install . (or name the command in COMPATSOLVER)" >&2
  exit 2
fi

"$tool" validate --python "$python" --device cuda --memory --within "$seconds" \
  --format json --attestation "$out/attestation.json" >"$out/report.json" 2> >(tee "$out/messages.txt" >&2)
status=$?
echo "exit $status; the report is in $out" >&2
exit "$status"

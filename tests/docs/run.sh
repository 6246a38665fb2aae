#!/usr/bin/env bash
# tests/docs/run.sh SCRIPT ARGUMENT...: runs a test of the pages.
# kubectl and the control planes are in the cache; where they are not there, what needs them is skipped and says how to get them.
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
source "$HERE/../../scripts/lib.sh"
# shellcheck source=scripts/kubernetes.sh
source "$HERE/../../scripts/kubernetes.sh"

if [[ $1 == tutorial.py ]] && ! { have_tools && have_control_plane; }; then
	printf 'skipped: kubectl is not in %s; "scripts/cluster build" gets it\n' "$TOOLS_BIN"
	exit 77
fi
if [[ ${PROBATE_TEST_LANE:-normal} != normal ]]; then
	echo "skipped: done in the normal lane"
	exit 77
fi
export PYTHONDONTWRITEBYTECODE=1
exec python3 "$HERE/$1" "${@:2}"

#!/usr/bin/env bash
# tests/docs/run.sh SCRIPT ARGUMENT...: runs a test of the pages.
# kubectl and the control planes are in the cache; where they are not there, what needs them is skipped and says how to get them.
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
source "$HERE/../../scripts/lib.sh"
# shellcheck source=scripts/kubernetes.sh
source "$HERE/../../scripts/kubernetes.sh"

if [[ $1 == tutorial.py ]] && ! [[ -d $TOOLS_BIN && -x $(server_program kube-apiserver) ]]; then
	printf 'skipped: kubectl is not in %s; "scripts/cluster build" gets it\n' "$TOOLS_BIN"
	exit 77
fi

PYTHON=python3
if [[ $1 == reference.py ]] && ! "$PYTHON" -c 'import yaml' 2>/dev/null; then
	need_packages python3-yaml
	PYTHON=/usr/bin/python3 # the one that Debian's packages are for
fi
export PYTHONDONTWRITEBYTECODE=1
exec "$PYTHON" "$HERE/$1" "${@:2}"

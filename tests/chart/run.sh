#!/usr/bin/env bash
# tests/chart/run.sh SCRIPT ARGUMENT...: runs a test of the chart with Python's YAML and with helm.
# helm comes with kubectl and the control plane; where they are not there, the test is skipped and says how to get it.
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
source "$HERE/../../scripts/lib.sh"
# shellcheck source=scripts/kubernetes.sh
source "$HERE/../../scripts/kubernetes.sh"

if [[ ! -d $TOOLS_BIN ]]; then
	printf 'skipped: helm is not in %s; "scripts/cluster build" gets it\n' "$TOOLS_BIN"
	exit 77
fi

PYTHON=python3
if ! "$PYTHON" -c 'import yaml' 2>/dev/null; then
	need_packages python3-yaml
	PYTHON=/usr/bin/python3 # the one that Debian's packages are for
fi

PROBATE_TEST_SCRATCH=$(mktemp -d)
export PROBATE_TEST_SCRATCH PYTHONDONTWRITEBYTECODE=1
trap 'rm -rf "$PROBATE_TEST_SCRATCH"' EXIT
# Nothing of the user's own: plugins, repositories, defaults in the environment.
export HELM_CONFIG_HOME=$PROBATE_TEST_SCRATCH/helm HELM_CACHE_HOME=$PROBATE_TEST_SCRATCH/helm HELM_DATA_HOME=$PROBATE_TEST_SCRATCH/helm
"$PYTHON" "$HERE/$1" "${@:2}"

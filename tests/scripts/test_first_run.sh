#!/usr/bin/env bash
# What do the scripts say when something is missing: a folder, a program, disk space, a port, a right? Takes the source root.
ROOT=$(cd "${1:?usage: test_first_run.sh SOURCE-ROOT}" && pwd)
# shellcheck source=tests/scripts/cases.sh
source "$ROOT/tests/scripts/cases.sh"
unset PROBATE_KUBERNETES
# shellcheck source=scripts/lib.sh
source "$ROOT/scripts/lib.sh"
# shellcheck source=scripts/kubernetes.sh
source "$ROOT/scripts/kubernetes.sh"
# shellcheck source=tests/support/patience.sh
source "$ROOT/tests/support/patience.sh"

SCRATCH=$(mktemp -d)
LISTENER=
trap '[[ -z $LISTENER ]] || kill "$LISTENER"; rm -rf "$SCRATCH"' EXIT
export PROBATE_CLUSTER_DIR=$SCRATCH/clusters

# said COMMAND...: its standard error and its exit code.
said() {
	local code=0 text
	text=$("$@" 2>&1 >/dev/null </dev/null) || code=$?
	printf '%s (exit %d)' "$text" "$code"
}

# program FOLDER NAME TEXT: a program that prints TEXT.
program() {
	mkdir -p "$1"
	printf '#!/bin/sh\ncat <<END\n%s\nEND\n' "$3" >"$1/$2"
	chmod +x "$1/$2"
}

# ---------------------------------------------------------------------------------------------- any Kubernetes

NEWER=$SCRATCH/newer
program "$NEWER" kube-apiserver 'Kubernetes v1.99.0'
program "$NEWER" kube-controller-manager '      --secure-port int   the port'

same no_folder "error: there is no folder $SCRATCH/none (--kubernetes or PROBATE_KUBERNETES names it) (exit 1)" \
	"$(said "$ROOT/scripts/cluster" up --kubernetes "$SCRATCH/none")"
same no_folder_in_the_environment "error: there is no folder $SCRATCH/none (--kubernetes or PROBATE_KUBERNETES names it) (exit 1)" \
	"$(PROBATE_KUBERNETES=$SCRATCH/none said "$ROOT/scripts/cluster" up)"
mkdir "$SCRATCH/empty"
same no_program "error: $SCRATCH/empty has no program kube-apiserver (--kubernetes or PROBATE_KUBERNETES names it) (exit 1)" \
	"$(said "$ROOT/scripts/cluster" up "--kubernetes=$SCRATCH/empty")"
same no_value "cluster: --kubernetes needs a folder (see --help) (exit 2)" \
	"$(said "$ROOT/scripts/cluster" up --kubernetes)"

use_kubernetes ""
same the_release_that_is_built_here "$KUBERNETES_BUILT/kube-apiserver" "$(server_program kube-apiserver)"
use_kubernetes "$NEWER"
same servers_of_the_folder "$NEWER/kube-apiserver" "$(server_program kube-apiserver)"
same release_as_the_server_says_it v1.99.0 "$(kubernetes_release)"
same etcd_of_debian_where_the_folder_has_none "$ETCD_BIN/etcd" "$(server_program etcd)"
same kubectl_of_the_cache_where_the_folder_has_none "$TOOLS_BIN/kubectl" "$PROBATE_KUBECTL"
program "$NEWER" etcd 'etcd'
program "$NEWER" kubectl 'kubectl'
use_kubernetes "$NEWER"
same etcd_of_the_folder "$NEWER/etcd" "$(server_program etcd)"
same kubectl_of_the_folder "$NEWER/kubectl" "$PROBATE_KUBECTL"
same a_flag_that_the_program_knows yes "$(program_knows "$NEWER/kube-controller-manager" --secure-port && printf yes)"
same a_flag_that_it_does_not_know no "$(program_knows "$NEWER/kube-controller-manager" --port || printf no)"

# A cluster keeps the release that it was started with.
mkdir -p "$PROBATE_CLUSTER_DIR/hub"
printf '%s' "$NEWER" >"$PROBATE_CLUSTER_DIR/hub/kubernetes"
cp -R "$NEWER" "$SCRATCH/other"
same another_release "error: cluster hub runs Kubernetes v1.99.0; 'scripts/cluster down hub' ends it, then another release can start (exit 1)" \
	"$(said "$ROOT/scripts/cluster" up --kubernetes "$SCRATCH/other")"

# Its programs may be gone by then: it can be ended all the same.
use_kubernetes ""
rm -rf "$NEWER"
same programs_gone "error: there is no folder $NEWER (cluster hub was started from it; 'scripts/cluster down hub' ends the cluster) (exit 1)" \
	"$(said "$ROOT/scripts/cluster" up)"
same down_without_programs " (exit 0)" "$(said "$ROOT/scripts/cluster" down)"

# ------------------------------------------------------------------------------------------- disk, port, right

same no_disk_space \
	"error: building X needs 900000000 MB of disk space and $SCRATCH has N: free some, or move it (exit 1)" \
	"$(said bash -c "source '$ROOT/scripts/lib.sh'; need_space '$SCRATCH' 900000000 'building X' 'move it'" | sed 's/has [0-9]*:/has N:/')"
same enough_disk_space "" "$(need_space "$SCRATCH" 1 "building X" "move it")"

python3 -c 'import signal, socket
s = socket.create_server(("127.0.0.1", 0))
print(s.getsockname()[1], flush=True)
signal.pause()' >"$SCRATCH/port" &
LISTENER=$!
await "the listener has its port" 20 test -s "$SCRATCH/port"
PORT=$(cat "$SCRATCH/port")
same port_taken "error: port $PORT is taken by another program: end that, or choose another port with --listen 127.0.0.1:PORT (exit 1)" \
	"$(said "$ROOT/scripts/run" --listen "127.0.0.1:$PORT")"

same no_right_to_install \
	"error: these Debian packages are missing, and installing them takes root or sudo: a b (exit 1)" \
	"$(said bash -c "source '$ROOT/scripts/lib.sh'; id() { echo 1000; }; command() { false; }; may_install a b")"
same slowness_is_a_percentage yes "$([[ $(machine_slowness) =~ ^[1-9][0-9]{2,}$ ]] && printf yes)"

conclude

#!/usr/bin/env bash
# Does scripts/cluster mend a control plane of which one component has died, and end all of it? Takes the source root.
# Ends with a summary line like Unity's, so that its cases are counted one by one.
ROOT=$(cd "${1:?usage: test_recovery.sh SOURCE-ROOT}" && pwd)
# shellcheck source=tests/scripts/cases.sh
source "$ROOT/tests/scripts/cases.sh"
# shellcheck source=tests/support/patience.sh
source "$ROOT/tests/support/patience.sh"
PROBATE_CLUSTER_DIR=$(mktemp -d)
export PROBATE_CLUSTER_DIR
trap 'cluster down >/dev/null 2>&1; rm -rf "$PROBATE_CLUSTER_DIR"' EXIT

cluster() { "$ROOT/scripts/cluster" "$@"; }

# Who is dead and not yet reaped has a pid, but no program.
lives() { readlink "/proc/$1/exe" >/dev/null; }

# "COMPONENT STATE" of each.
states() { cluster status | awk '{ print $1, $2 }' | xargs; }

# The pid of a component, as "status" has it.
pid_of() { cluster status | sed -n "s/^$1 .* pid \([0-9]*\),.*/\1/p"; }

pids_of_others() { printf '%s %s' "$(pid_of etcd)" "$(pid_of kube-apiserver)"; }

ALL_UP="etcd up kube-apiserver up kube-controller-manager up"
ONE_DOWN="etcd up kube-apiserver up kube-controller-manager down"

# await_states STATES: an API server that answers late is "not ready" for a moment.
are_states() { states && [[ $(states) == "$1" ]]; }
await_states() { await "the components are: $1" 60 are_states "$1"; }

cluster up >"$PROBATE_CLUSTER_DIR/said" 2>&1 || cat "$PROBATE_CLUSTER_DIR/said"
await_states "$ALL_UP"
same all_components_come_up "$ALL_UP" "$(states)"

OTHERS=$(pids_of_others)
DEAD=$(pid_of kube-controller-manager)
kill -KILL "$DEAD"
dead() { ! lives "$DEAD"; }
await "the controller manager that was killed is dead" 20 dead
await_states "$ONE_DOWN"
same who_died_is_named "$ONE_DOWN" "$(states)"
same a_cluster_without_it_is_not_up 3 "$(cluster status >/dev/null || printf '%s' $?)"

cluster up >"$PROBATE_CLUSTER_DIR/said" 2>&1 || cat "$PROBATE_CLUSTER_DIR/said"
await_states "$ALL_UP"
same it_comes_back "$ALL_UP" "$(states)"
same nobody_else_was_started_again "$OTHERS" "$(pids_of_others)"

ALL="$(pids_of_others) $(pid_of kube-controller-manager)"
cluster down >/dev/null 2>&1
for pid in $ALL; do
	same down_ends_all_of_it gone "$(lives "$pid" || printf gone)"
done

conclude

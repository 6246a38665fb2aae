#!/usr/bin/env bash
# Tests of what can be tested of scripts/ without a network, root or a cluster. Takes the source root.
# Ends with a summary line like Unity's, so that its cases are counted one by one.
ROOT=$(cd "${1:?usage: test_scripts.sh SOURCE-ROOT}" && pwd)
# shellcheck source=tests/scripts/cases.sh
source "$ROOT/tests/scripts/cases.sh"
# shellcheck source=scripts/lib.sh
source "$ROOT/scripts/lib.sh"
# shellcheck source=tests/support/patience.sh
source "$ROOT/tests/support/patience.sh"

SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT
PROBATE_CACHE=$SCRATCH/cache

# ----------------------------------------------------------------------------------------------- apt sources

deb822() { deb822_sources bookworm trixie deb-src; }
classic() { classic_sources bookworm trixie deb; }

same deb822_stanza_is_pointed_at_the_suite "Types: deb-src
Suites: trixie
Components: main
URIs: http://archive.example/debian
Signed-By: /usr/share/keyrings/debian.gpg" "$(deb822 <<-'END'
	Types: deb
	# a remark in the middle
	URIs: http://archive.example/debian
	Suites: bookworm bookworm-updates
	Components: main contrib
	Signed-By: /usr/share/keyrings/debian.gpg

	Types: deb
	URIs: http://archive.example/security
	Suites: bookworm-security
	Components: main
END
)"

same deb822_embedded_key_is_kept "Types: deb-src
Suites: trixie
Components: main
URIs: http://archive.example/debian
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 -----END PGP PUBLIC KEY BLOCK-----" "$(printf '%s\n' \
	'Types: deb deb-src' 'URIs: http://archive.example/debian' 'Suites: bookworm' 'Components: main' 'Signed-By:' \
	' -----BEGIN PGP PUBLIC KEY BLOCK-----' ' .' ' -----END PGP PUBLIC KEY BLOCK-----' | deb822)"

same deb822_foreign_and_disabled_stanzas_are_left_out "" "$(deb822 <<-'END'
	Types: deb
	URIs: http://other.example/linux/debian
	Suites: bookworm
	Components: stable

	Enabled: no
	Types: deb
	URIs: http://archive.example/debian
	Suites: bookworm
	Components: main
END
)"

same classic_lines_are_pointed_at_the_suite "deb http://archive.example/debian trixie main
deb [arch=amd64 signed-by=/k.gpg] http://second.example/debian trixie main" "$(classic <<-'END'
	# deb http://commented.example/debian bookworm main
	deb http://archive.example/debian bookworm main non-free-firmware # remark
	deb http://archive.example/debian bookworm-updates main
	deb [arch=amd64 signed-by=/k.gpg] http://second.example/debian bookworm contrib main
	deb http://archive.example/debian bookworm main
	deb http://other.example/linux/debian bookworm stable
	deb-src http://archive.example/debian bookworm main
END
)"

# ------------------------------------------------------------------------------------------------------ locks

# The first holder writes when it is done; the second may begin only then.
hold() {
	touch "$SCRATCH/held"
	await "the second script says that it waits" 20 test -e "$SCRATCH/waiting"
	printf 'first ' >>"$SCRATCH/order"
}
second() { printf 'second' >>"$SCRATCH/order"; }
with_lock "$SCRATCH/lock" hold &
await "the first script holds the lock" 20 test -e "$SCRATCH/held"
with_lock "$SCRATCH/lock" second | tee "$SCRATCH/said" | while read -r _; do touch "$SCRATCH/waiting"; done
wait
same lock_makes_the_second_wait "first second" "$(cat "$SCRATCH/order")"
same lock_says_what_it_waits_for "    waiting for another script (it holds $SCRATCH/lock)" "$(cat "$SCRATCH/said")"
same lock_passes_the_exit_code_on 7 "$(with_lock "$SCRATCH/lock" bash -c 'exit 7' || printf '%s' $?)"

# --------------------------------------------------------------------------------------------------- counting

# count LOG-LINE...: the last line of the count and its exit code
count() {
	local code=0
	printf '%s\n' "$@" >"$SCRATCH/testlog.json"
	python3 "$ROOT/scripts/count_tests.py" "$SCRATCH/testlog.json" >"$SCRATCH/count" || code=$?
	printf '%s (%s)' "$(tail -n 1 "$SCRATCH/count")" "$code"
}
# entry RESULT EXIT-CODE STDOUT
entry() {
	printf '{"name": "t", "result": "%s", "returncode": %s, "duration": 1, "command": ["t"], "stdout": "%s"}' "$@"
}

same count_of_unity_cases "4 passed, 0 failed, 1 skipped (0)" \
	"$(count "$(entry OK 0 'a:PASS\n3 Tests 0 Failures 1 Ignored \nOK\n')" "$(entry OK 0 '2 Tests 0 Failures 0 Ignored\n')")"
same count_of_failed_cases "1 passed, 2 failed (1)" "$(count "$(entry FAIL 2 '3 Tests 2 Failures 0 Ignored\n')")"
same count_of_programs_without_a_summary "0 passed, 2 failed (1)" "$(count "$(entry OK 0 fine)" "$(entry FAIL 1 bad)")"
same count_of_crash_after_the_last_case "3 passed, 1 failed (1)" \
	"$(count "$(entry FAIL -11 '3 Tests 0 Failures 0 Ignored\n')")"
same count_of_timeout "0 passed, 1 failed (1)" "$(count "$(entry TIMEOUT -15 'a:PASS\n')")"
same count_of_77_failures_is_no_skip "1 passed, 77 failed (1)" \
	"$(count "$(entry SKIP 77 '78 Tests 77 Failures 0 Ignored\n')")"
same count_of_nothing_is_a_failure "0 passed, 0 failed, 1 skipped (1)" "$(count "$(entry SKIP 77 '')")"

# ------------------------------------------------------------------------------------------------------- help

for script in cluster run test soak; do
	same "help_of_$script" "scripts/$script:" "$("$ROOT/scripts/$script" --help | head -n 1 | cut -d ' ' -f 1)"
done
same unknown_argument_is_wrong_usage 2 "$("$ROOT/scripts/test" --frob 2>/dev/null || printf '%s' $?)"
same unknown_cluster_is_wrong_usage 2 "$("$ROOT/scripts/cluster" up moon 2>/dev/null || printf '%s' $?)"

# -------------------------------------------------------------------------------------------- cluster, at rest

export PROBATE_CLUSTER_DIR=$SCRATCH/clusters
same status_of_no_cluster 3 "$("$ROOT/scripts/cluster" status >/dev/null || printf '%s' $?)"
same kubeconfig_of_no_cluster 3 "$("$ROOT/scripts/cluster" kubeconfig 2>/dev/null || printf '%s' $?)"

# A pid file that names a living process of somebody else: it is neither taken for ours nor ended.
mkdir -p "$PROBATE_CLUSTER_DIR/hub/run"
printf 'ETCD_PORT=1\nETCD_PEER_PORT=1\nAPISERVER_PORT=1\nCONTROLLERS_PORT=1\n' >"$PROBATE_CLUSTER_DIR/hub/ports"
tail -f /dev/null &
BYSTANDER=$!
printf '%s 1 %s\n' "$BYSTANDER" "$(cat /proc/sys/kernel/random/boot_id)" >"$PROBATE_CLUSTER_DIR/hub/run/etcd.pid"
printf 'junk' >"$PROBATE_CLUSTER_DIR/hub/run/kube-apiserver.pid"
same stale_pid_files_count_as_down "etcd down kube-apiserver down kube-controller-manager down" \
	"$("$ROOT/scripts/cluster" status | xargs)"
"$ROOT/scripts/cluster" down >/dev/null
same down_spares_a_recycled_pid alive "$(kill -0 "$BYSTANDER" && printf alive)"
same down_removes_the_state gone "$([[ -e $PROBATE_CLUSTER_DIR/hub ]] || printf gone)"
kill "$BYSTANDER"

# What a test that was killed has left below the build folder.
mkdir -p "$SCRATCH/build/tests/one/cluster/hub/run"
tail -f /dev/null &
LEFT=$!
printf '%s %s %s\n' "$LEFT" "$(cut -d ' ' -f 22 "/proc/$LEFT/stat")" "$(cat /proc/sys/kernel/random/boot_id)" \
	>"$SCRATCH/build/tests/one/cluster/hub/run/kube-apiserver.pid"
end_left_clusters "$SCRATCH/build" >/dev/null
same a_cluster_that_a_test_left_is_ended "gone gone" \
	"$(kill -0 "$LEFT" 2>/dev/null || printf gone) $([[ -e $SCRATCH/build/tests/one/cluster/hub ]] || printf gone)"

# Nobody listens on the ports of a cluster that is about to start: only its claim keeps another from taking them.
# shellcheck source=/dev/null
source <(sed -n '/^PORT_CLAIMS=/,/^port_of/{/^port_of/!p}' "$ROOT/scripts/cluster")
port_open() { false; }
mkdir -p "$SCRATCH/other" "$SCRATCH/mine" "$PORT_CLAIMS"
for ((first = 20000; first < 32000; first += 4)); do printf '%s' "$SCRATCH/other" >"$PORT_CLAIMS/$first"; done
rm "$PORT_CLAIMS/20400"
printf '%s' "$SCRATCH/gone" >"$PORT_CLAIMS/20408"
DIR=$SCRATCH/mine
claim_ports
FIRST=$(sed -n 's/^ETCD_PORT=//p' "$DIR/ports")
same claimed_ports_are_not_taken yes "$([[ $FIRST == 20400 || $FIRST == 20408 ]] && printf yes)"
same ports_are_claimed "$DIR" "$(cat "$PORT_CLAIMS/$FIRST")"
mkdir "$SCRATCH/next"
DIR=$SCRATCH/next
claim_ports
same the_claim_of_a_cluster_that_is_gone_is_forgotten 40808 \
	$((FIRST + $(sed -n 's/^ETCD_PORT=//p' "$DIR/ports")))

conclude

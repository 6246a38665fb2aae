#!/usr/bin/env bash
# Builds the image and runs it as a cluster would: from a root that cannot be written to, as nobody, with no capability.
# usage: test_image.sh PROBATE. Ends with a summary line like Unity's.
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
source "$HERE/../../scripts/lib.sh"
# shellcheck source=tests/support/patience.sh
source "$HERE/../support/patience.sh"

PROGRAM=${1:?usage: test_image.sh PROBATE}
UNPACKED_MAX_KB=$((40 * 1024)) # what the project promises
STARTS_WITHIN=30               # seconds; it takes less than one
BUILDS_WITHIN=300              # seconds

need_command curl curl
need_packages util-linux

SCRATCH=$(mktemp -d)
chmod 711 "$SCRATCH" # the image's user has to get through
ROOT=$SCRATCH/root
SERVER=
TESTS=0
FAILURES=0

finish() {
	local code=$?
	trap - EXIT
	stop_server
	as_root rm -rf "$SCRATCH"
	exit "$code"
}

# check NAME COMMAND...: a case; what the command prints is shown when it fails.
check() {
	local name=$1
	shift
	TESTS=$((TESTS + 1))
	if "$@" >"$SCRATCH/said" 2>&1; then
		printf '%s:PASS\n' "$name"
	else
		FAILURES=$((FAILURES + 1))
		printf '%s:FAIL: %s\n' "$name" "$(cat "$SCRATCH/said")"
	fi
}

# Below what the kernel hands out for connections: nobody has it a moment later, either.
free_port() {
	python3 - <<-'PYTHON'
		import contextlib, random, socket

		for port in random.sample(range(10000, 20000), 1000):
		    with socket.socket() as listener, contextlib.suppress(OSError):
		        listener.bind(("127.0.0.1", port))
		        print(port)
		        break
	PYTHON
}

# ----------------------------------------------------------------------------------------------- what is in it

builds() { timeout "$(patience "$BUILDS_WITHIN")" "$PROBATE_ROOT/scripts/image" --program "$PROGRAM" --output "$SCRATCH/image.tar"; }

# The layers of the archive, unpacked, and its configuration.
unpacks() {
	mkdir -p "$SCRATCH/oci" "$ROOT"
	tar -xf "$SCRATCH/image.tar" -C "$SCRATCH/oci"
	python3 - "$SCRATCH/oci" "$SCRATCH/config.json" "$SCRATCH/layers" <<-'PYTHON'
		import json, pathlib, sys

		folder, config, layers = map(pathlib.Path, sys.argv[1:])
		blob = lambda one: folder / "blobs" / one["digest"].replace(":", "/")
		index = json.loads((folder / "index.json").read_text())
		manifest = json.loads(blob(index["manifests"][0]).read_text())
		config.write_bytes(blob(manifest["config"]).read_bytes())
		layers.write_text("".join(f"{blob(one)}\n" for one in manifest["layers"]))
	PYTHON
	while read -r layer; do as_root tar -xpf "$layer" -C "$ROOT"; done <"$SCRATCH/layers"
	as_root find "$ROOT" -printf '%M %9s /%P %l\n' | tee "$SCRATCH/contents"
}

is_small() {
	local size
	size=$(as_root du -sk "$ROOT" | cut -f 1)
	echo "$size KB"
	[[ $size -lt $UNPACKED_MAX_KB ]]
}

starts_as_nobody() {
	python3 -c '
import json, sys
config = json.load(open(sys.argv[1]))["config"]
print(config)
sys.exit(config["User"] != "65532:65532" or config["Entrypoint"] != ["/usr/bin/probate"])' "$SCRATCH/config.json"
}

# No shell, no setuid bit, nothing that belongs to or can be written by others than root.
has_nothing_to_misuse() {
	! grep -E '/(ba|da)?sh$|/busybox|/apt|/dpkg$|\.key$' "$SCRATCH/contents" &&
		[[ -z $(as_root find "$ROOT" \( -perm /6000 -o -perm /022 -o ! -user 0 \) ! -type l -print) ]]
}

# Each library is a Debian package whose version and licence are there.
says_what_it_is_made_of() {
	local status=$ROOT/var/lib/dpkg/status.d name
	for name in libc6 libgnutls30 libmicrohttpd12 libjson-c5 libcurl3-gnutls libyaml-0-2; do
		grep "^Version:" "$status/$name" && [[ -s $ROOT/usr/share/doc/$name/copyright ]] || return 1
	done
}

# ------------------------------------------------------------------------------------------------ as it is run

# inside COMMAND...: in the image, read-only, as its user, without capabilities and with no way to get one.
inside() {
	# shellcheck disable=SC2016 # the inner shell expands these
	as_root env "HUB=${HUB:-}" unshare --mount --propagation private sh -c '
		root=$1; shift
		mount --bind "$root" "$root"
		[ -z "$HUB" ] || mount --bind "$HUB" "$root/var/lib"
		mount -o remount,bind,ro "$root"
		exec setpriv --no-new-privs chroot --userspec=65532:65532 "$root" "$@"' sh "$ROOT" "$@"
}

starts() { inside /usr/bin/probate version | grep '^probate [0-9]'; }

cannot_write() {
	local said
	said=$(inside /usr/bin/probate certs --out /certs --name x 2>&1) && return 1
	echo "$said"
	[[ $said == *'Read-only file system'* ]]
}

start_server() {
	PORT=$(free_port)
	OPS=$(free_port)
	HUB=$PROBATE_ROOT/examples/hub inside /usr/bin/probate serve --embedded /var/lib \
		--listen "127.0.0.1:$PORT" --ops-listen "127.0.0.1:$OPS" >"$SCRATCH/log" 2>&1 &
	SERVER=$!
}

stop_server() {
	[[ -n $SERVER ]] || return 0
	as_root pkill -TERM -P "$SERVER" 2>/dev/null || kill "$SERVER" 2>/dev/null || true
	wait "$SERVER" 2>/dev/null || true
	SERVER=
}

is_ready() { curl -sf --max-time "$STARTS_WITHIN" "http://127.0.0.1:$OPS/readyz" || { tail -n 20 "$SCRATCH/log" && false; }; }
is_ready_or_over() { is_ready || ! kill -0 "$SERVER"; }

becomes_ready() {
	await "the server is ready" "$STARTS_WITHIN" is_ready_or_over
	kill -0 "$SERVER" && is_ready
}

answers_a_review() {
	curl -sk --max-time "$(patience "$STARTS_WITHIN")" "https://127.0.0.1:$PORT/validate" -H 'Content-Type: application/json' \
		-d @"$PROBATE_ROOT/examples/reviews/denied.json" | tee "$SCRATCH/answer"
	grep -q '"allowed": *false' "$SCRATCH/answer"
}

trap finish EXIT
trap 'exit 130' INT TERM HUP
check it_builds builds
check it_unpacks unpacks
check it_is_under_40_MB is_small
check it_starts_as_nobody starts_as_nobody
check it_has_nothing_to_misuse has_nothing_to_misuse
check it_says_what_it_is_made_of says_what_it_is_made_of
check it_starts starts
check it_cannot_write cannot_write
start_server
check it_becomes_ready becomes_ready
check it_answers_a_review answers_a_review
stop_server
echo "--- what is in the image"
cat "$SCRATCH/contents"
printf '\n%d Tests %d Failures 0 Ignored\n' "$TESTS" "$FAILURES"
[[ $FAILURES -eq 0 ]]

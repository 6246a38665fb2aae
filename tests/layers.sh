#!/usr/bin/env bash
# tests/layers.sh: dependencies between the layers of the source point down only.
#
#   tests/layers.sh SOURCE-ROOT   lists every #include that points up or sideways; exits 1 if there is one
#   tests/layers.sh --self-test   shows on made-up trees that each sort of violation is found
set -euo pipefail

# layer: the layers it may include beside itself
RULES='
base:
model:       base
core:        model base
rules:       core model base
reconcilers: core model base
api:         model base
hub:         api model base
kube:        api model base
control:     api core reconcilers model base
admission:   core rules api model base
cli:         base model core rules reconcilers api hub kube control admission
'

# Prints "file:line: rule" for each violation below the current folder.
violations() {
	local files=()
	mapfile -t files < <(find src include/probate -type f \( -name '*.c' -o -name '*.h' \) 2>/dev/null | LC_ALL=C sort)
	[[ ${#files[@]} -gt 0 ]] || return 0
	awk -v rules="$RULES" '
		BEGIN {
			count = split(rules, line, "\n")
			for (i = 1; i <= count; i++) {
				if (line[i] == "") continue
				words = split(line[i], word, " ")
				sub(/:$/, "", word[1])
				known[word[1]] = 1
				list[word[1]] = ""
				for (j = 2; j <= words; j++) {
					allowed[word[1], word[j]] = 1
					list[word[1]] = list[word[1]] " " word[j]
				}
				if (words == 1) list[word[1]] = " nothing but itself"
			}
		}
		FNR == 1 {
			# src/LAYER/... and include/probate/LAYER/...; a file beside the layers has none
			depth = split(FILENAME, part, "/")
			at = part[1] == "src" ? 2 : 3
			layer = depth > at ? part[at] : ""
			if (layer != "" && !(layer in known) && !told[layer]++)
				print FILENAME ":1: " layer " is no layer"
		}
		layer == "" || !(layer in known) { next }
		/^[ \t]*#[ \t]*include[ \t]*["<]/ {
			target = $0
			sub(/^[ \t]*#[ \t]*include[ \t]*["<]/, "", target)
			sub(/[">].*/, "", target)
			ours = 0
			while (sub(/^\.\.?\//, "", target)) ours = 1
			if (sub(/^(src|include\/probate|probate)\//, "", target)) ours = 1
			to = target
			if (!sub(/\/.*/, "", to) || to == layer) next
			if (to in known) {
				if (!((layer, to) in allowed))
					print FILENAME ":" FNR ": " layer " must not include " to " (it may include" list[layer] ")"
			} else if (ours)
				print FILENAME ":" FNR ": " to " is no layer"
		}' "${files[@]}"
}

check() {
	local found
	cd "$1"
	[[ -d src ]] || {
		printf 'no src folder in %s\n' "$1" >&2
		exit 2
	}
	found=$(violations)
	[[ -n $found ]] || return 0
	printf '%s\n' "$found"
	return 1
}

# expect WANTED FILE LINE: a tree with that one file, holding LINE as its second line.
CASES=0
expect() {
	CASES=$((CASES + 1))
	local wanted=$1 file=$2 line=$3 tree output got=clean
	tree=$(mktemp -d)
	mkdir -p "$tree/src" "$tree/$(dirname "$file")"
	printf '#include <stdio.h>\n%s\n' "$line" >"$tree/$file"
	output=$(check "$tree" 2>&1) || got=violation
	rm -rf "$tree"
	if [[ $got != "$wanted" || ($got == violation && $output != "$file":[12]:*) ]]; then
		printf 'self-test: %s with %s: wanted %s, got %s: %s\n' "$file" "$line" "$wanted" "$got" "$output"
		return 1
	fi
}

self_test() {
	local failed=0 layer to layers
	layers=$(sed -n 's/^\([a-z]*\):.*/\1/p' <<<"$RULES")
	# The whole table, for sources and headers: an include is clean exactly where the table allows it.
	for layer in $layers; do
		for to in $layers; do
			local wanted=violation
			if [[ $to == "$layer" || " $(sed -n "s/^$layer: *//p" <<<"$RULES") " == *" $to "* ]]; then wanted=clean; fi
			expect "$wanted" "src/$layer/a.c" "#include \"probate/$to/b.h\"" || failed=1
			expect "$wanted" "include/probate/$layer/a.h" "#include \"probate/$to/b.h\"" || failed=1
		done
	done
	# Up, sideways, and the ways to hide it.
	expect violation src/base/a.c '#include "probate/model/object.h"' || failed=1
	expect violation src/hub/a.c '#include "probate/kube/rest.h"' || failed=1
	expect violation src/kube/deep/a.c '#  include <probate/hub/hub.h>' || failed=1
	expect violation src/rules/a.c '#include "../reconcilers/private.h"' || failed=1
	expect violation src/core/a.c '#include "rules/private.h"' || failed=1
	expect violation src/core/a.c '#include "probate/nowhere/a.h"' || failed=1
	expect violation src/nowhere/a.c '#include "probate/base/str.h"' || failed=1
	# And what is no violation.
	expect clean src/core/a.c '#include "private.h"' || failed=1
	expect clean src/kube/a.c '#include <curl/curl.h>' || failed=1
	expect clean src/main.c '#include "probate/cli/cli.h"' || failed=1
	return "$failed"
}

# summary COUNT: the last line, like Unity's; without it a test has failed.
summary() { printf '%d Tests 0 Failures 0 Ignored\n' "$1"; }

case ${1:-} in
-h | --help) sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" ;;
--self-test) self_test && summary "$CASES" ;;
'' | -*)
	printf 'layers.sh: give the source root, or --self-test\n' >&2
	exit 2
	;;
*) check "$1" && summary 1 ;;
esac

# shellcheck shell=bash
# For tests that are scripts: cases that are counted one by one, as Unity's are. To be sourced.
TESTS=0
FAILURES=0
LAST_CASE=${EPOCHREALTIME/[.,]/}

# same NAME WANTED GOT: its time is that since the case before it.
same() {
	local now=${EPOCHREALTIME/[.,]/} took
	took=$(((now - LAST_CASE) / 1000))
	LAST_CASE=$now
	TESTS=$((TESTS + 1))
	if [[ $2 == "$3" ]]; then
		printf '%s:PASS (%d ms)\n' "$1" "$took"
	else
		FAILURES=$((FAILURES + 1))
		printf '%s:FAIL: wanted\n%s\n got\n%s (%d ms)\n' "$1" "$2" "$3" "$took"
	fi
}

# The summary line, and the last thing a test does.
conclude() {
	printf '%s\n%d Tests %d Failures 0 Ignored\n' ----------------------- "$TESTS" "$FAILURES"
	[[ $FAILURES -eq 0 ]]
}

# shellcheck shell=bash
# For tests that are scripts: cases that are counted one by one, as Unity's are. To be sourced.
TESTS=0
FAILURES=0

# same NAME WANTED GOT
same() {
	TESTS=$((TESTS + 1))
	if [[ $2 == "$3" ]]; then
		printf '%s:PASS\n' "$1"
	else
		FAILURES=$((FAILURES + 1))
		printf '%s:FAIL: wanted\n%s\n got\n%s\n' "$1" "$2" "$3"
	fi
}

# The summary line, and the last thing a test does.
conclude() {
	printf '%s\n%d Tests %d Failures 0 Ignored\n' ----------------------- "$TESTS" "$FAILURES"
	[[ $FAILURES -eq 0 ]]
}

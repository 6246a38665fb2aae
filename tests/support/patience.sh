# Waits of the tests in bash: their deadlines are scaled and their messages are made as those of support/wait.h.
# shellcheck shell=bash

# patience SECONDS: a deadline, scaled to the machine. PROBATE_TEST_PATIENCE is in percent; 100 stands for an idle machine.
patience() {
	local percent=${PROBATE_TEST_PATIENCE:-100}

	[[ $percent =~ ^[0-9]{1,6}$ ]] || percent=100
	percent=$((10#$percent < 100 ? 100 : 10#$percent > 2000 ? 2000 : 10#$percent))
	printf '%d' $(($1 * percent / 100))
}

# await WHAT SECONDS COMMAND...: until the command succeeds. A wait in vain says what it awaited and what the command said
# last, and fails.
await() {
	local what=$1 began=$SECONDS within seen
	within=$(patience "$2")
	shift 2
	until seen=$("$@" 2>&1); do
		if ((SECONDS - began >= within)); then
			printf 'waited %d s for: %s; last seen: %s\n' $((SECONDS - began)) "$what" "${seen:-nothing}" >&2
			return 1
		fi
		sleep 0.05
	done
}

#!/bin/sh
# Proves, on a running service, that thousands of duplicates of one request cost one execution.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=deploy/load/common.sh
. "$here/common.sh"

parse_url "$@"
shift "$consumed"

cat <<END
Hot key against $url

One payment, sent 2,000 times at once, while the PSP takes three seconds. One execution serves all
requests; the others are parked and woken by its completion. The line "woken" shows the time from
the first response to theirs.

END

run_load --keys 1 --retries 2000 --concurrency 2000 --slow-ms 3000 "$@"
verdict "one execution served all parked duplicates"

#!/bin/sh
# Shows, on a running service, what the undisputed path costs: each key is sent once.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=deploy/load/common.sh
. "$here/common.sh"

parse_url "$@"
shift "$consumed"

cat <<END
Unique keys against $url

For ten seconds, payments with unique keys, 32 in flight, each sent once. Nothing is parked or
replayed, so the throughput is that of claim, charge and completion. Each key must have one payment,
and no payment with a response may be missing.

END

run_load --duration 10s --retries 1 --concurrency 32 "$@"
verdict "one payment for each key, none lost"

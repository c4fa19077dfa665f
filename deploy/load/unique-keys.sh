#!/bin/sh
# Shows, on a running service, what the undisputed path costs: each key is sent once.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=deploy/load/common.sh
. "$here/common.sh"

begin "$@"
shift "$taken"

cat <<END
Unique keys against $url

For ten seconds, payments under keys of their own, 32 in flight, none sent twice. Nothing is parked
and nothing replayed, so the throughput is that of claim, charge and completion. It shows that each
key has its one payment and that none that was answered is missing.

END

storm --duration 10s --retries 1 --concurrency 32 "$@"
verdict "one payment for each key, none lost"

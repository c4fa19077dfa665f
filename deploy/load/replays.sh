#!/bin/sh
# Proves, on a running service, that retries of finished requests are replayed from the record.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=deploy/load/common.sh
. "$here/common.sh"

parse_url "$@"
shift "$consumed"

cat <<END
Replays against $url

50 payments, each sent 400 times over at most 16 connections, so that most requests of a key arrive
after its completion. A replay executes nothing and is byte-identical to the first response. Compare
the lines "first" and "replayed"; they are close if store and PSP are inside the service's process.

END

run_load --keys 50 --retries 400 --concurrency 16 "$@"
verdict "every replay equals the first response and executed nothing"

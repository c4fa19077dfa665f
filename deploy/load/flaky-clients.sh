#!/bin/sh
# Proves, on a running service, that clients which disconnect and retry are served once.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=deploy/load/common.sh
. "$here/common.sh"

parse_url "$@"
shift "$consumed"

cat <<END
Flaky clients against $url

For ten seconds, 20 payments per second at a fixed rate, each sent by five clients, of which 60 %
disconnect before their response and retry. The PSP takes 200 ms. A disconnect neither cancels nor
repeats the execution: it continues, its response is stored, and retries get it. Latency counts from
the time at which a request was due.

END

run_load --rate 20 --duration 10s --retries 5 --hang-up 0.6 --slow-ms 200 --concurrency 500 "$@"
verdict "one effect for each key despite disconnects"

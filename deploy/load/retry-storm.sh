#!/bin/sh
# Proves, on a running service, that a retry storm executes each operation once.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=deploy/load/common.sh
. "$here/common.sh"

parse_url "$@"
shift "$consumed"

cat <<END
Retry storm against $url

50 payments, each sent 40 times at once, while the PSP takes 300 ms. A tenth of the callers
disconnect early and retry. Each payment is made and charged once, all 2,000 callers get the same
response, and duplicates wait for the first execution instead of executing or failing.

END

run_load --keys 50 --retries 40 --concurrency 400 --slow-ms 300 --hang-up 0.1 "$@"
verdict "one effect for each key, however often it was sent"

#!/bin/sh
# Proves, on a running service, that a storm of retries runs each operation once.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=deploy/load/common.sh
. "$here/common.sh"

begin "$@"
shift "$taken"

cat <<END
Retry storm against $url

50 payments, each sent 40 times at the same moment, while the PSP takes 300 ms over each. A tenth
of the callers hang up early and retry. It shows that each payment is made once and charged once,
that every one of the 2,000 callers gets the same answer to the byte, and that the duplicates wait
for the first run's answer instead of running or failing.

END

storm --keys 50 --retries 40 --concurrency 400 --slow-ms 300 --hang-up 0.1 "$@"
verdict "one effect for each key, however often it was sent"

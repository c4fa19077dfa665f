#!/bin/sh
# Proves, on a running service, that thousands of duplicates of one request cost one run.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=deploy/load/common.sh
. "$here/common.sh"

begin "$@"
shift "$taken"

cat <<END
Hot key against $url

One payment, sent 2,000 times at the same moment, while the PSP takes three seconds over it. It
shows that one run answers them all: the others are parked and woken by its completion. How soon
after the first answer they had theirs is the line "woken".

END

storm --keys 1 --retries 2000 --concurrency 2000 --slow-ms 3000 "$@"
verdict "one run answered all that waited for it"

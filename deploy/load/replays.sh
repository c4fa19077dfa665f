#!/bin/sh
# Proves, on a running service, that retries of what is finished are answered from the record.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=deploy/load/common.sh
. "$here/common.sh"

begin "$@"
shift "$taken"

cat <<END
Replays against $url

50 payments, each sent 400 times over at most 16 connections, so that all but the first few of each
come after it is finished. It shows that a replay runs nothing, that it is the first answer to the
byte, and what it takes against a run: compare the lines "first" and "replayed", which are close
where store and PSP are in the process that answers.

END

storm --keys 50 --retries 400 --concurrency 16 "$@"
verdict "every replay was the first answer, and ran nothing"

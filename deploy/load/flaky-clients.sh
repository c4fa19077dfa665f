#!/bin/sh
# Proves, on a running service, that clients which hang up and retry are served once.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=deploy/load/common.sh
. "$here/common.sh"

begin "$@"
shift "$taken"

cat <<END
Flaky clients against $url

For ten seconds 20 payments a second fall due, whatever the service makes of it, each sent by five
clients of which 60 % hang up before their answer and come again. The PSP takes 200 ms. It shows
that a hang-up cancels nothing and repeats nothing: the run goes on, is stored, and whoever comes
back gets its answer. Latency counts from when a request was meant to be sent.

END

storm --rate 20 --duration 10s --retries 5 --hang-up 0.6 --slow-ms 200 --concurrency 500 "$@"
verdict "one effect for each key, whoever hung up"

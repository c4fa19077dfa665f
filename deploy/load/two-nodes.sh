#!/bin/sh
# Proves that two nodes on one Postgres are one service: duplicates meet on either node, and a node
# that is killed in the middle leaves nothing behind that runs twice.
#
#   two-nodes.sh [further options of the load command]
#
# Starts a PSP and two nodes, on loopback and free ports, and ends them again. From the environment:
#   LATCHKEY_POSTGRES_URI  an empty database, or one that Latchkey keeps its tables in. Without it
#                          an embedded Postgres is started for the run: that needs this checkout,
#                          Maven and the test dependencies, and is meant for Linux and macOS.
#   STORE                  postgres; "memory" shows what becomes of nodes that share nothing (FAIL)
#   LATCHKEY_JAR, JAVA     the jar (target/latchkey.jar of this checkout) and the runtime
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=deploy/load/common.sh
. "$here/common.sh"

case ${1:-} in
-h | --help)
  usage
  exit 0
  ;;
esac
needs_jar
store=${STORE:-postgres}
# Settings of another service would bend this one.
unset LATCHKEY_API_KEYS LATCHKEY_API_KEY LATCHKEY_CONFIG LATCHKEY_LEDGER LATCHKEY_PSP_URL

dir=$(mktemp -d)
pids=
end() {
  trap - EXIT
  for pid in $pids; do
    kill "$pid" 2>/dev/null || :
  done
  for pid in $pids; do
    wait "$pid" 2>/dev/null || :
  done
  rm -rf "$dir"
}
trap end EXIT
trap 'exit 2' HUP INT TERM

# start NAME COMMAND...: runs it and waits for its ready line; its address is then in $address.
start() {
  name=$1
  shift
  "$@" >"$dir/$name.out" 2>"$dir/$name.err" &
  started=$!
  pids="$started $pids"
  tries=0
  until grep -q ' ready on ' "$dir/$name.out"; do
    tries=$((tries + 1))
    if ! kill -0 "$started" 2>/dev/null || [ "$tries" -gt 60 ]; then
      tail -n 5 "$dir/$name.err" >&2
      not_run "$name did not start"
    fi
    sleep 1
  done
  address=$(sed -n 's/.* ready on \([^ ]*\).*/\1/p' "$dir/$name.out")
}

postgres() {
  echo "Starting an embedded Postgres, since LATCHKEY_POSTGRES_URI is not set ..."
  root=$here/../..
  [ -f "$root/pom.xml" ] || not_run "no checkout around this script: set LATCHKEY_POSTGRES_URI"
  mvn -q -B -ntp -f "$root/pom.xml" test-compile \
    org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath \
    -Dmdep.outputFile="$dir/classpath" >"$dir/mvn.out" 2>&1 || {
    tail -n 5 "$dir/mvn.out" >&2
    not_run "Maven could not find the embedded Postgres: set LATCHKEY_POSTGRES_URI"
  }
  start postgres "$java" -cp "$root/target/test-classes:$(cat "$dir/classpath")" \
    dev.latchkey.testing.servers.PostgresMain
  export LATCHKEY_POSTGRES_URI="$address"
}

if [ "$store" = postgres ] && [ -z "${LATCHKEY_POSTGRES_URI:-}" ]; then
  postgres
fi
start psp "$java" -jar "$jar" psp --host 127.0.0.1 --port 0 --data "$dir/psp"
export LATCHKEY_PSP_URL="$address"
start one "$java" -jar "$jar" serve --host 127.0.0.1 --port 0 --store "$store" --lease 2s
url=$address
start two "$java" -jar "$jar" serve --host 127.0.0.1 --port 0 --store "$store" --lease 2s
url=$url,$address
second=$started

cat <<END
Two nodes, $url, on one store ($store), with one PSP

First 100 payments, each sent 20 times at the same moment to both nodes, while the PSP takes 200 ms
and a tenth of the callers hang up. It shows that a duplicate waits on whichever node it comes to,
is woken there by the other node's completion, and that the PSP's own count is one charge a key.

END
storm --keys 100 --retries 20 --concurrency 200 --slow-ms 200 --hang-up 0.1 "$@"
[ "$code" = 0 ] || verdict ""

cat <<END
Then ten payments a second for ten seconds, each sent six times, and the second node is killed with
SIGKILL in the middle. It shows that what it had begun is taken over by the first, without a second
charge, and that nothing that was answered is lost.

END
# What the PSP has written down, which grows with the first charge.
written() {
  cat "$dir"/psp/* | wc -c
}
before=$(written)
(
  while [ "$(written)" = "$before" ]; do
    sleep 1
  done
  sleep 4
  kill -9 "$second"
) &
pids="$! $pids"
storm --rate 10 --duration 10s --retries 6 --concurrency 400 --slow-ms 400 "$@"
verdict "two nodes, one of them killed, had one effect for each key"

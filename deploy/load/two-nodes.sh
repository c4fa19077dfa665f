#!/bin/sh
# Proves that two nodes on one Postgres or Redis are one service: duplicates meet across nodes, and
# after a node is killed nothing executes twice.
#
# Usage: two-nodes.sh [further options of the load command]
#
# Starts a PSP and two nodes on loopback and free ports, and stops them. Environment:
#   STORE                  postgres (default) or redis; "memory" shows nodes that share nothing
#                          (FAIL)
#   LATCHKEY_POSTGRES_URI  an empty database, or one with Latchkey's tables
#   LATCHKEY_REDIS_URI     an empty Redis, or one with Latchkey's keys. Without the URI for STORE the
#                          script starts an embedded server, which needs this checkout, Maven and the
#                          test dependencies, on Linux or macOS.
#   LATCHKEY_JAR, JAVA     the jar (target/latchkey.jar of this checkout) and the runtime
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=deploy/load/common.sh
. "$here/common.sh"

if asks_for_help "$@"; then
  about
  exit 0
fi
needs_jar
store=${STORE:-postgres}
# Settings of another service must not apply here.
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

# embedded NAME MAIN VARIABLE: starts a server of the tests; its address is then in $address.
embedded() {
  echo "Starting an embedded server ($1), since $3 is not set ..."
  root=$here/../..
  [ -f "$root/pom.xml" ] || not_run "no checkout around this script: set $3"
  mvn -q -B -ntp -f "$root/pom.xml" test-compile \
    org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath \
    -Dmdep.outputFile="$dir/classpath" >"$dir/mvn.out" 2>&1 || {
    tail -n 5 "$dir/mvn.out" >&2
    not_run "Maven could not find the embedded server ($1): set $3"
  }
  start "$1" "$java" -cp "$root/target/test-classes:$(cat "$dir/classpath")" \
    "dev.latchkey.testing.servers.$2"
}

case $store in
postgres)
  if [ -z "${LATCHKEY_POSTGRES_URI:-}" ]; then
    embedded postgres PostgresMain LATCHKEY_POSTGRES_URI
    export LATCHKEY_POSTGRES_URI="$address"
  fi
  ;;
redis)
  if [ -z "${LATCHKEY_REDIS_URI:-}" ]; then
    embedded redis RedisMain LATCHKEY_REDIS_URI
    export LATCHKEY_REDIS_URI="$address"
  fi
  ;;
esac
start psp "$java" -jar "$jar" psp --host 127.0.0.1 --port 0 --data "$dir/psp"
export LATCHKEY_PSP_URL="$address"
start one "$java" -jar "$jar" serve --host 127.0.0.1 --port 0 --store "$store" --lease 2s
url=$address
start two "$java" -jar "$jar" serve --host 127.0.0.1 --port 0 --store "$store" --lease 2s
url=$url,$address
second=$started

cat <<END
Two nodes, $url, on one store ($store), with one PSP

First 100 payments, each sent 20 times at once to both nodes, while the PSP takes 200 ms and a tenth
of the callers disconnect. A duplicate parks on the node that receives it and is woken by the other
node's completion; the PSP counts one charge per key.

END
run_load --keys 100 --retries 20 --concurrency 200 --slow-ms 200 --hang-up 0.1 "$@"
[ "$code" = 0 ] || verdict ""

cat <<END
Then ten payments per second for ten seconds, each sent six times, while the second node is killed
with SIGKILL. The first node takes over its attempts without a second charge, and no response is lost.

END
# Prints the size of the PSP's journal, which grows with the first charge.
journal_bytes() {
  cat "$dir"/psp/* | wc -c
}
before=$(journal_bytes)
(
  while [ "$(journal_bytes)" = "$before" ]; do
    sleep 1
  done
  sleep 4
  kill -9 "$second"
) &
pids="$! $pids"
run_load --rate 10 --duration 10s --retries 6 --concurrency 400 --slow-ms 400 "$@"
verdict "two nodes, one of them killed, had one effect for each key"

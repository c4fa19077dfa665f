#!/bin/sh
# Proves, on a running service, that a storm of retries runs each operation once.
#
#   retry-storm.sh [URL[,URL...]] [further options of the load command]
#
# LATCHKEY_JAR names the jar (default: target/latchkey.jar of this checkout), JAVA the runtime.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
jar=${LATCHKEY_JAR:-$here/../../target/latchkey.jar}
java=${JAVA:-java}
url=http://127.0.0.1:8080
case ${1:-} in
-h | --help)
  sed -n '2,/^set/{/^set/d;s/^#\{1,\} \{0,1\}//p;}' "$0"
  exit 0
  ;;
-* | '') ;;
*)
  url=$1
  shift
  ;;
esac

if [ ! -f "$jar" ]; then
  echo "retry-storm: no $jar; build it with 'mvn -q package' or set LATCHKEY_JAR" >&2
  exit 2
fi

cat <<END
Retry storm against $url

50 payments, each sent 40 times at the same moment, while the PSP takes 300 ms over each. A tenth
of the callers hang up early and retry. It shows that each payment is made once and charged once,
that every one of the 2,000 callers gets the same answer to the byte, and that the duplicates wait
for the first run's answer instead of running or failing.

END

code=0
"$java" -jar "$jar" load --url "$url" --keys 50 --retries 40 --concurrency 400 --slow-ms 300 \
  --hang-up 0.1 "$@" || code=$?

echo
case $code in
0) echo "PASS: one effect for each of the 50 keys" ;;
1) echo "FAIL: the service did not keep its promise, see the faults above" ;;
*) echo "NOT RUN: see the message above" ;;
esac
exit "$code"

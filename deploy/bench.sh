#!/bin/sh
# Measures what idempotency costs, as ratios against the same service without it, and writes
# docs/benchmarks.md.
#
#   bench.sh [EXPERIMENT...] [--quick] [--rounds N] [--window SECONDS] [--warm-up SECONDS]
#            [--heap SIZE] [--page FILE]
#   bench.sh --page-only [--page FILE]
#   bench.sh --list
#   bench.sh --jmh [NAME...] [options of JMH]
#
# --jmh runs the benchmarks of single parts instead: fingerprint, key, capture, codec, memory claim.
# Without an experiment it runs all of them (about an hour); --list names them. What was
# measured is kept in target/bench, one file an experiment, and the page is made of all that are
# there: a single one can be run again. While there is nothing of some others, its page is
# target/bench/benchmarks.md. --page-only makes the page again and runs nothing. --quick is one short
# round, to see that it works; its figures are worth nothing, and are kept apart with their page in
# target/bench/quick. The default is five rounds of 4 s after 20 s of warm-up, and as many times more,
# up to 80 s, as it takes to send 100,000 requests: a server that had fewer is still compiling.
#
# Starts an embedded Postgres and a Redis for each experiment, with fsync on; Redis is the installed
# redis-server where the machine has one, since the embedded one has an allocator of half its speed. To
# use others, set
#   BENCH_POSTGRES_URI   postgresql://user:password@host:port/database, of a user who may create
#                        databases; they are left behind
#   BENCH_REDIS_URI      redis://host:port/0
# Needs this checkout, Maven, for the experiment pgbench that program, and a machine that does nothing else
# meanwhile, with 20 GB of memory for the experiments on the memory store. Meant for Linux.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$here/..
java=${JAVA:-java}

case ${1:-} in
-h | --help)
  sed -n '2,/^set/{/^set/d;s/^#\{1,\} \{0,1\}//p;}' "$0"
  exit 0
  ;;
esac

cd "$root"
mkdir -p target
mvn -q -B -ntp package -DskipTests \
  org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath \
  -Dmdep.outputFile=target/bench.classpath >target/bench.mvn 2>&1 || {
  tail -n 5 target/bench.mvn >&2
  echo "bench.sh: Maven could not build the benchmarks" >&2
  exit 2
}
classpath=target/test-classes:target/classes:$(cat target/bench.classpath)
if [ "${1:-}" = --jmh ]; then
  shift
  exec "$java" -cp "$classpath" org.openjdk.jmh.Main "$@"
fi
exec "$java" -cp "$classpath" dev.latchkey.bench.BenchMain "$@"

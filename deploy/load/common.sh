# shellcheck shell=sh disable=SC2034,SC2154
# What the load scripts share; sourced by them, not run.
#
# A script calls `begin "$@"` and drops the words that this took (`shift "$taken"`), or sets `url`
# itself; prints what it will prove, then calls `storm` with the options of the load command, then
# `verdict`.
#
# They all take, save two-nodes.sh, which starts what it needs:
#   SCRIPT [URL[,URL...]] [options of the load command that the script does not give by itself]
# and from the environment:
#   URL           the nodes, where they are not the first argument (http://127.0.0.1:8080)
#   PSP_URL       the PSP, to audit its own count as well; nobody else may use it meanwhile
#   API_KEY       the bearer secret, for a service that wants one
#   LATCHKEY_JAR  the jar (target/latchkey.jar of this checkout)
#   JAVA          the runtime (java)

jar=${LATCHKEY_JAR:-$here/../../target/latchkey.jar}
java=${JAVA:-java}

# Prints the comment at the head of the script that was called.
about() {
  sed -n '2,/^set/{/^set/d;s/^#\{1,\} \{0,1\}//p;}' "$0"
}

# Prints that and the shared one.
usage() {
  about
  echo
  sed -n '/^# They all take/,/^$/s/^#\{1,\} \{0,1\}//p' "$here/common.sh"
}

# Whether help is asked for, wherever: the load command would give its own and exit with 0, which
# is what a proof does.
asks_for_help() {
  for word in "$@"; do
    case $word in
    -h | --help) return 0 ;;
    esac
  done
  return 1
}

not_run() {
  echo "$(basename "$0"): $1" >&2
  exit 2
}

needs_jar() {
  [ -f "$jar" ] || not_run "no $jar; build it with 'mvn -q package' or set LATCHKEY_JAR"
}

# Answers who asks for help. Sets `url`, and `taken`, how many words of the command line that was.
begin() {
  if asks_for_help "$@"; then
    usage
    exit 0
  fi
  url=${URL:-http://127.0.0.1:8080}
  taken=0
  case ${1:-} in
  -* | '') ;;
  *)
    url=$1
    taken=1
    ;;
  esac
  needs_jar
}

# The secret goes by the environment, where a list of processes does not show it.
if [ -n "${API_KEY:-}" ]; then
  export LATCHKEY_API_KEY="$API_KEY"
fi
if [ -n "${PSP_URL:-}" ]; then
  export LATCHKEY_PSP_URL="$PSP_URL"
fi

# Ctrl-C reaches the load command too, which then stops and audits what it sent: that is waited for.
trap : INT

# Runs the load command and keeps its exit code in `code`.
storm() {
  code=0
  "$java" -jar "$jar" load --url "$url" "$@" || code=$?
  echo
}

# Ends the script with the load command's exit code; "$1" says what exit code 0 has proved.
verdict() {
  case $code in
  0) echo "PASS: $1" ;;
  1) echo "FAIL: the service did not keep its promise, see the faults above" ;;
  *) echo "NOT RUN: see the message above" ;;
  esac
  exit "$code"
}

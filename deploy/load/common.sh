# shellcheck shell=sh disable=SC2034,SC2154
# Functions of the load scripts, which source this file.
#
# A script calls `parse_url "$@"` and `shift "$consumed"`, or sets `url` itself; prints what it
# proves; calls `run_load` with options of the load command; and ends with `verdict`.
#
# Usage of all scripts except two-nodes.sh:
#   SCRIPT [URL[,URL...]] [further options of the load command]
# Environment:
#   URL           the nodes if they are not the first argument (http://127.0.0.1:8080)
#   PSP_URL       the PSP, to audit its counts too; it must have no other users
#   API_KEY       bearer secret
#   LATCHKEY_JAR  the jar (target/latchkey.jar of this checkout)
#   JAVA          the runtime (java)

jar=${LATCHKEY_JAR:-$here/../../target/latchkey.jar}
java=${JAVA:-java}

# Prints the comment at the head of the script.
about() {
  sed -n '2,/^set/{/^set/d;s/^#\{1,\} \{0,1\}//p;}' "$0"
}

# Prints that and the common usage.
usage() {
  about
  echo
  sed -n '/^# Usage of all/,/^$/s/^#\{1,\} \{0,1\}//p' "$here/common.sh"
}

# Returns whether any argument is -h or --help. The load command would print its own help and exit
# with 0, which means success here.
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

# Prints the help if requested. Sets `url`, and `consumed` to the number of arguments it used.
parse_url() {
  if asks_for_help "$@"; then
    usage
    exit 0
  fi
  url=${URL:-http://127.0.0.1:8080}
  consumed=0
  case ${1:-} in
  -* | '') ;;
  *)
    url=$1
    consumed=1
    ;;
  esac
  needs_jar
}

# The environment keeps the secret out of process lists.
if [ -n "${API_KEY:-}" ]; then
  export LATCHKEY_API_KEY="$API_KEY"
fi
if [ -n "${PSP_URL:-}" ]; then
  export LATCHKEY_PSP_URL="$PSP_URL"
fi

# Ctrl-C also reaches the load command, which stops and audits; the script waits for it.
trap : INT

# Runs the load command and sets `code` to its exit code.
run_load() {
  code=0
  "$java" -jar "$jar" load --url "$url" "$@" || code=$?
  echo
}

# Exits with the load command's exit code; "$1" is the proof if that is 0.
verdict() {
  case $code in
  0) echo "PASS: $1" ;;
  1) echo "FAIL: see the violations above" ;;
  *) echo "NOT RUN: see the message above" ;;
  esac
  exit "$code"
}

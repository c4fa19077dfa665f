#!/usr/bin/env bash
# Exits with 0 if /health/live responds 200. For images without curl; `serve` and `psp` have the path.
#
#   healthcheck.sh [PORT]      (default: LATCHKEY_HTTP_PORT, else 8080)
set -eu

port=${1:-${LATCHKEY_HTTP_PORT:-8080}}
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' >&3
IFS=' ' read -r -t 2 _ status _ <&3
[ "$status" = 200 ]

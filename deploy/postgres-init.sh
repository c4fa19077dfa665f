#!/usr/bin/env bash
# Runs in the container of Postgres when its data directory is empty.
set -eu
owner() { psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" "$@"; }
owner -f /postgres-roles.sql
owner -v password="$SERVICE_PASSWORD" <<'SQL'
ALTER ROLE latchkey_service LOGIN PASSWORD :'password';
SQL

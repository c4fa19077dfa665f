-- Idempotency keys, their recorded steps, and receipts. Times are the server's, in milliseconds since 1970.
-- Each state transition is one statement by primary key. No index covers a column that a completion changes, so
-- that completions are heap-only updates.

CREATE FUNCTION latchkey_now() RETURNS bigint
  LANGUAGE sql STABLE
  AS $$ SELECT floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint $$;

-- Aborts the transaction: the named effect does not apply.
CREATE FUNCTION latchkey_refuse(what text) RETURNS boolean
  LANGUAGE plpgsql VOLATILE
  AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'LK001', MESSAGE = what; END $$;

-- Aborts the transaction: the claim is lost.
CREATE FUNCTION latchkey_lost() RETURNS boolean
  LANGUAGE plpgsql VOLATILE
  AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'LK002', MESSAGE = 'lost lease'; END $$;

CREATE TABLE latchkey_key (
  tenant text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  route text COLLATE "C" NOT NULL,
  created_at_millis bigint NOT NULL,
  -- Set at the first use; only a completion after this time moves it.
  expires_at_millis bigint NOT NULL,
  lease_until_millis bigint NOT NULL,
  attempt integer NOT NULL,
  -- The number of recorded steps. A claim that saw another number is retried.
  steps smallint NOT NULL,
  -- 0 in progress, 1 completed, 2 released
  phase smallint NOT NULL,
  taken_over boolean NOT NULL,
  -- Another node waits: the completion or release notifies.
  awaited boolean NOT NULL,
  fingerprint bytea NOT NULL,
  token bytea NOT NULL,
  member_sketch bytea NOT NULL,
  response bytea,
  PRIMARY KEY (tenant, key, route),
  -- The only check: the server parses every check again in every statement that writes.
  CHECK ((phase = 1) = (response IS NOT NULL))
) WITH (
  -- A row triples in size when its response is stored. The free space keeps the new version in the same page,
  -- so that completions touch no index: all batches with responses of up to 1,000 bytes, 63 % with 1,500 bytes.
  -- Longer responses are stored outside the row. A key takes 1.8 KB (3 KB at a fillfactor of 15).
  fillfactor = 20,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_analyze_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0
);

-- Only the purge uses it.
CREATE INDEX latchkey_key_expiry ON latchkey_key (expires_at_millis);

-- Steps that attempts recorded, numbered from 1. They are deleted with their key.
CREATE TABLE latchkey_step (
  tenant text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  route text COLLATE "C" NOT NULL,
  step smallint NOT NULL,
  name text COLLATE "C" NOT NULL,
  result bytea NOT NULL,
  PRIMARY KEY (tenant, key, route, step),
  FOREIGN KEY (tenant, key, route) REFERENCES latchkey_key ON DELETE CASCADE
);

-- Receipts: the responses to keys whose claims another store holds, committed with their effects. The primary
-- key decides which attempt was first. A receipt is written once and replaced only after it has expired.
CREATE TABLE latchkey_receipt (
  tenant text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  route text COLLATE "C" NOT NULL,
  -- Both as callers see them, by the clock of the store that holds the claims.
  created_at_millis bigint NOT NULL,
  expires_at_millis bigint NOT NULL,
  -- By the clock of this server, which alone decides.
  kept_until_millis bigint NOT NULL,
  attempt integer NOT NULL,
  fingerprint bytea NOT NULL,
  token bytea NOT NULL,
  member_sketch bytea NOT NULL,
  -- Null only inside the transaction whose work produces the response.
  response bytea,
  PRIMARY KEY (tenant, key, route)
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_analyze_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0
);

-- Only the purge uses it.
CREATE INDEX latchkey_receipt_expiry ON latchkey_receipt (kept_until_millis);

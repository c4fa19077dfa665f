-- Idempotency keys. Each transition is one statement by the primary key; times are the server's own, in
-- milliseconds since 1970. No index covers a column that a completion changes, so that completions are
-- heap-only updates.

CREATE FUNCTION latchkey_now() RETURNS bigint
  LANGUAGE sql STABLE
  AS $$ SELECT floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint $$;

-- Ends the transaction from inside the server: an effect named so does not apply.
CREATE FUNCTION latchkey_refuse(what text) RETURNS boolean
  LANGUAGE plpgsql VOLATILE
  AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'LK001', MESSAGE = what; END $$;

-- Ends the transaction from inside the server: the claim is no longer its holder's.
CREATE FUNCTION latchkey_lost() RETURNS boolean
  LANGUAGE plpgsql VOLATILE
  AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'LK002', MESSAGE = 'lost lease'; END $$;

CREATE TABLE latchkey_key (
  tenant text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  route text COLLATE "C" NOT NULL,
  created_at_millis bigint NOT NULL,
  -- Fixed by the first use; only a completion later than that moves it.
  expires_at_millis bigint NOT NULL,
  lease_until_millis bigint NOT NULL,
  attempt integer NOT NULL,
  -- How many steps are recorded. A claim that saw another number looks again.
  steps smallint NOT NULL,
  -- 0 in progress, 1 completed, 2 released
  phase smallint NOT NULL,
  taken_over boolean NOT NULL,
  -- Another node waits: whatever settles the key notifies.
  awaited boolean NOT NULL,
  fingerprint bytea NOT NULL,
  token bytea NOT NULL,
  outline bytea NOT NULL,
  response bytea,
  PRIMARY KEY (tenant, key, route),
  -- The only one: the server reads the text of each check anew in every statement that writes.
  CHECK ((phase = 1) = (response IS NOT NULL))
) WITH (
  -- A row trebles when its response comes. Its new version finds room in its own page, so that completions
  -- touch no index: in batches, with answers of up to 1,000 bytes all of them, with 1,500 bytes 63 %; longer
  -- ones are kept apart from the row. A key takes 1.8 KB; at 15 all of 1,500 bytes too, and each key 3 KB.
  fillfactor = 20,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_analyze_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0
);

-- For the purge alone.
CREATE INDEX latchkey_key_expiry ON latchkey_key (expires_at_millis);

-- Steps that attempts recorded, numbered from 1. They go with their key.
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

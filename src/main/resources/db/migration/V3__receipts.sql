-- Receipts: what was answered under a key whose claim is kept elsewhere, committed with the effects of the
-- answer. The primary key decides who was first. Written once; replaced only when it has expired.

CREATE TABLE latchkey_receipt (
  tenant text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  route text COLLATE "C" NOT NULL,
  -- Both as callers are told, by the clock of whoever keeps the claims.
  created_at_millis bigint NOT NULL,
  expires_at_millis bigint NOT NULL,
  -- By the clock of this server, which alone decides.
  kept_until_millis bigint NOT NULL,
  attempt integer NOT NULL,
  fingerprint bytea NOT NULL,
  token bytea NOT NULL,
  outline bytea NOT NULL,
  -- Null only inside a transaction whose work is about to make the answer. Were one ended in between,
  -- there would be no receipt.
  response bytea,
  PRIMARY KEY (tenant, key, route)
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_analyze_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0
);

-- For the purge alone.
CREATE INDEX latchkey_receipt_expiry ON latchkey_receipt (kept_until_millis);

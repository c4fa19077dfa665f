-- The ledger: payments, refunds, customers, balances, and an outbox of events.
-- Times are milliseconds since 1970, money is in minor units. Keys compare by bytes ("C").

CREATE SEQUENCE ledger_bookings AS bigint;

-- Only columns without an index change after the insert, and each page keeps free space for the
-- new row version, so that an update writes no index.
CREATE TABLE ledger_payments (
  id text COLLATE "C" PRIMARY KEY,
  booking bigint NOT NULL,
  tenant text COLLATE "C" NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  derived_key text COLLATE "C" NOT NULL,
  psp_charge text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL,
  amount bigint NOT NULL,
  currency text COLLATE "C" NOT NULL,
  payment_method text NOT NULL,
  customer text COLLATE "C",
  description text,
  metadata text NOT NULL,
  status text COLLATE "C" NOT NULL,
  captured_amount bigint NOT NULL,
  refunded_amount bigint NOT NULL,
  disputed boolean NOT NULL,
  closing_key text COLLATE "C",
  updated_at_ms bigint NOT NULL,
  version bigint NOT NULL,
  CONSTRAINT ledger_payments_one_per_charge UNIQUE (psp_charge),
  CONSTRAINT ledger_payments_amount CHECK (amount BETWEEN 1 AND 99999999999),
  CONSTRAINT ledger_payments_currency CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT ledger_payments_captured CHECK (captured_amount BETWEEN 0 AND amount),
  CONSTRAINT ledger_payments_refunded CHECK (refunded_amount BETWEEN 0 AND captured_amount),
  CONSTRAINT ledger_payments_status CHECK (
    CASE
      WHEN captured_amount = 0 THEN status IN ('requires_capture', 'canceled')
      WHEN refunded_amount = 0 THEN status = 'succeeded'
      WHEN refunded_amount < captured_amount THEN status = 'partially_refunded'
      ELSE status = 'refunded'
    END),
  CONSTRAINT ledger_payments_times CHECK (updated_at_ms >= created_at_ms),
  CONSTRAINT ledger_payments_version CHECK (version >= 1)
) WITH (fillfactor = 85);

CREATE INDEX ledger_payments_newest ON ledger_payments (tenant, booking);
CREATE INDEX ledger_payments_of_customer ON ledger_payments (tenant, customer, booking)
  WHERE customer IS NOT NULL;
CREATE INDEX ledger_payments_of_key ON ledger_payments (tenant, idempotency_key, booking);

-- The tenant is the payment's.
CREATE TABLE ledger_refunds (
  id text COLLATE "C" PRIMARY KEY,
  payment text COLLATE "C" NOT NULL REFERENCES ledger_payments (id),
  amount bigint NOT NULL,
  reason text,
  psp_refund text COLLATE "C" NOT NULL,
  derived_key text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL,
  CONSTRAINT ledger_refunds_booked_once UNIQUE (psp_refund),
  CONSTRAINT ledger_refunds_amount CHECK (amount BETWEEN 1 AND 99999999999)
);

CREATE INDEX ledger_refunds_of_payment ON ledger_refunds (payment);

CREATE TABLE ledger_customers (
  tenant text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text,
  email text,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (tenant, id),
  CONSTRAINT ledger_customers_times CHECK (updated_at_ms >= created_at_ms),
  CONSTRAINT ledger_customers_version CHECK (version >= 1)
) WITH (fillfactor = 85);

-- Running totals of captured money. With one row per tenant and currency, every payment would wait
-- for the commit of the one before it, and summing up payments gets slower with each of them. So
-- each total is spread over shards, and a transaction adds to a shard that no other is writing.
CREATE TABLE ledger_balances (
  tenant text COLLATE "C" NOT NULL,
  currency text COLLATE "C" NOT NULL,
  shard integer NOT NULL,
  captured numeric(30) NOT NULL,
  refunded numeric(30) NOT NULL,
  payments bigint NOT NULL,
  PRIMARY KEY (tenant, currency, shard)
) WITH (fillfactor = 50);

-- Up to 64 concurrent writers never wait here. A transaction locks one whole shard, so that the
-- order of the totals within it cannot deadlock.
CREATE FUNCTION ledger_balance_shard() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  lock_class CONSTANT integer := 1279348813;
  own CONSTANT integer := pg_backend_pid() % 64;
BEGIN
  FOR step IN 0..63 LOOP
    IF pg_try_advisory_xact_lock(lock_class, (own + step) % 64) THEN
      RETURN (own + step) % 64;
    END IF;
  END LOOP;
  PERFORM pg_advisory_xact_lock(lock_class, own);
  RETURN own;
END
$$;

-- A shard is locked only if there is a row to write.
CREATE FUNCTION ledger_add_booked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_balances AS total
    (tenant, currency, shard, captured, refunded, payments)
  SELECT tenant, currency, (SELECT ledger_balance_shard()),
    sum(captured_amount), sum(refunded_amount), count(*)
  FROM booked WHERE captured_amount > 0
  GROUP BY tenant, currency
  ON CONFLICT (tenant, currency, shard) DO UPDATE SET
    captured = total.captured + excluded.captured,
    refunded = total.refunded + excluded.refunded,
    payments = total.payments + excluded.payments;
  RETURN NULL;
END
$$;

-- The refunded amount of a payment is the sum of its refunds. It is checked here when the payment
-- changes, and below when a refund is added.
CREATE FUNCTION ledger_add_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  odd text;
BEGIN
  INSERT INTO ledger_balances AS total
    (tenant, currency, shard, captured, refunded, payments)
  SELECT tenant, currency, (SELECT ledger_balance_shard()),
    sum(captured), sum(refunded), sum(payments)
  FROM (
    SELECT tenant, currency, captured_amount AS captured, refunded_amount AS refunded,
      (captured_amount > 0)::integer AS payments
    FROM after_change
    UNION ALL
    SELECT tenant, currency, -captured_amount, -refunded_amount, -(captured_amount > 0)::integer
    FROM before_change
  ) AS difference
  GROUP BY tenant, currency
  HAVING sum(captured) <> 0 OR sum(refunded) <> 0
  ON CONFLICT (tenant, currency, shard) DO UPDATE SET
    captured = total.captured + excluded.captured,
    refunded = total.refunded + excluded.refunded,
    payments = total.payments + excluded.payments;
  SELECT a.id INTO odd FROM after_change a
  WHERE a.refunded_amount > 0 AND a.refunded_amount
    <> (SELECT coalesce(sum(r.amount), 0) FROM ledger_refunds r WHERE r.payment = a.id)
  LIMIT 1;
  IF odd IS NOT NULL THEN
    RAISE EXCEPTION 'the refunds of payment % do not add up to its refunded_amount', odd
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_refunds_add_up';
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION ledger_check_refunds() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  odd text;
BEGIN
  SELECT p.id INTO odd
  FROM (SELECT DISTINCT payment FROM booked) AS touched
  JOIN ledger_payments p ON p.id = touched.payment
  WHERE p.refunded_amount
    <> (SELECT sum(r.amount) FROM ledger_refunds r WHERE r.payment = p.id)
  LIMIT 1;
  IF odd IS NOT NULL THEN
    RAISE EXCEPTION 'the refunds of payment % do not add up to its refunded_amount', odd
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_refunds_add_up';
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION ledger_keep_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % would lose money that moved, or change what never changes',
    TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_keeps_money';
END
$$;

CREATE TRIGGER ledger_payments_add_booked AFTER INSERT ON ledger_payments
  REFERENCING NEW TABLE AS booked
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_add_booked();
CREATE TRIGGER ledger_payments_add_changed AFTER UPDATE ON ledger_payments
  REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_add_changed();
CREATE TRIGGER ledger_refunds_add_up AFTER INSERT ON ledger_refunds
  REFERENCING NEW TABLE AS booked
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_refunds();

CREATE TRIGGER ledger_payments_keep BEFORE UPDATE ON ledger_payments
  FOR EACH ROW WHEN (
    NEW.id <> OLD.id OR NEW.booking <> OLD.booking OR NEW.tenant <> OLD.tenant
    OR NEW.psp_charge <> OLD.psp_charge OR NEW.amount <> OLD.amount
    OR NEW.currency <> OLD.currency OR NEW.version <> OLD.version + 1
    OR NEW.refunded_amount < OLD.refunded_amount
    OR (NEW.captured_amount <> OLD.captured_amount AND OLD.status <> 'requires_capture')
    OR (OLD.status = 'canceled' AND NEW.status <> 'canceled'))
  EXECUTE FUNCTION ledger_keep_money();
CREATE TRIGGER ledger_payments_stay BEFORE DELETE ON ledger_payments
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_keep_money();
CREATE TRIGGER ledger_refunds_stay BEFORE UPDATE OR DELETE ON ledger_refunds
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_keep_money();

-- Events about changes of payments, written with the change and never updated. An event is
-- identified by payment, version and type, from which a relay derives its id. The events of one
-- payment are delivered in the order of (version, sequence). Sequence numbers are taken before their
-- transactions commit: a relay that continues from the last sequence it saw must skip, for now, the
-- events whose written_by is not below pg_snapshot_xmin(pg_current_snapshot()). A payment event
-- holds the changeable columns of the payment at that time; a refund event refers to the refund,
-- which never changes.
CREATE TABLE outbox_events (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  written_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
  tenant text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  payment text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  created_at_ms bigint NOT NULL,
  refund text COLLATE "C",
  status text COLLATE "C",
  captured_amount bigint,
  refunded_amount bigint,
  disputed boolean,
  description text,
  metadata text,
  updated_at_ms bigint,
  CONSTRAINT outbox_events_once UNIQUE (payment, version, type),
  CONSTRAINT outbox_events_type CHECK (type IN ('payment.succeeded', 'payment.requires_capture',
    'payment.captured', 'payment.canceled', 'payment.disputed', 'refund.created')),
  CONSTRAINT outbox_events_resource CHECK (
    (type = 'refund.created') = (refund IS NOT NULL)
    AND num_nonnulls(status, captured_amount, refunded_amount, disputed, metadata, updated_at_ms)
      = CASE WHEN refund IS NULL THEN 6 ELSE 0 END)
);

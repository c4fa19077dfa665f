/**
 * Payments and customers in Postgres. What the database is asked to keep is in {@code
 * dev/latchkey/ledger/postgres/migration}.
 */
@NullMarked
package dev.latchkey.ledger.postgres;

import org.jspecify.annotations.NullMarked;

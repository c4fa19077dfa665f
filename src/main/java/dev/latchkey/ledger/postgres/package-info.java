/**
 * Payments and customers in Postgres. The constraints that the database enforces are in {@code
 * dev/latchkey/ledger/postgres/migration}.
 */
@NullMarked
package dev.latchkey.ledger.postgres;

import org.jspecify.annotations.NullMarked;

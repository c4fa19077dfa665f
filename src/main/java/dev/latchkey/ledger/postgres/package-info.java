/**
 * Payments and customers in Postgres. What the database is asked to keep is in {@code
 * db/migration/V2__ledger.sql}.
 */
@NullMarked
package dev.latchkey.ledger.postgres;

import org.jspecify.annotations.NullMarked;

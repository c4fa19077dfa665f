package dev.latchkey.ledger.postgres;

import io.vertx.sqlclient.Tuple;

/**
 * A statement and its parameters. Few texts, so that every connection prepares each of them once.
 *
 * @param sql with {@code $1} for the first parameter
 * @param parameters as the driver takes them
 */
record Statement(String sql, Tuple parameters) {}

package dev.latchkey.ledger.postgres;

import io.vertx.sqlclient.Tuple;

/**
 * A statement and its parameters. There are few texts, so that each connection prepares each once.
 *
 * @param sql with {@code $1} for the first parameter
 * @param parameters as the driver expects them
 */
record Statement(String sql, Tuple parameters) {}

package dev.latchkey.service;

import dev.latchkey.ledger.postgres.PostgresLedger;
import dev.latchkey.store.postgres.PostgresSchema;
import dev.latchkey.store.postgres.PostgresStatements;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The schemas that the service needs in its database: the keys' and the ledger's. */
final class DatabaseSchemas {

  private static final PostgresSchema KEYS = PostgresSchema.keys();
  private static final PostgresSchema LEDGER = PostgresLedger.schema();

  private DatabaseSchemas() {}

  /** Applies the missing migrations and returns their number. */
  static Future<Integer> migrate(Vertx vertx, PgConnectOptions database) {
    return KEYS.migrate(vertx, database)
        .compose(keys -> LEDGER.migrate(vertx, database).map(ledger -> keys + ledger));
  }

  /** Returns all migrations as one SQL script. */
  static String ddl() {
    return Stream.of(KEYS, LEDGER).map(PostgresSchema::ddl).collect(Collectors.joining("\n"));
  }

  /** Finds the tables that the database lacks. */
  static Future<List<String>> missing(PostgresStatements statements) {
    return KEYS.missing(statements)
        .compose(
            keys ->
                LEDGER
                    .missing(statements)
                    .map(ledger -> Stream.concat(keys.stream(), ledger.stream()).toList()));
  }
}

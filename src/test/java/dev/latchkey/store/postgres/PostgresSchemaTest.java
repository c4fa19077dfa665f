package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.util.List;
import java.util.stream.IntStream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The keys' schema in databases that other applications use too. */
class PostgresSchemaTest {

  private static final Vertx VERTX = TestVertx.create();

  /** Everything that somebody created: tables, indexes, sequences, functions, schemas. */
  private static final String OBJECTS =
      """
      SELECT string_agg(name, ' ' ORDER BY name) FROM (
        SELECT n.nspname || '.' || c.relname AS name
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        UNION SELECT n.nspname || '.' || p.proname
        FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        UNION SELECT n.nspname || '.' || t.typname
        FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.typtype IN ('d', 'e')
        UNION SELECT 'schema.' || nspname FROM pg_namespace
      ) AS all_objects
      WHERE name !~ '^(pg_|information_schema|schema.pg_|schema.information)'
        AND name !~ %s
      """;

  @AfterAll
  static void close() {
    await(VERTX.close());
  }

  private static String objectsBut(Database database, String pattern) {
    return database.value(OBJECTS.formatted("'" + pattern + "'"));
  }

  private static int migrate(Database database) {
    return await(PostgresSchema.keys().migrate(VERTX, database.connectOptions()));
  }

  private static void claimAndComplete(PgConnectOptions connect) {
    PostgresStore store = PostgresStore.create(VERTX, connect);
    Attempt attempt = Attempt.atNewKey();
    StoreCalls calls = new StoreCalls(store);
    calls.claimed(attempt);
    calls.completed(attempt);
    await(store.close());
  }

  @Test
  void createsNothingButLatchkeyObjects() {
    Database database = RealServers.freshDatabase();
    String before = objectsBut(database, "^nothing");

    assertThat(migrate(database)).isEqualTo(1);

    assertThat(objectsBut(database, "^public[.]latchkey_")).isEqualTo(before);
    assertThat(migrate(database)).isZero();
  }

  @Test
  void worksInADatabaseWithOtherTablesAndAnotherFlyway() {
    Database database = RealServers.freshDatabase();
    database.value("CREATE TABLE orders (id bigint PRIMARY KEY); INSERT INTO orders VALUES (1)");
    Flyway other =
        Flyway.configure()
            .dataSource(
                "jdbc:postgresql://%s:%d/%s"
                    .formatted(database.host(), database.port(), database.name()),
                database.user(),
                database.password())
            .baselineOnMigrate(true)
            .baselineVersion("7")
            .failOnMissingLocations(false)
            .locations("classpath:none")
            .load();
    other.baseline();

    assertThat(migrate(database)).isEqualTo(1);

    claimAndComplete(database.connectOptions());
    other.migrate();
    assertThat(database.value("SELECT version FROM flyway_schema_history")).isEqualTo("7");
    assertThat(database.value("SELECT count(*) FROM orders")).isEqualTo("1");
    assertThat(migrate(database)).isZero();
  }

  @Test
  void createsItsObjectsInTheFirstSchemaOfTheSearchPath() {
    Database database = RealServers.freshDatabase();
    database.value("CREATE SCHEMA app; CREATE TABLE app.orders (id bigint)");
    PgConnectOptions connect = database.connectOptions().addProperty("search_path", "app");

    assertThat(await(PostgresSchema.keys().migrate(VERTX, connect))).isEqualTo(1);

    claimAndComplete(connect);
    assertThat(database.value("SELECT count(*) FROM app.latchkey_key")).isEqualTo("1");
    assertThat(database.value("SELECT to_regclass('public.latchkey_key')")).isNull();
  }

  @Test
  void schemaThatDoesNotExistIsNotCreated() {
    Database database = RealServers.freshDatabase();
    PgConnectOptions connect = database.connectOptions().addProperty("search_path", "app");

    assertThatThrownBy(() -> await(PostgresSchema.keys().migrate(VERTX, connect)))
        .isInstanceOf(StoreException.class);

    assertThat(database.value("SELECT to_regnamespace('app')")).isNull();
  }

  @Test
  void isCreatedOnceHoweverManyNodesStartTogether() {
    Database database = RealServers.freshDatabase();
    database.value("CREATE TABLE orders (id bigint)");
    List<Future<Integer>> migrations =
        IntStream.range(0, 4)
            .mapToObj(i -> PostgresSchema.keys().migrate(VERTX, database.connectOptions()))
            .toList();

    int applied =
        await(Future.all(migrations).map(it -> it.<Integer>list())).stream()
            .mapToInt(Integer::intValue)
            .sum();

    assertThat(applied).isEqualTo(1);
  }

  @Test
  void printedScriptCreatesTheSameObjects() {
    Database migrated = RealServers.freshDatabase();
    migrate(migrated);
    Database scripted = RealServers.freshDatabase();

    scripted.value(PostgresSchema.keys().ddl());

    claimAndComplete(scripted.connectOptions());
    assertThat(objectsBut(scripted, "schema_history"))
        .isEqualTo(objectsBut(migrated, "schema_history"));
  }
}

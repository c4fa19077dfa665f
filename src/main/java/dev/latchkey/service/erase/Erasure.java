package dev.latchkey.service.erase;

import dev.latchkey.service.cli.StoreConfig;
import dev.latchkey.service.cli.StoreKind;
import dev.latchkey.store.redis.connection.RedisConnections;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Removes the personal data of a customer or of one key: customer, description, metadata and stored
 * responses. Amounts, states and times stay. Blocks, so it is for the thread of a command only.
 */
public final class Erasure {

  private final PrintStream out;
  private final Optional<PostgresErasure> postgres;
  private final Optional<RedisErasure> redis;
  private final boolean ledgerInPostgres;

  private Erasure(
      PrintStream out,
      Optional<PostgresErasure> postgres,
      Optional<RedisErasure> redis,
      boolean ledgerInPostgres) {
    this.out = out;
    this.postgres = postgres;
    this.redis = redis;
    this.ledgerInPostgres = ledgerInPostgres;
  }

  /**
   * Prints one line for each record that holds data of the subject, and removes the data if told.
   *
   * @param config the stores; not in memory
   * @param subject whose data
   * @param remove false to print only
   * @param out for the lines
   * @return the number of records
   */
  public static int run(StoreConfig config, Subject subject, boolean remove, PrintStream out) {
    Vertx vertx = Vertx.vertx();
    try {
      boolean inPostgres = config.ledger() == StoreKind.POSTGRES;
      Optional<PostgresErasure> postgres = Optional.empty();
      if (inPostgres) {
        postgres =
            Optional.of(
                new PostgresErasure(
                    PgConnection.connect(vertx, config.postgres().orElseThrow().connectOptions())
                        .await()));
      }
      Optional<RedisErasure> redis = Optional.empty();
      if (config.store() == StoreKind.REDIS) {
        RedisConnections connections =
            RedisConnections.create(vertx, config.redis().orElseThrow().redisOptions());
        connections.ready().await();
        redis = Optional.of(new RedisErasure(connections));
      }
      return new Erasure(out, postgres, redis, inPostgres).run(subject, remove);
    } finally {
      vertx.close().await();
    }
  }

  /** The ledger last: it names the payments whose responses are removed. */
  private int run(Subject subject, boolean remove) {
    Set<String> payments = new HashSet<>();
    List<Removal> ledger =
        ledgerInPostgres
            ? postgres.orElseThrow().ledger(subject, payments)
            : redis.orElseThrow().ledger(subject, payments);
    List<Removal> all = new ArrayList<>();
    postgres.ifPresent(in -> all.addAll(in.responses(subject, payments)));
    redis.ifPresent(in -> all.addAll(in.responses(subject, payments)));
    all.addAll(ledger);
    for (Removal removal : all) {
      if (remove) {
        removal.action().get().await();
      }
      out.println((remove ? "removed: " : "would remove: ") + removal.line());
    }
    String count = all.size() + (all.size() == 1 ? " record" : " records");
    out.println(
        all.isEmpty() ? "nothing to remove" : remove ? count : count + "; repeat with --yes");
    return all.size();
  }
}

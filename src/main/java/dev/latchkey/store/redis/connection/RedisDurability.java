package dev.latchkey.store.redis.connection;

import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a crash of Redis can lose, by its present settings. Of several servers the weakest counts.
 *
 * @param crashLoses the acknowledged writes that are lost
 * @param evicts the eviction policy, if it can drop keys that have not expired
 * @param evictionKnown whether the eviction policy can be read
 */
public record RedisDurability(Loss crashLoses, Optional<String> evicts, boolean evictionKnown) {

  /** The acknowledged writes that a crash loses, from least to most. */
  public enum Loss {
    /** Every write is on disk before it is acknowledged. */
    NOTHING("nothing that was acknowledged (appendonly yes, appendfsync always)"),
    /** The disk is a second behind. */
    LAST_SECOND("about the last second (appendonly yes, appendfsync everysec)"),
    /** The kernel decides when the disk is written. */
    UNFLUSHED(
        "what the kernel had not written yet, often half a minute (appendonly yes, appendfsync"
            + " no)"),
    /** Only snapshots are written. */
    SINCE_SNAPSHOT("everything since the last snapshot (appendonly no, save is set)"),
    /** Nothing is written to disk. */
    EVERYTHING("everything (appendonly no, no save)"),
    /** The settings cannot be read. */
    UNKNOWN("an unknown amount, since its settings cannot be read (CONFIG GET)");

    private final String text;

    Loss(String text) {
      this.text = text;
    }
  }

  private static final String NO_EVICTION = "noeviction";

  /**
   * Reads the settings of the servers.
   *
   * @param connections to the servers
   * @return fails with {@link dev.latchkey.core.spi.StoreException} if one is unreachable
   */
  public static Future<RedisDurability> read(RedisConnections connections) {
    return Future.all(
            setting(connections, "appendonly"),
            setting(connections, "appendfsync"),
            setting(connections, "save"),
            memory(connections, "maxmemory", "maxmemory:"),
            memory(connections, "maxmemory-policy", "maxmemory_policy:"))
        .map(all -> weakest(all.<List<String>>list()));
  }

  /** A setting that {@code INFO} has as well, which is seldom forbidden. */
  private static Future<List<String>> memory(
      RedisConnections connections, String name, String field) {
    return setting(connections, name)
        .compose(
            values ->
                values.isEmpty()
                    ? ServerQueries.ask(connections, "settings", "INFO", "memory")
                        .map(infos -> fields(infos, field))
                    : Future.succeededFuture(values));
  }

  private static List<String> fields(List<Response> infos, String field) {
    List<String> values =
        infos.stream().flatMap(info -> ServerCheck.field(info.toString(), field).stream()).toList();
    return values.size() == infos.size() ? values : List.of();
  }

  /** One setting of every server; empty if reading it is forbidden. */
  private static Future<List<String>> setting(RedisConnections connections, String name) {
    return ServerQueries.ask(connections, "settings", "CONFIG", "GET", name)
        .map(
            results -> {
              List<String> values = new ArrayList<>();
              for (Response result : results) {
                values.add(result.size() < 2 ? "" : result.get(1).toString());
              }
              return values;
            });
  }

  private static RedisDurability weakest(List<List<String>> settings) {
    Loss loss = settings.get(0).isEmpty() ? Loss.UNKNOWN : Loss.NOTHING;
    for (int server = 0; server < settings.get(0).size(); server++) {
      Loss here =
          loss(
              settings.get(0).get(server),
              settings.get(1).get(server),
              settings.get(2).get(server));
      loss = here.compareTo(loss) > 0 ? here : loss;
    }
    Optional<String> evicts = Optional.empty();
    List<String> limits = settings.get(3);
    List<String> policies = settings.get(4);
    boolean known = !policies.isEmpty() && limits.size() == policies.size();
    for (int server = 0; known && server < policies.size(); server++) {
      if (!limits.get(server).equals("0") && !policies.get(server).equals(NO_EVICTION)) {
        evicts = Optional.of(policies.get(server));
      }
    }
    return new RedisDurability(loss, evicts, known);
  }

  private static Loss loss(String appendOnly, String fsync, String save) {
    if (!appendOnly.equals("yes")) {
      return save.isEmpty() ? Loss.EVERYTHING : Loss.SINCE_SNAPSHOT;
    }
    return switch (fsync) {
      case "always" -> Loss.NOTHING;
      case "everysec" -> Loss.LAST_SECOND;
      default -> Loss.UNFLUSHED;
    };
  }

  /** Returns a description in one line, for the log. */
  public String line() {
    String evictions =
        evicts
            .map(
                policy ->
                    String.format(
                        Locale.ROOT,
                        "; with maxmemory-policy %s it also drops keys that have not expired when"
                            + " memory is full: set noeviction",
                        policy))
            .orElse(
                evictionKnown
                    ? ""
                    : "; its maxmemory-policy cannot be read (CONFIG GET, INFO): make sure that it"
                        + " is noeviction");
    return "a crash of this Redis loses " + crashLoses.text + evictions;
  }
}

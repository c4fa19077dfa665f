package dev.latchkey.store.redis.connection;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.store.redis.connection.Call.Kind;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks whether the servers can be used. */
final class ServerCheck {

  private static final int MAJOR = 6;
  private static final int MINOR = 2;
  private static final String VERSION = "redis_version:";
  private static final String MODE = "redis_mode:";

  /** Names to try for one on each server; a server with only a few slots may get none. */
  static final int MOST_NAMES = 10_000;

  private ServerCheck() {}

  /**
   * Succeeds if {@link #reachable} does and no server refuses writes, such as for lack of memory,
   * replicas or disk. The check appends nothing to an absent string, which is refused like any
   * write and leaves nothing behind. It is skipped if the user may not do so. A replica refuses it,
   * which replaces the connections and the subscription of an otherwise idle node.
   */
  static Future<Void> writable(RedisConnections connections) {
    List<Future<?>> checks = new ArrayList<>();
    checks.add(reachable(connections));
    for (String name : nameOnEachServer(connections.slots()).values()) {
      int slot = SlotMap.slotOf(name);
      long deadlineNanos = connections.deadlineNanos();
      Call call = Call.of("probe", Kind.WRITES, slot, deadlineNanos, "SETRANGE", name, "0", "");
      checks.add(connections.loop().submit(call.optional()));
    }
    return Future.join(checks).mapEmpty();
  }

  /** A name on each server that has one of the first {@link #MOST_NAMES}. */
  static Map<RedisAddress, String> nameOnEachServer(SlotMap slots) {
    Map<RedisAddress, String> names = new HashMap<>();
    int servers = slots.masters().size();
    for (int i = 0; i < MOST_NAMES && names.size() < servers; i++) {
      String name = probeName(i);
      slots.addressOf(SlotMap.slotOf(name)).ifPresent(server -> names.putIfAbsent(server, name));
    }
    return names;
  }

  static String probeName(int number) {
    return "latchkey:probe:" + number;
  }

  /** Succeeds if every server responds and none says that it is a replica. */
  static Future<Void> reachable(RedisConnections connections) {
    return ServerQueries.ask(connections, "probe", "PING")
        .compose(alive -> ServerQueries.ask(connections, "probe", "ROLE"))
        .map(
            roles -> {
              for (Response role : roles) {
                if (!role.get(0).toString().equals("master")) {
                  throw new StoreException(
                      Outcome.NOT_DONE, "probe: this Redis is a replica and accepts no writes");
                }
              }
              return null;
            });
  }

  /**
   * Checks the version of the servers, if the user may ask for it, and whether the one given
   * address belongs to a cluster.
   *
   * @return fails if a server is older than 6.2
   */
  static Future<Void> version(RedisConnections connections) {
    return ServerQueries.ask(connections, "version", "INFO", "server")
        .map(
            infos -> {
              for (Response info : infos) {
                field(info.toString(), VERSION).ifPresent(ServerCheck::requireSupported);
                if (field(info.toString(), MODE).filter("cluster"::equals).isPresent()) {
                  connections.slots().becomesCluster();
                }
              }
              return null;
            });
  }

  private static void requireSupported(String version) {
    int major = part(version, 0);
    if (major < MAJOR || (major == MAJOR && part(version, 1) < MINOR)) {
      throw new StoreException(
          Outcome.NOT_DONE,
          "Redis " + version + " is too old, it must be " + MAJOR + "." + MINOR + " or newer");
    }
  }

  private static int part(String version, int at) {
    String[] parts = version.split("\\.", -1);
    return at < parts.length ? Integer.parseInt(parts[at]) : 0;
  }

  /** Finds a line in the result of {@code INFO}. */
  static Optional<String> field(String info, String name) {
    return info.lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).strip())
        .findFirst();
  }
}

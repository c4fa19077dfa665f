package dev.latchkey.store.redis;

import dev.latchkey.idempotency.spi.StoreException;
import dev.latchkey.idempotency.spi.StoreException.Outcome;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether the servers can be used. */
final class ServerCheck {

  private static final int MAJOR = 6;
  private static final int MINOR = 2;
  private static final int TELLS_EXPIRY = 7;
  private static final String VERSION = "redis_version:";
  private static final String MODE = "redis_mode:";

  /**
   * Names to look through for one that lives on a server. With so many each has one, unless it has
   * but a few slots.
   */
  static final int MOST_NAMES = 10_000;

  private ServerCheck() {}

  /**
   * Succeeds when {@link #reachable} does and no server refuses writes, as far as it may be asked:
   * for want of memory, of replicas or of a disk. Adds nothing to a text that is not there, which
   * is refused like any write and leaves nothing behind.
   */
  static Future<Void> writable(RedisConnections connections) {
    return reachable(connections)
        .compose(
            there -> {
              List<Future<Void>> written = new ArrayList<>();
              for (String name : nameOnEachServer(connections.slots()).values()) {
                written.add(
                    connections
                        .command("probe", "SETRANGE", name, "0", "")
                        .<Void>mapEmpty()
                        .recover(ServerCheck::unlessForbidden));
              }
              return Future.join(written).mapEmpty();
            });
  }

  /** A name on each server, save one that has none of the first {@link #MOST_NAMES}. */
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
    return RedisKeys.global("probe", Integer.toString(number));
  }

  /** Succeeds when every server answers and none is a replica, as far as it may be asked. */
  static Future<Void> reachable(RedisConnections connections) {
    return connections
        .ask("probe", "PING")
        .compose(alive -> unlessForbidden(connections.ask("probe", "ROLE")))
        .map(
            roles -> {
              for (Response role : roles) {
                if (!role.get(0).toString().equals("master")) {
                  throw new StoreException(
                      Outcome.NOT_DONE, "probe: this Redis is a replica and cannot be written");
                }
              }
              return null;
            });
  }

  /**
   * Succeeds when no server is older than 6.2, as far as it may be asked; and notes whether the one
   * address that was given is of a cluster.
   */
  static Future<Void> version(RedisConnections connections) {
    return unlessForbidden(connections.ask("version", "INFO", "server"))
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

  /**
   * Whether every server can tell the instant at which a key expires: it must say that it is 7.0 or
   * newer, and allow the command. Fails only where a server is out of reach.
   */
  static Future<Boolean> tellsExpiry(RedisConnections connections) {
    return unlessForbidden(connections.ask("version", "INFO", "server"))
        .compose(
            infos -> {
              boolean all =
                  !infos.isEmpty()
                      && infos.stream()
                          .allMatch(
                              info ->
                                  field(info.toString(), VERSION)
                                      .filter(version -> major(version) >= TELLS_EXPIRY)
                                      .isPresent());
              return all ? mayAsk(connections) : Future.succeededFuture(false);
            });
  }

  private static Future<Boolean> mayAsk(RedisConnections connections) {
    return connections
        .command("version", "PEXPIRETIME", RedisKeys.records("", "probe"))
        .map(true)
        .recover(
            failure ->
                failure instanceof StoreException told
                        && String.valueOf(told.getMessage()).contains("NOPERM")
                    ? Future.succeededFuture(false)
                    : Future.failedFuture(failure));
  }

  private static int major(String version) {
    return Integer.parseInt(version.split("\\.", -1)[0]);
  }

  private static void requireSupported(String version) {
    String[] parts = version.split("\\.", -1);
    int major = Integer.parseInt(parts[0]);
    int minor = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
    if (major < MAJOR || (major == MAJOR && minor < MINOR)) {
      throw new StoreException(
          Outcome.NOT_DONE,
          "Redis " + version + " is too old, it must be " + MAJOR + "." + MINOR + " or newer");
    }
  }

  /** Finds a line of an answer to {@code INFO}. */
  static Optional<String> field(String info, String name) {
    return info.lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).strip())
        .findFirst();
  }

  /** An access list may forbid what is only asked to be sure. */
  static Future<List<Response>> unlessForbidden(Future<List<Response>> answer) {
    return answer.recover(
        failure ->
            isForbidden(failure)
                ? Future.succeededFuture(List.of())
                : Future.failedFuture(failure));
  }

  private static Future<Void> unlessForbidden(Throwable failure) {
    return isForbidden(failure) ? Future.succeededFuture() : Future.failedFuture(failure);
  }

  private static boolean isForbidden(Throwable failure) {
    return failure instanceof StoreException told
        && told.outcome() == Outcome.NOT_DONE
        && String.valueOf(told.getMessage()).contains("NOPERM");
  }
}

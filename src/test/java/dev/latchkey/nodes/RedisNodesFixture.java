package dev.latchkey.nodes;

import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import java.util.Map;
import java.util.OptionalLong;

/** Records and payments in one Redis. */
final class RedisNodesFixture implements NodesFixture {

  private final RedisServer server;

  RedisNodesFixture() {
    this(RealServers.startRedis());
  }

  RedisNodesFixture(RedisServer server) {
    this.server = server;
  }

  /** The variables by which a node finds this Redis, or a cluster. */
  static Map<String, String> environment(String uri) {
    return Map.of("LATCHKEY_STORE", "redis", "LATCHKEY_REDIS_URI", uri);
  }

  @Override
  public Map<String, String> environment() {
    return environment(server.uri());
  }

  @Override
  public OptionalLong events(String key) {
    return OptionalLong.empty();
  }

  @Override
  public void reset() {
    server.command("CONFIG", "RESETSTAT");
  }

  /** A script that the server does not know yet is sent a second time, by EVAL: it counts once. */
  @Override
  public long commands() {
    return calls("evalsha");
  }

  @Override
  public int commandsPer(String operation) {
    return 1;
  }

  @Override
  public long notifications() {
    return calls("publish");
  }

  /** Every connection of a node begins with it. */
  @Override
  public long resubscriptions() {
    return calls("hello");
  }

  /** How often a command was run, by scripts too. */
  private long calls(String command) {
    String prefix = "cmdstat_" + command + ":calls=";
    return ((String) server.command("INFO", "commandstats"))
        .lines()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length(), line.indexOf(',')))
        .mapToLong(Long::parseLong)
        .sum();
  }

  @Override
  public void close() {
    server.close();
  }
}

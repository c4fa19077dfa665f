package dev.latchkey.testing.servers;

/** A Redis server. */
public abstract class RedisServer implements RealServer {

  RedisServer() {}

  /** Returns its address as {@code --redis-uri} takes it. */
  public final String uri() {
    return "redis://" + host() + ":" + port() + "/0";
  }

  /** Opens a connection beside the code under test; the caller closes it. */
  public final RespConnection connect() {
    return new RespConnection(host(), port());
  }

  /**
   * Runs one command on a connection of its own.
   *
   * @return a String, a Long, a List of such, or null
   */
  public final Object command(String... words) {
    try (RespConnection connection = connect()) {
      return connection.command(words);
    }
  }

  /** Returns the server's version, such as {@code 7.0.9}. */
  public final String version() {
    return ((String) command("INFO", "server"))
        .lines()
        .filter(line -> line.startsWith("redis_version:"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElseThrow();
  }
}

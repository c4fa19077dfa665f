package dev.latchkey.testing.servers;

/** A Redis server. */
public final class RedisServer extends RealServer {

  RedisServer(ServerControl control) {
    super(control);
  }

  /**
   * Returns what allows {@code DEBUG} where it is forbidden by default, from Redis 7 on; older ones
   * do not know the words.
   */
  public static String[] debugAllowed() {
    int major = Integer.parseInt(Binaries.redisVersion().split("\\.")[0]);
    return major < 7 ? new String[0] : new String[] {"--enable-debug-command", "local"};
  }

  /** Returns its address as {@code --redis-uri} takes it. */
  public String uri() {
    return "redis://" + host() + ":" + port() + "/0";
  }

  /** Opens a connection beside the code under test; the caller closes it. */
  public RespConnection connect() {
    return new RespConnection(host(), port());
  }

  /**
   * Runs one command on a connection of its own.
   *
   * @return a String, a Long, a List of such, or null
   */
  public Object command(String... words) {
    try (RespConnection connection = connect()) {
      return connection.command(words);
    }
  }

  @Override
  public String version() {
    return told("server", "redis_version:");
  }

  /** Returns what its memory comes from, such as {@code jemalloc-5.3.0}. */
  public String allocator() {
    return told("memory", "mem_allocator:");
  }

  /** Returns the program that it runs. */
  public String program() {
    return told("server", "executable:");
  }

  private String told(String section, String name) {
    return ((String) command("INFO", section))
        .lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElseThrow();
  }
}

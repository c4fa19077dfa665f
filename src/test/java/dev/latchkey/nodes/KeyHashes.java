package dev.latchkey.nodes;

import dev.latchkey.testing.servers.RedisServer;

/** Looks at what nodes wrote to Redis, beside them. */
record KeyHashes(RedisServer server) {

  boolean isClaimed(String key) {
    return Long.valueOf(1).equals(server.command("EXISTS", "latchkey:{default}:key:" + key));
  }

  /** How often a command was run since the server's start, by scripts too. */
  long calls(String command) {
    String prefix = "cmdstat_" + command + ":calls=";
    return ((String) server.command("INFO", "commandstats"))
        .lines()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length(), line.indexOf(',')))
        .mapToLong(Long::parseLong)
        .sum();
  }
}

package dev.latchkey.testing.servers;

import java.util.List;

/**
 * A program of Redis in a jar on the class path.
 *
 * @param name what the jar calls it
 * @param version what it says of itself, which the name need not be
 * @param sha256 of its bytes
 */
record RedisProgram(String name, String version, String sha256) {

  private static final List<RedisProgram> KNOWN =
      List.of(
          new RedisProgram(
              "redis-server-7.0.9-linux-amd64",
              "7.0.9",
              "de2b4cbcd7e52bacb778c157266f003c5e4c797104cdeeeb52214addff8bf1bb"),
          new RedisProgram(
              "redis-server-7.0.9-linux-arm64",
              "7.0.9",
              "9046512dae535cfcfed679dc6c618e8331667bc710b4cd96d3d4880eb4b7ee73"),
          new RedisProgram(
              "redis-server-7.0.9-darwin-amd64",
              "7.0.9",
              "5bce39ead793ffedde8cad8140917b9ad5d8801b87635444124274b901f84974"),
          new RedisProgram(
              "redis-server-7.0.9-darwin-arm64",
              "7.0.9",
              "5bce39ead793ffedde8cad8140917b9ad5d8801b87635444124274b901f84974"),
          new RedisProgram(
              "redis-server-6.2.6-v5-linux-amd64",
              "6.2.11",
              "1f716094e08a25faee2bc7626feb9e13464ed89018ac5c376c5e9cff06bdcf52"),
          new RedisProgram(
              "redis-server-6.2.7-linux-arm64",
              "6.2.7",
              "036a23aa65bfb31d2a048aa96c170b38c2fbd4f1de68ef0f9c3133dd4b1474cd"),
          new RedisProgram(
              "redis-server-6.2.6-v5-darwin-amd64",
              "6.2.11",
              "7a4eb450d90a6ce9a2c651cfc4a0613b980a270c6426cbb6fa42d6c3beec9ce8"),
          new RedisProgram(
              "redis-server-6.2.6-v5-darwin-arm64",
              "6.2.11",
              "c523aec5a9b6f565cff0271ef67f5c51fa83e1180e3e954ab5251b3cf6282b76"));

  /**
   * Finds the one for a platform, such as {@code linux-amd64}; {@code -Dredis.binaries} chooses
   * which jar is there.
   */
  static RedisProgram onClassPath(String platform) {
    RedisProgram found =
        KNOWN.stream()
            .filter(it -> it.name().endsWith("-" + platform))
            .filter(it -> RedisProgram.class.getResource("/" + it.name()) != null)
            .findFirst()
            .orElseThrow(() -> new AssertionError("the class path lacks Redis for " + platform));
    String wanted = System.getProperty("redis.binaries", "");
    if (!found.version().startsWith(wanted)) {
      throw new AssertionError(
          "-Dredis.binaries=" + wanted + " is not known; on the class path is " + found);
    }
    return found;
  }
}

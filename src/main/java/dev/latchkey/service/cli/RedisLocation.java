package dev.latchkey.service.cli;

import dev.latchkey.service.http.Hosts;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Location of a Redis server or cluster. Its text contains no secret. Immutable.
 *
 * @param nodes one server, or several nodes of a cluster, alike in scheme, user and password
 * @param database the number of the database, 0 on a cluster
 * @param roots what the server's certificate must lead to; without it what the JVM trusts
 */
public record RedisLocation(List<ServerUri> nodes, int database, Optional<TrustedRoots> roots) {

  private static final String TLS = "rediss";
  private static final List<String> SCHEMES = List.of("redis", TLS);
  private static final int DEFAULT_PORT = 6_379;

  /**
   * Reads {@code redis://[user:password@]host:port/0}, {@code rediss://} for TLS; several with
   * commas are nodes of a cluster. With {@code rediss}, {@code sslrootcert} names the certificates
   * to trust.
   *
   * @throws IllegalArgumentException if it is malformed; the message contains no secret
   */
  public static RedisLocation parse(String text) {
    List<String> texts = List.of(text.split(",", -1));
    // All beginnings first: behind a comma inside a password there is none, and no part of it
    // shown.
    for (String one : texts) {
      boolean begins = SCHEMES.stream().anyMatch(scheme -> one.startsWith(scheme + "://"));
      check(begins, "it, or what follows a comma, does not begin with redis:// or rediss://");
    }
    List<ServerUri> nodes = new ArrayList<>();
    for (String one : texts) {
      nodes.add(ServerUri.parse(one, SCHEMES, Set.of(TrustedRoots.PARAMETER)));
    }
    ServerUri first = nodes.get(0);
    for (ServerUri node : nodes) {
      boolean alike =
          node.scheme().equals(first.scheme())
              && node.user().equals(first.user())
              && node.password().equals(first.password())
              && node.parameters().equals(first.parameters());
      check(alike, "its nodes differ in scheme, user, password or parameters");
      check(node.user().isEmpty() || node.password().isPresent(), "it has a user and no password");
      check(nodes.size() == 1 || database(node) == 0, "a cluster has no database but 0");
    }
    Optional<String> file = Optional.ofNullable(first.parameters().get(TrustedRoots.PARAMETER));
    check(
        file.isEmpty() || first.scheme().equals(TLS),
        TrustedRoots.PARAMETER + " goes with rediss:// alone");
    Optional<TrustedRoots> roots =
        file.isPresent() ? Optional.of(TrustedRoots.read(file.get())) : Optional.empty();
    return new RedisLocation(List.copyOf(nodes), database(first), roots);
  }

  /** Whether it is a cluster. */
  boolean isCluster() {
    return nodes.size() > 1;
  }

  /** Returns new options for the driver, to be changed at will. They hold the password. */
  public RedisOptions redisOptions() {
    RedisOptions options =
        new RedisOptions()
            .setType(isCluster() ? RedisClientType.CLUSTER : RedisClientType.STANDALONE)
            .setEndpoints(nodes.stream().map(this::endpoint).collect(Collectors.toList()));
    if (nodes.get(0).scheme().equals(TLS)) {
      NetClientOptions net = options.getNetClientOptions();
      net.setSsl(true).setHostnameVerificationAlgorithm("HTTPS");
      roots.ifPresent(trusted -> net.setTrustOptions(trusted.trustOptions()));
    }
    return options;
  }

  private String endpoint(ServerUri node) {
    String who =
        node.password()
            .map(password -> encode(node.user().orElse("")) + ":" + encode(password) + "@")
            .orElse("");
    int port = node.port().orElse(DEFAULT_PORT);
    return node.scheme() + "://" + who + Hosts.inUrl(node.host()) + ":" + port + "/" + database;
  }

  @Override
  public String toString() {
    return nodes.stream().map(ServerUri::toString).collect(Collectors.joining(","));
  }

  private static int database(ServerUri node) {
    String path = node.path();
    check(path.matches("[0-9]{0,4}"), "its database is not a number");
    return path.isEmpty() ? 0 : Integer.parseInt(path);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}

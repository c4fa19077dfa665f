package dev.latchkey.store.redis.connection;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a server.
 *
 * @param host name or address, without brackets
 * @param port TCP port
 */
record RedisAddress(String host, int port) {

  private static final Pattern ENDPOINT = Pattern.compile("(rediss?://(?:[^@/?]*@)?)([^@/?]*)(.*)");
  private static final int DEFAULT_PORT = 6379;

  /** Reads the address out of an endpoint such as {@code redis://user:password@host:6379/0}. */
  static RedisAddress of(String endpoint) {
    return parse(match(endpoint).group(2));
  }

  /** Reads {@code host:port}, where an IPv6 address may have brackets or none. */
  static RedisAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    boolean hasPort = colon >= 0 && !text.endsWith("]");
    String host = hasPort ? text.substring(0, colon) : text;
    int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : DEFAULT_PORT;
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    return new RedisAddress(host, port);
  }

  /** As {@link #parse(String)}; without a host it is that of the server that named the address. */
  static RedisAddress parse(String text, RedisAddress named) {
    RedisAddress address = parse(text);
    return address.host().isEmpty() ? new RedisAddress(named.host(), address.port()) : address;
  }

  /** The endpoint of this server with the scheme, credentials and database of another. */
  String endpointLike(String endpoint) {
    Matcher parts = match(endpoint);
    String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return parts.group(1) + name + ":" + port + parts.group(3);
  }

  private static Matcher match(String endpoint) {
    Matcher parts = ENDPOINT.matcher(endpoint);
    if (!parts.matches()) {
      // The text may contain a password, so it is not in the message.
      throw new IllegalArgumentException(
          "a Redis address does not have the form redis://[user:password@]host:port/database");
    }
    return parts;
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}

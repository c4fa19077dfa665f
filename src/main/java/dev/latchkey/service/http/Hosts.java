package dev.latchkey.service.http;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What there is to know of a host name before listening on it. */
public final class Hosts {

  private Hosts() {}

  /**
   * Resolves a host, blocking.
   *
   * @param host a name or address
   * @return true when all it stands for is loopback; false also when it cannot be resolved
   */
  public static boolean isLoopback(String host) {
    try {
      for (InetAddress address : InetAddress.getAllByName(host)) {
        if (!address.isLoopbackAddress()) {
          return false;
        }
      }
      return true;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Writes a host as it stands in a URL: an IPv6 address goes in brackets. */
  public static String inUrl(String host) {
    return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
  }
}

package dev.latchkey.service.http;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Host names in configuration and URLs. */
public final class Hosts {

  private Hosts() {}

  /**
   * Resolves a host, blocking.
   *
   * @param host a name or address
   * @return whether all its addresses are loopback; false if it cannot be resolved
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

  /** Formats a host for a URL: an IPv6 address in brackets. */
  public static String inUrl(String host) {
    return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
  }
}

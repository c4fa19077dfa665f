package dev.latchkey.web.fingerprint;

import dev.latchkey.core.spi.Fingerprint;
import java.util.HexFormat;

/** Derives the idempotency keys that a request uses towards other systems. Stateless. */
public final class DownstreamKey {

  private static final int VERSION = 1;

  private DownstreamKey() {}

  /**
   * Derives a key: SHA-256 over a version byte and all of the following, each text with its length
   * before it, so that no two different sets give the same bytes.
   *
   * @param tenant whose request it is
   * @param key the client's key
   * @param route method and route template
   * @param fingerprint of the request
   * @param name of the call
   * @return 64 lower-case hexadecimal digits
   */
  public static String derive(
      String tenant, String key, String route, Fingerprint fingerprint, String name) {
    Sha256 sha256 = new Sha256();
    sha256.addByte(VERSION);
    sha256.addText(tenant);
    sha256.addText(key);
    sha256.addText(route);
    sha256.addBytes(fingerprint.hash());
    sha256.addText(name);
    return HexFormat.of().formatHex(sha256.finish());
  }
}

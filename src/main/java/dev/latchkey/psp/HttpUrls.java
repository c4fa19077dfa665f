package dev.latchkey.psp;

import java.net.URI;

/** What a URL of a server to call must look like. */
final class HttpUrls {
  private HttpUrls() {}

  /** Refuses what no request could be sent to; never shows user info. */
  static URI check(String option, URI url) {
    String scheme = url.getScheme();
    boolean isHttp = "http".equals(scheme) || "https".equals(scheme);
    if (!isHttp || url.getHost() == null) {
      throw new IllegalArgumentException(
          option + " is not http://HOST[:PORT][/PATH] or https://...");
    }
    return url;
  }

  static int port(URI url) {
    if (url.getPort() >= 0) {
      return url.getPort();
    }
    return isTls(url) ? 443 : 80;
  }

  static boolean isTls(URI url) {
    return "https".equals(url.getScheme());
  }
}

package dev.latchkey.load;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * Where a node, or the PSP, listens.
 *
 * @param url as it was given, for messages
 * @param host name or address
 * @param port 1 to 65535
 * @param tls whether it is https
 * @param basePath what goes before every path, empty or without a trailing slash
 */
record Endpoint(String url, String host, int port, boolean tls, String basePath) {

  /**
   * Reads a base URL.
   *
   * @param url such as {@code http://127.0.0.1:8080}
   * @throws IllegalArgumentException when it is not an http or https URL, with one line that says
   *     so; a password in it is not repeated
   */
  static Endpoint parse(String url) {
    try {
      URI uri = new URI(url.strip());
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      boolean tls = scheme.equals("https");
      boolean known = tls || scheme.equals("http");
      String host = uri.getHost();
      if (uri.getRawUserInfo() != null) {
        throw new IllegalArgumentException(
            "a base URL carries no user and password; --api-key sends a secret");
      }
      if (!known || host == null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
        throw notAUrl(url);
      }
      int port = uri.getPort() == -1 ? (tls ? 443 : 80) : uri.getPort();
      if (port < 1 || port > 65_535) {
        throw notAUrl(url);
      }
      return new Endpoint(url, bare(host), port, tls, uri.getRawPath().replaceAll("/+$", ""));
    } catch (URISyntaxException e) {
      throw notAUrl(url);
    }
  }

  private static String bare(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private static IllegalArgumentException notAUrl(String url) {
    return new IllegalArgumentException(
        "'" + url + "' is not a base URL such as http://127.0.0.1:8080");
  }

  /**
   * A request to this endpoint.
   *
   * @param method the method
   * @param path begins with a slash, may carry a query
   */
  RequestOptions request(HttpMethod method, String path) {
    return new RequestOptions()
        .setMethod(method)
        .setHost(host)
        .setPort(port)
        .setSsl(tls)
        .setURI(basePath + path);
  }
}

package dev.latchkey.net;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * The base URL of an HTTP server.
 *
 * @param url as it was given, for messages
 * @param host name or address
 * @param port 1 to 65535
 * @param tls true for https
 * @param basePath prefix of every path, empty or without a trailing slash
 */
public record BaseUrl(String url, String host, int port, boolean tls, String basePath) {

  /**
   * Parses a base URL.
   *
   * @param url such as {@code http://127.0.0.1:8080}
   * @return the parsed URL
   * @throws IllegalArgumentException if it is not an http or https base URL; the message is one
   *     line and never repeats a password
   */
  public static BaseUrl parse(String url) {
    try {
      URI uri = new URI(url.strip());
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      boolean tls = scheme.equals("https");
      String host = uri.getHost();
      if (uri.getRawUserInfo() != null) {
        throw new IllegalArgumentException("a base URL must not contain a user or password");
      }
      if (!(tls || scheme.equals("http"))
          || host == null
          || uri.getRawQuery() != null
          || uri.getRawFragment() != null) {
        throw notABaseUrl(url);
      }
      int port = uri.getPort() == -1 ? (tls ? 443 : 80) : uri.getPort();
      if (port < 1 || port > 65_535) {
        throw notABaseUrl(url);
      }
      return new BaseUrl(
          url, withoutBrackets(host), port, tls, uri.getRawPath().replaceAll("/+$", ""));
    } catch (URISyntaxException e) {
      throw notABaseUrl(url);
    }
  }

  private static String withoutBrackets(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private static IllegalArgumentException notABaseUrl(String url) {
    return new IllegalArgumentException(
        "'" + url + "' is not a base URL such as http://127.0.0.1:8080");
  }

  /**
   * Builds a request to this server.
   *
   * @param method the method
   * @param path starts with a slash; may contain a query
   * @return options to extend with headers and timeouts
   */
  public RequestOptions request(HttpMethod method, String path) {
    return new RequestOptions()
        .setMethod(method)
        .setHost(host)
        .setPort(port)
        .setSsl(tls)
        .setURI(basePath + path);
  }
}

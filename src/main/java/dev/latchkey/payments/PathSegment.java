package dev.latchkey.payments;

import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The last segment of a path as the client sent it, for names that clients choose. They may contain
 * slashes, percent signs and dots, which the router's normalised path partly loses. Such a route
 * must not use the normalised path.
 */
final class PathSegment {

  private PathSegment() {}

  /** Returns the decoded segment; empty if it is not percent-encoded UTF-8. */
  static Optional<String> last(RoutingContext ctx) {
    return decode(raw(ctx.request().path()));
  }

  /** Percent-decodes a segment (RFC 3986, section 2.1) as UTF-8. */
  static Optional<String> decode(String segment) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(segment.length());
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c != '%') {
        if (c > '~') {
          return Optional.empty();
        }
        bytes.write(c);
        continue;
      }
      int high = i + 2 < segment.length() ? Character.digit(segment.charAt(i + 1), 16) : -1;
      int low = i + 2 < segment.length() ? Character.digit(segment.charAt(i + 2), 16) : -1;
      if (high < 0 || low < 0) {
        return Optional.empty();
      }
      bytes.write(high << 4 | low);
      i += 2;
    }
    try {
      return Optional.of(
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes.toByteArray()))
              .toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /** Ignores a slash at the end, as routes do. */
  private static String raw(String path) {
    int end = path.endsWith("/") ? path.length() - 1 : path.length();
    return path.substring(path.lastIndexOf('/', end - 1) + 1, end);
  }
}

package dev.latchkey.payments;

import java.util.Arrays;
import java.util.List;

/**
 * Paths of routes, such as {@code /v1/payments/:id/capture}, matched as the router matches them,
 * but without a regular expression for each: this looks at every request. Immutable.
 */
final class PathTemplates {

  private final List<List<String>> templates;

  private PathTemplates(List<List<String>> templates) {
    this.templates = templates;
  }

  /**
   * Reads templates, each of segments that are literal or, after a colon, any that is not empty.
   */
  static PathTemplates of(String... templates) {
    return new PathTemplates(
        Arrays.stream(templates).map(it -> List.of(it.substring(1).split("/"))).toList());
  }

  /** Whether a normalized path fits one of them; a slash at its end does not matter. */
  boolean match(String path) {
    int end = path.endsWith("/") ? path.length() - 1 : path.length();
    for (List<String> template : templates) {
      if (matches(template, path, end)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matches(List<String> template, String path, int end) {
    int at = 0;
    for (String segment : template) {
      if (at >= end || path.charAt(at) != '/') {
        return false;
      }
      int start = at + 1;
      int slash = path.indexOf('/', start);
      at = slash < 0 || slash > end ? end : slash;
      boolean fits =
          segment.charAt(0) == ':'
              ? at > start
              : segment.length() == at - start && path.startsWith(segment, start);
      if (!fits) {
        return false;
      }
    }
    return at == end;
  }
}

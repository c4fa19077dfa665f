package dev.latchkey.web.fingerprint;

import com.fasterxml.jackson.core.JsonStreamContext;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** RFC 6901 pointers that stay short and printable. */
final class Pointers {

  /** Longest pointer that is built. */
  static final int MAX_CHARS = 256;

  private Pointers() {}

  /**
   * Points to where a parser stands. A pointer that would get too long, or would hold control
   * characters or lone surrogates, ends before that and so points to something around it.
   */
  static String of(JsonStreamContext context) {
    Deque<String> segments = new ArrayDeque<>();
    for (JsonStreamContext c = context; c != null; c = c.getParent()) {
      String segment = segment(c);
      if (segment != null) {
        segments.push(segment);
      }
    }
    String pointer = "";
    for (String segment : segments) {
      String longer = append(pointer, segment);
      if (longer.equals(pointer)) {
        break;
      }
      pointer = longer;
    }
    return pointer;
  }

  /** Points to a member, or to its parent where the member cannot be named. */
  static String append(String parent, String name) {
    String escaped = escape(name);
    boolean fits = parent.length() + 1 + escaped.length() <= MAX_CHARS;
    return fits && isPrintable(name) ? parent + '/' + escaped : parent;
  }

  /** Points to a top-level member, whatever its name. */
  static String member(String name) {
    return '/' + escape(name);
  }

  private static @Nullable String segment(JsonStreamContext context) {
    if (context.inObject()) {
      return context.getCurrentName();
    }
    return context.inArray() && context.hasCurrentIndex()
        ? Integer.toString(context.getCurrentIndex())
        : null;
  }

  private static String escape(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  private static boolean isPrintable(String name) {
    return name.codePoints()
        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }
}

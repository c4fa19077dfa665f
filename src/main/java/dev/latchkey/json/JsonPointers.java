package dev.latchkey.json;

import com.fasterxml.jackson.core.JsonStreamContext;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** JSON Pointers (RFC 6901). Stateless. */
public final class JsonPointers {

  /** Length limit of a pointer to an error, in characters. */
  static final int MAX_CHARS = 256;

  private JsonPointers() {}

  /**
   * Extends a pointer by a member name.
   *
   * @param parent pointer to an object
   * @param name of a member, any text
   * @return pointer to the member
   */
  public static String member(String parent, String name) {
    return parent + '/' + name.replace("~", "~0").replace("/", "~1");
  }

  /**
   * Points to the current place of a parser. A pointer longer than {@value #MAX_CHARS} characters,
   * or with control characters or lone surrogates, ends before them.
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
      String longer = member(pointer, segment);
      if (longer.length() > MAX_CHARS || !isPrintable(segment)) {
        break;
      }
      pointer = longer;
    }
    return pointer;
  }

  private static boolean isPrintable(String name) {
    return name.codePoints()
        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }

  private static @Nullable String segment(JsonStreamContext context) {
    if (context.inObject()) {
      return context.getCurrentName();
    }
    return context.inArray() && context.hasCurrentIndex()
        ? Integer.toString(context.getCurrentIndex())
        : null;
  }
}

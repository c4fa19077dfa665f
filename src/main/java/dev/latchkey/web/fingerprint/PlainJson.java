package dev.latchkey.web.fingerprint;

/**
 * The canonical text of JSON that is as most clients send it: ASCII without escapes, integers
 * without fraction or exponent, few levels, few members. It is written in one pass over the bytes,
 * with no object for a value, and is what {@link CanonicalJson} makes of the same body. Everything
 * else is left to that one, also what is wrong. Used by one thread, again and again.
 */
final class PlainJson {

  private static final int MAX_DEPTH = 16;

  /** Of all open objects together; sorting is quadratic. */
  private static final int MAX_MEMBERS = 128;

  /** Digits that certainly need no exponent in canonical form. */
  private static final int MAX_DIGITS = 18;

  private static final byte[] NOTHING = {};

  /** Of each member of the open objects: where it starts, where its name ends, where it ends. */
  private final int[] spans = new int[3 * MAX_MEMBERS];

  private int spanCount;
  private int rootMembers;
  private byte[] body = NOTHING;
  private int at;
  private ByteSink sink;
  private final ByteSink unsorted = new ByteSink(256);

  PlainJson() {
    sink = unsorted;
  }

  /**
   * Writes a document, if it is such.
   *
   * @param document the bytes, not changed
   * @param maxDepth how many levels of arrays and objects are allowed, positive
   * @param target where the canonical text is appended
   * @return false when the document is left to {@link CanonicalJson}; nothing was appended then
   */
  boolean write(byte[] document, int maxDepth, ByteSink target) {
    body = document;
    at = 0;
    sink = target;
    spanCount = 0;
    rootMembers = 0;
    int start = target.size();
    boolean plain = value(Math.min(maxDepth, MAX_DEPTH)) && skipSpace() == 0 && at == body.length;
    if (!plain) {
      target.truncate(start);
    }
    body = NOTHING;
    sink = unsorted;
    unsorted.clear();
    return plain;
  }

  /** How many members the document has; 0 also where it is no object. */
  int members() {
    return rootMembers;
  }

  /** Where in the target the name of a member starts, in canonical order and without quotes. */
  int nameStart(int member) {
    return spans[3 * member] + 1;
  }

  /** Where it ends. */
  int nameEnd(int member) {
    return spans[3 * member + 1];
  }

  /** Where the value of a member starts. */
  int valueStart(int member) {
    return spans[3 * member + 1] + 2;
  }

  /** Where it ends. */
  int valueEnd(int member) {
    return spans[3 * member + 2];
  }

  private boolean value(int levels) {
    return switch (skipSpace()) {
      case '{' -> levels > 0 && object(levels - 1);
      case '[' -> levels > 0 && array(levels - 1);
      case '"' -> text();
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      default -> integer();
    };
  }

  private boolean object(int levels) {
    int first = spanCount;
    take();
    if (skipSpace() == '}') {
      take();
      return true;
    }
    while (member(levels)) {
      int next = skipSpace();
      if (next == ',') {
        take();
        skipSpace();
      } else if (next == '}') {
        boolean sound = isSorted(first) || sort(first);
        take();
        if (first == 0) {
          rootMembers = spanCount / 3;
        } else {
          spanCount = first;
        }
        return sound;
      } else {
        return false;
      }
    }
    return false;
  }

  private boolean member(int levels) {
    int span = spanCount;
    if (span == spans.length) {
      return false;
    }
    spanCount += 3;
    spans[span] = sink.size();
    if (peek() != '"' || !text()) {
      return false;
    }
    spans[span + 1] = sink.size() - 1;
    if (skipSpace() != ':') {
      return false;
    }
    take();
    boolean sound = value(levels);
    spans[span + 2] = sink.size();
    return sound;
  }

  private boolean array(int levels) {
    take();
    if (skipSpace() == ']') {
      take();
      return true;
    }
    while (value(levels)) {
      int next = skipSpace();
      if (next == ']') {
        take();
        return true;
      }
      if (next != ',') {
        return false;
      }
      take();
    }
    return false;
  }

  private boolean text() {
    int end = at + 1;
    while (end < body.length && body[end] != '"') {
      if (body[end] < ' ' || body[end] == '\\') {
        return false;
      }
      end++;
    }
    return end < body.length && copyTo(end + 1);
  }

  private boolean literal(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (at + i >= body.length || body[at + i] != word.charAt(i)) {
        return false;
      }
    }
    return copyTo(at + word.length());
  }

  /** Zero, or digits of which the first is none, with a minus before them or not. */
  private boolean integer() {
    int start = peek() == '-' ? at + 1 : at;
    int end = start;
    while (end < body.length && body[end] >= '0' && body[end] <= '9') {
      end++;
    }
    int digits = end - start;
    boolean zero = digits > 0 && body[start] == '0';
    if (digits == 0 || digits > MAX_DIGITS || (zero && (digits > 1 || start > at))) {
      return false;
    }
    return copyTo(end);
  }

  private boolean copyTo(int end) {
    sink.putBytes(body, at, end - at);
    at = end;
    return true;
  }

  private void take() {
    sink.putByte(body[at++]);
  }

  /** Returns the next byte, 0 at the end; a zero in the body is refused by whoever gets it. */
  private int peek() {
    return at < body.length ? body[at] : 0;
  }

  private int skipSpace() {
    while (at < body.length
        && (body[at] == ' ' || body[at] == '\n' || body[at] == '\r' || body[at] == '\t')) {
      at++;
    }
    return peek();
  }

  private boolean isSorted(int first) {
    for (int span = first + 3; span < spanCount; span += 3) {
      if (compare(span - 3, span) >= 0) {
        return false;
      }
    }
    return true;
  }

  private int compare(int one, int other) {
    return sink.compare(spans[one] + 1, spans[one + 1], spans[other] + 1, spans[other + 1]);
  }

  /** Puts the members of the innermost object into order; false where two have one name. */
  private boolean sort(int first) {
    for (int span = first + 3; span < spanCount; span += 3) {
      for (int i = span; i > first; i -= 3) {
        int order = compare(i - 3, i);
        if (order == 0) {
          return false;
        }
        if (order < 0) {
          break;
        }
        swap(i - 3, i);
      }
    }
    rewrite(first);
    return true;
  }

  private void swap(int one, int other) {
    for (int i = 0; i < 3; i++) {
      int kept = spans[one + i];
      spans[one + i] = spans[other + i];
      spans[other + i] = kept;
    }
  }

  private void rewrite(int first) {
    int from = Integer.MAX_VALUE;
    for (int span = first; span < spanCount; span += 3) {
      from = Math.min(from, spans[span]);
    }
    unsorted.clear();
    sink.copyTo(unsorted, from, sink.size());
    sink.truncate(from);
    for (int span = first; span < spanCount; span += 3) {
      if (span > first) {
        sink.putByte(',');
      }
      int moved = sink.size() - spans[span];
      unsorted.copyTo(sink, spans[span] - from, spans[span + 2] - from);
      for (int i = 0; i < 3; i++) {
        spans[span + i] += moved;
      }
    }
  }
}

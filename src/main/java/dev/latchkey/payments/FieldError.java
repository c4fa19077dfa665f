package dev.latchkey.payments;

import dev.latchkey.json.JsonPointers;

/**
 * One error of a request.
 *
 * @param pointer JSON Pointer (RFC 6901) into the body; empty for the whole body; a slash and the
 *     name for a query parameter
 * @param detail what is allowed there
 */
record FieldError(String pointer, String detail) {

  private static final int MAX_NAME_CHARS = 100;

  /** Extends a pointer by a member name of the client, cut so that the response stays small. */
  static String pointer(String parent, String name) {
    String cut = name;
    if (name.length() > MAX_NAME_CHARS) {
      int end = Character.isHighSurrogate(name.charAt(MAX_NAME_CHARS - 1)) ? 1 : 0;
      cut = name.substring(0, MAX_NAME_CHARS - end) + "...";
    }
    return JsonPointers.member(parent, cut);
  }
}

package dev.latchkey.payments;

import java.util.Locale;

/** Media types of request bodies. Pure. */
final class MediaType {

  private MediaType() {}

  /**
   * Returns whether a {@code Content-Type} is JSON (RFC 8259, RFC 6839) in UTF-8.
   *
   * @param contentType value of the header, empty if absent
   * @return true for {@code application/json} and {@code application/*+json}; parameters other than
   *     {@code charset} are ignored
   */
  static boolean isJson(String contentType) {
    if (contentType.equals("application/json")) {
      return true; // the usual value
    }
    String[] parts = contentType.toLowerCase(Locale.ROOT).split(";", -1);
    String type = parts[0].strip();
    boolean json =
        type.equals("application/json")
            || (type.startsWith("application/") && type.endsWith("+json"));
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip();
      if (parameter.startsWith("charset=")) {
        String charset = parameter.substring("charset=".length()).replace("\"", "");
        json &= charset.equals("utf-8") || charset.equals("utf8");
      }
    }
    return json;
  }

  /**
   * Returns whether a {@code Content-Type} is a form, whose body Vert.x Web would decode.
   *
   * @param contentType value of the header, empty if absent
   * @return true for forms of both kinds
   */
  static boolean isForm(String contentType) {
    String type = contentType.toLowerCase(Locale.ROOT).strip();
    return type.startsWith("multipart/") || type.startsWith("application/x-www-form-urlencoded");
  }
}

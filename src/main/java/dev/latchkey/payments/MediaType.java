package dev.latchkey.payments;

import java.util.Locale;

/** Which bodies are read as JSON. Pure. */
final class MediaType {

  private MediaType() {}

  /**
   * Whether a {@code Content-Type} names JSON (RFC 8259, RFC 6839) in UTF-8.
   *
   * @param contentType the header's value, empty when there is none
   * @return true for {@code application/json} and {@code application/*+json}; other parameters than
   *     {@code charset} do not matter
   */
  static boolean isJson(String contentType) {
    if (contentType.equals("application/json")) {
      return true; // as nearly all say it
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
   * Whether a {@code Content-Type} names a form, whose body would be taken apart before anybody saw
   * it.
   *
   * @param contentType the header's value, empty when there is none
   * @return true for forms of both kinds
   */
  static boolean isForm(String contentType) {
    String type = contentType.toLowerCase(Locale.ROOT).strip();
    return type.startsWith("multipart/") || type.startsWith("application/x-www-form-urlencoded");
  }
}
